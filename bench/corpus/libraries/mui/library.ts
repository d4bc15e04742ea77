import { type CorpusLibrary, chooseForms } from '../../../../test/corpus/corpus-model.ts';

export const mui: CorpusLibrary = {
  name: 'mui',
  folder: import.meta.dirname,
  widgets: [
    { name: 'text', value: 'Ann' },
    { name: 'select', value: 'Twenty', expected: [20] },
    { name: 'autocomplete', value: 'Beta' },
    { name: 'multiple', value: ['Alpha', 'Gamma'] },
    { name: 'slider', value: 35 },
    { name: 'switch', value: true },
    { name: 'rating', value: '4', expected: [4] },
    { name: 'check', value: true },
    { name: 'radio', value: 'Large', expected: ['l'] },
    { name: 'date', value: '2027-03-23' },
    { name: 'time', value: '10:15' },
    { name: 'toggle', value: 'Right', expected: ['r'] },
  ],
  forms: chooseForms(
    'accepted',
    'missing name',
    'wrong e-mail',
    'amount too high',
    'refused',
    'refused with 200',
    'mute',
    'draft',
  ),
};
