import type { CorpusLibrary } from './corpus-model.ts';
import { choices } from './libraries/choices/library.ts';
import { flatpickr } from './libraries/flatpickr/library.ts';
import { govuk } from './libraries/govuk/library.ts';
import { jqueryValidation } from './libraries/jquery-validation/library.ts';
import { native } from './libraries/native/library.ts';

/** The libraries of `npm test`: small, and each of another kind. `bench/corpus` has the others. */
export const testedLibraries: readonly CorpusLibrary[] = [choices, flatpickr, govuk, jqueryValidation, native];
