import { type CorpusLibrary, chooseForms } from '../../corpus-model.ts';

export const jqueryValidation: CorpusLibrary = {
  name: 'jquery-validation',
  folder: import.meta.dirname,
  widgets: [],
  forms: chooseForms(
    'accepted',
    'missing name',
    'wrong e-mail',
    'amount too high',
    'refused with 200',
    'flash',
    'draft',
    'e-mail',
  ),
};
