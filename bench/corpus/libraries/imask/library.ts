import type { CorpusLibrary } from '../../../../test/corpus/corpus-model.ts';

export const imask: CorpusLibrary = {
  name: 'imask',
  folder: import.meta.dirname,
  widgets: [
    { name: 'phone', value: '5551234567', expected: ['(555) 123-4567'] },
    { name: 'amount', value: '1234.5', expected: [1234.5] },
    { name: 'code', value: 'AB-123' },
  ],
  forms: [],
};
