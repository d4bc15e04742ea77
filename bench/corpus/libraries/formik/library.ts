import { type CorpusLibrary, chooseForms } from '../../../../test/corpus/corpus-model.ts';

export const formik: CorpusLibrary = {
  name: 'formik',
  folder: import.meta.dirname,
  widgets: [],
  forms: chooseForms(
    'accepted',
    'missing name',
    'wrong e-mail',
    'amount too high',
    'refused',
    'refused with 200',
    'broken',
  ),
};
