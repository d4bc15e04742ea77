import { type CorpusLibrary, chooseForms } from '../../../../test/corpus/corpus-model.ts';

export const angular: CorpusLibrary = {
  name: 'angular',
  folder: import.meta.dirname,
  widgets: [
    { name: 'text', value: 'Ann' },
    { name: 'select', value: 'France', expected: ['fr'] },
    { name: 'multiple', value: ['English', 'Dutch'], expected: [['en', 'nl']] },
    { name: 'slider', value: 35 },
    { name: 'date', value: '2027-03-23' },
    { name: 'autocomplete', value: 'Beta' },
    { name: 'switch', value: true },
    { name: 'check', value: true },
    { name: 'radio', value: 'Large', expected: ['l'] },
    { name: 'toggle', value: 'Right', expected: ['r'] },
    { name: 'chosen', value: ['Alpha', 'Gamma'] },
  ],
  forms: chooseForms('accepted', 'missing name', 'wrong e-mail', 'amount too high', 'refused', 'broken', 'mute'),
};
