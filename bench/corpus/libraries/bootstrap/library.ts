import { type CorpusLibrary, chooseForms } from '../../../../test/corpus/corpus-model.ts';

export const bootstrap: CorpusLibrary = {
  name: 'bootstrap',
  folder: import.meta.dirname,
  widgets: [
    { name: 'floating', value: 'Ann' },
    { name: 'group', value: '12.50' },
    { name: 'select', value: 'Two', expected: ['2'] },
    { name: 'switch', value: true },
    { name: 'range', value: 35, expected: ['35'] },
    { name: 'toggle', value: 'Right', expected: ['r'] },
    { name: 'boxes', value: ['Cat', 'Fish'], expected: [['cat', 'fish']] },
  ],
  forms: chooseForms('accepted', 'missing name', 'wrong e-mail', 'amount too high', 'refused with 200', 'mute', 'hang'),
};
