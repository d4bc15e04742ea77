import type { CorpusLibrary } from '../../../../test/corpus/corpus-model.ts';

export const jqueryUi: CorpusLibrary = {
  name: 'jquery-ui',
  folder: import.meta.dirname,
  widgets: [
    { name: 'date', value: '2027-03-23' },
    { name: 'slider', value: 35 },
    { name: 'spinner', value: '42', expected: [42] },
    { name: 'autocomplete', value: 'Beta' },
    { name: 'menu', value: 'Fast' },
    { name: 'radio', value: 'Large', expected: ['l'] },
  ],
  forms: [],
};
