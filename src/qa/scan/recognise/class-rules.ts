import type { FormFeatures, PageFeatures } from '../read/page-features.ts';
import type { UseCaseClass } from '../use-case-classes.ts';
import type { ClickTarget, ExpectedSign } from '../use-case-evidence.ts';

/** One thing that speaks for a class, or against it. */
export interface ClassSignal<Facts> {
  weight: number;
  /** As it stands in the notes: what was seen. */
  describe(facts: Facts): string;
  applies(facts: Facts): boolean;
}

interface ClassDescription {
  class: UseCaseClass;
  title: string;
  description: string;
  /** What is expected of it, one sentence each: requirement and acceptance criterion. */
  acceptance: readonly [requirement: string, criterion: string][];
  expected: readonly ExpectedSign[];
}

/** A class that forms are told to be of. */
export interface FormClassRule extends ClassDescription {
  /** Several of these can be true of one form: search and filter share theirs. The others exclude each other. */
  shares?: boolean;
  signals: readonly ClassSignal<FormFeatures>[];
}

/** A class that shows on a page outside of its forms. */
export interface PageClassRule extends ClassDescription {
  /** It belongs to the site, not to the page that it stands on. */
  everywhere?: boolean;
  signals: readonly ClassSignal<PageFeatures>[];
  /** What it consists of. */
  controls(facts: PageFeatures): ClickTarget[];
}

type WordsOf = (facts: FormFeatures) => string;
/** Words of the form, which are quoted in the notes. */
const wordSignal =
  (wordsOf: WordsOf, says: string) =>
  (pattern: RegExp, weight: number): ClassSignal<FormFeatures> => ({
    weight,
    describe: (facts) => `${says} “${pattern.exec(wordsOf(facts))?.[0].trim() ?? ''}”`,
    applies: (facts) => pattern.test(wordsOf(facts)),
  });

/** What is asked of a form, in the words of the table. */
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
