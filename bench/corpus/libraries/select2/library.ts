import type { CorpusLibrary } from '../../../../test/corpus/corpus-model.ts';

export const select2: CorpusLibrary = {
  name: 'select2',
  folder: import.meta.dirname,
  widgets: [
    { name: 'single', value: 'Spain', expected: ['es'] },
    { name: 'multiple', value: ['Germany', 'Spain'], expected: [['de', 'es']] },
    { name: 'tags', value: ['red', 'blue'] },
  ],
  forms: [],
};
