import type { CorpusLibrary } from '../../../../test/corpus/corpus-model.ts';

export const trix: CorpusLibrary = {
  name: 'trix',
  folder: import.meta.dirname,
  widgets: [{ name: 'text', value: 'Hello' }],
  forms: [],
};
