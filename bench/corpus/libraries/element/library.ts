import { type CorpusLibrary, chooseForms } from '../../../../test/corpus/corpus-model.ts';

export const element: CorpusLibrary = {
  name: 'element',
  folder: import.meta.dirname,
  widgets: [
    { name: 'text', value: 'Ann' },
    { name: 'select', value: 'Spain' },
    { name: 'multiple', value: ['English', 'Spanish'] },
    { name: 'date', value: '2027-03-23' },
    { name: 'time', value: '10:15:00' },
    { name: 'slider', value: 35 },
    { name: 'switch', value: true },
    { name: 'number', value: '42', expected: [42] },
    { name: 'rate', value: '4', expected: [4] },
    { name: 'radio', value: 'Large', expected: ['l'] },
    { name: 'check', value: ['Dog'], expected: [['d']] },
    { name: 'autocomplete', value: 'Beta' },
    { name: 'cascader', value: ['Europe', 'France'], expected: [['eu', 'fr']] },
  ],
  forms: chooseForms('accepted', 'missing name', 'wrong e-mail', 'refused', 'draft', 'broken'),
};
