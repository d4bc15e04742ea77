import { type CorpusLibrary, chooseForms } from '../../../../test/corpus/corpus-model.ts';

export const vuetify: CorpusLibrary = {
  name: 'vuetify',
  folder: import.meta.dirname,
  widgets: [
    { name: 'text', value: 'Ann' },
    { name: 'select', value: 'Spain' },
    { name: 'autocomplete', value: 'Rome' },
    { name: 'multiple', value: ['English', 'Spanish'] },
    { name: 'slider', value: 35 },
    { name: 'switch', value: true },
    { name: 'check', value: true },
    { name: 'radio', value: 'Large', expected: ['l'] },
    { name: 'rating', value: '4', expected: [4] },
    { name: 'number', value: '42', expected: [42] },
    { name: 'date', value: '2027-03-23' },
  ],
  forms: chooseForms('accepted', 'missing name', 'wrong e-mail', 'refused', 'reset', 'e-mail', 'hang'),
};
