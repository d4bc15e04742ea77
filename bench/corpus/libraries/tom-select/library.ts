import type { CorpusLibrary } from '../../../../test/corpus/corpus-model.ts';

export const tomSelect: CorpusLibrary = {
  name: 'tom-select',
  folder: import.meta.dirname,
  widgets: [
    { name: 'single', value: 'Spain', expected: ['es'] },
    { name: 'multiple', value: ['Germany', 'Spain'], expected: [['de', 'es']] },
    { name: 'created', value: 'Narnia' },
  ],
  forms: [],
};
