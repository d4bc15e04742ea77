import type { CorpusLibrary } from '../../corpus-model.ts';

export const flatpickr: CorpusLibrary = {
  name: 'flatpickr',
  folder: import.meta.dirname,
  widgets: [
    { name: 'date', value: '2027-03-23' },
    { name: 'moment', value: '2027-03-23', expected: /^2027-03-23/ },
  ],
  forms: [],
};
