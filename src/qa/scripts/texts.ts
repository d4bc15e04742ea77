import { UNIQUE } from '../cases/unique.ts';
import { inventedIn, markOfTests } from '../cases/values.ts';
import type { Line, Observation } from './observe.ts';
import { isOfNow } from './passing.ts';

/** Two looks at what should be the same page, each with what was unique to its run. */
export interface Twice {
  first: Observation;
  second: Observation;
  uniques: [string, string];
  /** The page before, where there was one: what it said already proves nothing. */
  before: Observation | undefined;
  /** What the script itself enters. */
  entered: readonly string[];
  /** Texts that must not stand in a script. */
  isPrivate(text: string): boolean;
}

const LONGEST = 160;
const LONGEST_LIST = 800;

/** Lines worth expecting, most telling first: stable, new, and not mere wording of controls. */
export function tellingLines(looks: Twice): string[] {
  const { first, before } = looks;
  const wording = new Set([...first.names, ...(before?.names ?? [])].map((name) => name.toLowerCase()));
  // A row may consist of such names: it is data where it holds what was entered.
  const isData = ({ row, text }: Line) => row && looks.entered.some((value) => value !== '' && text.includes(value));
  const candidates = stable(looks).filter((line) => isData(line) || !isWording(line.text, wording));
  const seen = new Set<string>();
  return ranksFor(looks.entered)
    .flatMap(([fits, most]) => {
      const taken = candidates.filter((line) => fits(line) && !seen.has(line.text)).slice(0, most);
      for (const { text } of taken) seen.add(text);
      return taken;
    })
    .map(({ text }) => text);
}

/** What the main part of the page says, wording or not. */
export function stableLines(looks: Twice): string[] {
  return stable(looks).flatMap(({ text, main }) => (main ? [text] : []));
}

function stable({ first, second, uniques, before, entered, isPrivate }: Twice): Line[] {
  const again = new Set(second.lines.map(({ text }) => generic(text, uniques[1])));
  const earlier = new Set(before?.lines.map(({ text }) => generic(text, uniques[0])) ?? []);
  const own = entered.filter((value) => value.includes(UNIQUE)).toSorted((a, b) => b.length - a.length);
  // Beside what was entered there may stand a number that the site gave it, or the time: then it alone is expected.
  const lasting = (text: string) =>
    again.has(text) && !isPassing(text, entered) ? text : (own.find((value) => text.includes(value)) ?? text);
  const isIn = (lines: ReadonlySet<string>, text: string) =>
    lines.has(text) || (own.includes(text) && [...lines].some((one) => one.includes(text)));
  return first.lines
    .map((line) => ({ ...line, text: lasting(generic(line.text, uniques[0])) }))
    .filter(({ text }) => isIn(again, text) && !isIn(earlier, text))
    .filter(({ text }) => text.length >= 3 && text.length <= LONGEST && !isPrivate(text))
    .filter(({ text }) => !isPassing(text, entered))
    .filter((line) => !isOfRecord(line, first));
}

/**
 * Where a form shows a record, its heading may say what the record is called. Before the record was saved, that is what
 * another test has called it: other data have another name there. What the form holds is expected of its fields.
 */
function isOfRecord({ heading, text }: Line, { held }: Pick<Observation, 'held'>): boolean {
  if (!heading) return false;
  const values = Object.values(held);
  return inventedIn(text).some((invented) => values.some((value) => value.includes(invented)));
}

/** Whether a line is nothing but names of what can be clicked or filled in, one beside the other. */
function isWording(text: string, names: ReadonlySet<string>): boolean {
  const words = text.toLowerCase().split(' ');
  // From each end of a name another may begin.
  const ends = new Set([0]);
  for (const end of ends)
    for (let next = end + 1; next <= words.length; next++)
      if (names.has(words.slice(end, next).join(' '))) ends.add(next);
  return ends.has(words.length);
}

/** What a line is taken for, and how many of that sort at most. */
function ranksFor(entered: readonly string[]): [(line: Line) => boolean, number][] {
  const own = entered.filter((value) => value.length > 2);
  return [
    [({ live }) => live, 3],
    [({ text, main }) => main && text.includes(UNIQUE), 3],
    [({ text, main }) => main && own.some((value) => text.includes(value)), 3],
    [({ text, main }) => main && /\d/.test(text), 4],
    [({ heading, main }) => heading && main, 2],
    [({ main, text }) => main && /[.!?:]$/.test(text), 3],
    [({ main }) => main, 2],
    [() => true, 1],
  ];
}

/** What the page before said, and neither look says any more. */
export function goneLines({ first, second, before, isPrivate }: Twice, isList: boolean): string[] {
  const left = [first, second].map(({ lines }) => lines.map(({ text }) => text).join(' '));
  return (
    (before?.lines ?? [])
      // Of a long list a row may be on another page next time.
      .filter(({ row }) => !(row && isList))
      // "0 open" stands in "10 open", too.
      .filter(({ row, text }) => row || !/^\d|\d$/.test(text))
      .map(({ text }) => text)
      .filter((text) => text.length >= 8 && text.length <= LONGEST && !isPrivate(text) && !isOfNow(text))
      .filter((text) => left.every((page) => !page.includes(text)))
  );
}

export function generic(text: string, unique: string): string {
  return text.replaceAll(unique, UNIQUE);
}

/** Stands there now, and will not on another day or another place of the same site. */
export function isPassing(text: string, entered: readonly string[]): boolean {
  return isOfNow(text, entered) || isOfAnotherTest(text, entered);
}

/** Holds what made the record of another test unlike all others, or what only another test would have written. */
function isOfAnotherTest(text: string, entered: readonly string[]): boolean {
  const tokens = text.match(/(?<![0-9a-z])[0-9a-f]{8}(?![0-9a-z])/g) ?? [];
  if (markOfTests.test(text) || tokens.some((token) => /\d/.test(token) && /[a-f]/.test(token))) return true;
  return inventedIn(text).some((invented) => !entered.some((value) => value.includes(invented)));
}

/** The first items of a list in their order, as one text that both looks have. */
export function leadingItems({ first, second, uniques, entered, isPrivate }: Twice): string | undefined {
  const whole = [first, second].map(({ lines }, i) =>
    generic(lines.map(({ text }) => text).join(' '), uniques[i] ?? ''),
  );
  const items = first.items.map((item) => generic(item, uniques[0]));
  const tries = [6, 4, 2, 1].map((most) => items.slice(0, most).join(' '));
  return tries.find(
    (text) =>
      text.length > 2 &&
      text.length < LONGEST_LIST &&
      !isPrivate(text) &&
      !isPassing(text, entered) &&
      whole.every((page) => page.includes(text)),
  );
}

/** Where both looks were: parts that differ are left open, a query that differs is left out. */
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
