import { type CorpusLibrary, chooseForms } from '../../../../test/corpus/corpus-model.ts';

export const parsley: CorpusLibrary = {
  name: 'parsley',
  folder: import.meta.dirname,
  widgets: [],
  forms: chooseForms(
    'accepted',
    'missing name',
    'wrong e-mail',
    'amount too high',
    'refused with 200',
    'flash',
    'reset',
  ),
};
