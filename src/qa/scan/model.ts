import type { UseCaseClass } from './classes.ts';
import type { Clickable, Sign } from './evidence.ts';
import type { FormFacts, PageFacts } from './facts.ts';

/** One thing that speaks for a class, or against it. */
export interface Signal<Facts> {
  weight: number;
  /** As it stands in the notes: what was seen. */
  says(facts: Facts): string;
  when(facts: Facts): boolean;
}

interface ClassText {
  class: UseCaseClass;
  title: string;
  description: string;
  /** What is expected of it, one sentence each: requirement and acceptance criterion. */
  accepts: readonly [requirement: string, criterion: string][];
  expected: readonly Sign[];
}

/** A class that forms are told to be of. */
export interface FormClass extends ClassText {
  /** Several of these can be true of one form: search and filter share theirs. The others exclude each other. */
  shares?: boolean;
  signals: readonly Signal<FormFacts>[];
}

/** A class that shows on a page outside of its forms. */
export interface PageClass extends ClassText {
  /** It belongs to the site, not to the page that it stands on. */
  everywhere?: boolean;
  signals: readonly Signal<PageFacts>[];
  /** What it consists of. */
  controls(facts: PageFacts): Clickable[];
}

type WordsOf = (facts: FormFacts) => string;
/** Words of the form, which are quoted in the notes. */
const form =
  (wordsOf: WordsOf, says: string) =>
  (pattern: RegExp, weight: number): Signal<FormFacts> => ({
    weight,
    says: (facts) => `${says} “${pattern.exec(wordsOf(facts))?.[0].trim() ?? ''}”`,
    when: (facts) => pattern.test(wordsOf(facts)),
  });

/** What is asked of a form, in the words of the table. */
export const submit = form(({ submitWords }) => submitWords, 'a button that says');
export const field = form(({ fieldWords }) => fieldWords, 'a field about');
export const about = form(({ pageWords }) => pageWords, 'a page or heading about');
export const action = form(({ form: { action: path } }) => path.replaceAll(/[/_-]+/g, ' '), 'it is sent to');

export const hint = (name: string, weight: number): Signal<FormFacts> => ({
  weight,
  says: () => `a field marked as ${name}`,
  when: ({ autocomplete }) => autocomplete.has(name),
});
export const kind = (name: string, weight: number): Signal<FormFacts> => ({
  weight,
  says: () => `a field of the kind ${name}`,
  when: ({ kinds }) => kinds.has(name),
});
export const method = (name: 'get' | 'post' | 'script', weight: number): Signal<FormFacts> => ({
  weight,
  says: () => `it is sent by ${name}`,
  when: ({ form: { method: is } }) => is === name,
});
export const when = <Facts>(says: string, weight: number, test: (facts: Facts) => boolean): Signal<Facts> => ({
  weight,
  says: () => says,
  when: test,
});
