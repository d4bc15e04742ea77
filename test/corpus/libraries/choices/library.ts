import type { CorpusLibrary } from '../../corpus-model.ts';

export const choices: CorpusLibrary = {
  name: 'choices',
  folder: import.meta.dirname,
  widgets: [
    { name: 'single', value: 'Banana', expected: ['b'] },
    { name: 'multiple', value: ['Red', 'Blue'], expected: [['r', 'b']] },
    { name: 'text', value: ['one', 'two'] },
  ],
  forms: [],
};
