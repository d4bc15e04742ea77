import type { FormFeatures, PageFeatures } from '../read/page-features.ts';
import type { UseCaseClass } from '../use-case-classes.ts';
import type { ClickTarget, ExpectedSign } from '../use-case-evidence.ts';

/** A weighted feature for or against a class. */
export interface ClassSignal<Facts> {
  weight: number;
  /** Text for the notes. */
  describe(facts: Facts): string;
  applies(facts: Facts): boolean;
}

interface ClassDescription {
  class: UseCaseClass;
  title: string;
  description: string;
  /** Acceptance criteria. */
  acceptance: readonly [requirement: string, criterion: string][];
  expected: readonly ExpectedSign[];
}

/** A class of forms. */
export interface FormClassRule extends ClassDescription {
  /** A form can have several shared classes, such as search and filter. The others exclude each other. */
  shares?: boolean;
  signals: readonly ClassSignal<FormFeatures>[];
}

/** A class that pages show outside their forms. */
export interface PageClassRule extends ClassDescription {
  /** The use case belongs to the site, not to one page. */
  everywhere?: boolean;
  signals: readonly ClassSignal<PageFeatures>[];
  /** The controls of the use case. */
  controls(facts: PageFeatures): ClickTarget[];
}

type WordsOf = (facts: FormFeatures) => string;
/** A signal that tests words of a form and quotes the match in the notes. */
const wordSignal =
  (wordsOf: WordsOf, says: string) =>
  (pattern: RegExp, weight: number): ClassSignal<FormFeatures> => ({
    weight,
    describe: (facts) => `${says} “${pattern.exec(wordsOf(facts))?.[0].trim() ?? ''}”`,
    applies: (facts) => pattern.test(wordsOf(facts)),
  });

/** Signals on forms, as the tables use them. */
export const submitSays = wordSignal(({ submitWords }) => submitWords, 'a button that says');
export const fieldAbout = wordSignal(({ fieldWords }) => fieldWords, 'a field about');
export const pageAbout = wordSignal(({ pageWords }) => pageWords, 'a page or heading about');
export const sentTo = wordSignal(({ form: { action: path } }) => path.replaceAll(/[/_-]+/g, ' '), 'it is sent to');

export const hasAutocomplete = (name: string, weight: number): ClassSignal<FormFeatures> => ({
  weight,
  describe: () => `a field marked as ${name}`,
  applies: ({ autocomplete }) => autocomplete.has(name),
});
export const hasFieldKind = (name: string, weight: number): ClassSignal<FormFeatures> => ({
  weight,
  describe: () => `a field of the kind ${name}`,
  applies: ({ kinds }) => kinds.has(name),
});
export const sentBy = (name: 'get' | 'post' | 'script', weight: number): ClassSignal<FormFeatures> => ({
  weight,
  describe: () => `it is sent by ${name}`,
  applies: ({ form: { method: is } }) => is === name,
});
export const signalWhen = <Facts>(
  says: string,
  weight: number,
  test: (facts: Facts) => boolean,
): ClassSignal<Facts> => ({
  weight,
  describe: () => says,
  applies: test,
});
