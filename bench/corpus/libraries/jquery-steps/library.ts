import { type CorpusLibrary, chooseForms, type FormCase } from '../../../../test/corpus/corpus-model.ts';

const nextStep: FormCase = {
  name: 'next step',
  answer: 'created',
  fill: { 'Full name': 'Ann Lee' },
  button: 'Next',
  truth: 'open',
};

export const jquerySteps: CorpusLibrary = {
  name: 'jquery-steps',
  folder: import.meta.dirname,
  widgets: [],
  forms: [nextStep, ...chooseForms('missing name').map((form) => ({ ...form, fill: {}, button: 'Next' }))],
};
