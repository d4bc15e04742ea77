import type { CorpusLibrary } from '../../../../test/corpus/corpus-model.ts';

/** The date pickers of this library are in `test/corpus`. */
export const flatpickrTime: CorpusLibrary = {
  name: 'flatpickr-time',
  folder: import.meta.dirname,
  widgets: [{ name: 'time', value: '10:15' }],
  forms: [],
};
