import type { CorpusLibrary } from '../../../../test/corpus/corpus-model.ts';

export const quill: CorpusLibrary = {
  name: 'quill',
  folder: import.meta.dirname,
  widgets: [{ name: 'text', value: 'Hello' }],
  forms: [],
};
