import { inventedValuesIn, testRecordPattern } from '../../cases/values/field-values.ts';
import { UNIQUE_TOKEN } from '../../cases/values/unique-token.ts';
import type { ObservedLine, PageObservation } from '../record/page-observation.ts';
import { dependsOnCurrentDate } from './transient-text.ts';

/** Two observations of the same page, each with the unique token of its run. */
export interface ObservationPair {
  first: PageObservation;
  second: PageObservation;
  uniques: [string, string];
  /** The page before the action, if there was one: texts that it already had prove nothing. */
  before: PageObservation | undefined;
  /** The values that the script enters. */
  entered: readonly string[];
  /** Texts that a script must not contain. */
  isPrivate(text: string): boolean;
}

const MAX_TEXT_LENGTH = 160;
const MAX_LIST_LENGTH = 800;

/** Lines that are worth an expectation, most specific first: stable, new, and not only names of controls. */
export function assertableLines(looks: ObservationPair): string[] {
  const { first, before } = looks;
  const wording = new Set([...first.names, ...(before?.names ?? [])].map((name) => name.toLowerCase()));
  // A table row may consist of such names; it is data if it contains an entered value.
  const isData = ({ row, text }: ObservedLine) =>
    row && looks.entered.some((value) => value !== '' && text.includes(value));
  const candidates = stableObservedLines(looks).filter((line) => isData(line) || !isControlWording(line.text, wording));
  const seen = new Set<string>();
  return lineRanks(looks.entered)
    .flatMap(([fits, most]) => {
      const taken = candidates.filter((line) => fits(line) && !seen.has(line.text)).slice(0, most);
      for (const { text } of taken) seen.add(text);
      return taken;
    })
    .map(({ text }) => text);
}

/** The text of the main part of the page, including names of controls. */
export function stableLines(looks: ObservationPair): string[] {
  return stableObservedLines(looks).flatMap(({ text, main }) => (main ? [text] : []));
}

function stableObservedLines({ first, second, uniques, before, entered, isPrivate }: ObservationPair): ObservedLine[] {
  const again = new Set(second.lines.map(({ text }) => withUniquePlaceholder(text, uniques[1])));
  const earlier = new Set(before?.lines.map(({ text }) => withUniquePlaceholder(text, uniques[0])) ?? []);
  const own = entered.filter((value) => value.includes(UNIQUE_TOKEN)).toSorted((a, b) => b.length - a.length);
  // The site may add a number or the time to an entered value. Then only the value is expected.
  const stablePart = (text: string) =>
    again.has(text) && !isTransientText(text, entered) ? text : (own.find((value) => text.includes(value)) ?? text);
  const isIn = (lines: ReadonlySet<string>, text: string) =>
    lines.has(text) || (own.includes(text) && [...lines].some((one) => one.includes(text)));
  return first.lines
    .map((line) => ({ ...line, text: stablePart(withUniquePlaceholder(line.text, uniques[0])) }))
    .filter(({ text }) => isIn(again, text) && !isIn(earlier, text))
    .filter(({ text }) => text.length >= 3 && text.length <= MAX_TEXT_LENGTH && !isPrivate(text))
    .filter(({ text }) => !isTransientText(text, entered))
    .filter((line) => !isRecordHeading(line, first));
}

/**
 * The heading of a form may be the name of its record. Before the record is saved, that is the name of another test's
 * data, which differs later. The values of the form are expected of its fields.
 */
function isRecordHeading(
  { heading, text }: ObservedLine,
  { fieldValues }: Pick<PageObservation, 'fieldValues'>,
): boolean {
  if (!heading) return false;
  const values = Object.values(fieldValues);
  return inventedValuesIn(text).some((invented) => values.some((value) => value.includes(invented)));
}

/** Whether a line consists only of names of controls. */
function isControlWording(text: string, names: ReadonlySet<string>): boolean {
  const words = text.toLowerCase().split(' ');
  // Another name may start at each end of a name.
  const ends = new Set([0]);
  for (const end of ends)
    for (let next = end + 1; next <= words.length; next++)
      if (names.has(words.slice(end, next).join(' '))) ends.add(next);
  return ends.has(words.length);
}

/** The kinds of lines, and the maximum number of each. */
function lineRanks(entered: readonly string[]): [(line: ObservedLine) => boolean, number][] {
  const own = entered.filter((value) => value.length > 2);
  return [
    [({ live }) => live, 3],
    [({ text, main }) => main && text.includes(UNIQUE_TOKEN), 3],
    [({ text, main }) => main && own.some((value) => text.includes(value)), 3],
    [({ text, main }) => main && /\d/.test(text), 4],
    [({ heading, main }) => heading && main, 2],
    [({ main, text }) => main && /[.!?:]$/.test(text), 3],
    [({ main }) => main, 2],
    [() => true, 1],
  ];
}

/** Texts of the earlier page that neither observation has any more. */
export function removedLines({ first, second, before, isPrivate }: ObservationPair, isList: boolean): string[] {
  const left = [first, second].map(({ lines }) => lines.map(({ text }) => text).join(' '));
  return (
    (before?.lines ?? [])
      // A row of a long list may be on another page next time.
      .filter(({ row }) => !(row && isList))
      // "10 open" contains "0 open" too.
      .filter(({ row, text }) => row || !/^\d|\d$/.test(text))
      .map(({ text }) => text)
      .filter(
        (text) => text.length >= 8 && text.length <= MAX_TEXT_LENGTH && !isPrivate(text) && !dependsOnCurrentDate(text),
      )
      .filter((text) => left.every((page) => !page.includes(text)))
  );
}

export function withUniquePlaceholder(text: string, unique: string): string {
  return text.replaceAll(unique, UNIQUE_TOKEN);
}

/** The text is on the page now, but not on another day or on another copy of the site. */
export function isTransientText(text: string, entered: readonly string[]): boolean {
  return dependsOnCurrentDate(text, entered) || isFromAnotherTest(text, entered);
}

/** The text contains the unique token or a value of another test. */
function isFromAnotherTest(text: string, entered: readonly string[]): boolean {
  const tokens = text.match(/(?<![0-9a-z])[0-9a-f]{8}(?![0-9a-z])/g) ?? [];
  if (testRecordPattern.test(text) || tokens.some((token) => /\d/.test(token) && /[a-f]/.test(token))) return true;
  return inventedValuesIn(text).some((invented) => !entered.some((value) => value.includes(invented)));
}

/** The first items of a list in their order, as one text that both observations have. */
export function leadingItems({ first, second, uniques, entered, isPrivate }: ObservationPair): string | undefined {
  const whole = [first, second].map(({ lines }, i) =>
    withUniquePlaceholder(lines.map(({ text }) => text).join(' '), uniques[i] ?? ''),
  );
  const items = first.items.map((item) => withUniquePlaceholder(item, uniques[0]));
  const tries = [6, 4, 2, 1].map((most) => items.slice(0, most).join(' '));
  return tries.find(
    (text) =>
      text.length > 2 &&
      text.length < MAX_LIST_LENGTH &&
      !isPrivate(text) &&
      !isTransientText(text, entered) &&
      whole.every((page) => page.includes(text)),
  );
}

/** The address of both observations: differing parts become wildcards, a differing query is omitted. */
export function commonPath(one: string, other: string): string {
  if (one === other) return one;
  const [path = '', query] = one.split('?');
  const [otherPath = '', otherQuery] = other.split('?');
  const parts = path.split('/');
  const otherParts = otherPath.split('/');
  if (parts.length !== otherParts.length) return '/*';
  const common = parts.map((part, i) => (part === otherParts[i] ? part : '*')).join('/');
  return query !== undefined && query === otherQuery ? `${common}?${query}` : common;
}
