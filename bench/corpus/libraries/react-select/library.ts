import type { CorpusLibrary } from '../../../../test/corpus/corpus-model.ts';

export const reactSelect: CorpusLibrary = {
  name: 'react-select',
  folder: import.meta.dirname,
  widgets: [
    { name: 'single', value: 'Spain', expected: ['sp'] },
    { name: 'multiple', value: ['Germany', 'Spain'], expected: [['ge', 'sp']] },
    { name: 'creatable', value: 'Narnia' },
    { name: 'loaded', value: 'France', expected: ['fr'] },
  ],
  forms: [],
};
