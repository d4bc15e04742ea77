import type { CorpusLibrary } from '../../../../test/corpus/corpus-model.ts';

export const nouislider: CorpusLibrary = {
  name: 'nouislider',
  folder: import.meta.dirname,
  widgets: [{ name: 'slider', value: 35 }],
  forms: [],
};
