import { AsyncLocalStorage } from 'node:async_hooks';
import { isUtf8 } from 'node:buffer';
import {
  allEscaped,
  asWordOf,
  inBytes,
  inText,
  plainly,
  type Spellings,
  spellingsOf,
  unescapedOf,
} from './redact-spellings.ts';

/** Takes known secret values out of whatever is about to be shown, logged or kept. */
export interface Redactor {
  text(text: string): string;
  /** The same for every string in it, keys included. */
  value<Value>(value: Value): Value;
  bytes(bytes: Uint8Array): Uint8Array;
  /** Whether it would change this text. */
  finds(text: string): boolean;
}

export const REDACTED = '[secret]';
/** Anything shorter is part of half the words there are: it is hidden where it stands alone. */
export const SHORTEST_WITHIN_TEXT = 4;

/**
 * Finds the values as they are, and as URLs, forms, JSON, HTML, base64 and hexadecimal digits would carry them. Names of
 * users are often words of the site too, such as admin: they are hidden where they stand as words.
 */
export function createRedactor(
  values: Iterable<string>,
  userNames: Iterable<string> = [],
  mark: string = REDACTED,
): Redactor {
  const known = knownFrom(values, userNames);
  const searched = once(() => searchesFor(known, inText, 'giu'));
  const binary = once(() => searchesFor(known, inBytes, 'g'));

  function text(given: string): string {
    if (known.short.has(given)) return mark;
    return without(given, searched(), given.toLowerCase());
  }

  function without(given: string, searches: readonly Search[], plain: string): string {
    return searches.reduce(
      (left, { pattern, needs }) => (plain.includes(needs) ? left.replaceAll(pattern, mark) : left),
      given,
    );
  }

  function value(given: unknown): unknown {
    if (typeof given === 'string') return text(given);
    if (Array.isArray(given)) return given.map(value);
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([key, inside]) => [text(key), value(inside)]));
  }

  return {
    text,
    // What comes out has the structure of what went in: only strings changed, and those to strings.
    value: <Value>(given: Value) => value(given) as Value,
    bytes(given) {
      if (known.long.length + known.short.size === 0) return given;
      const encoding = isUtf8(given) ? 'utf8' : 'latin1';
      const read = Buffer.from(given).toString(encoding);
      const clean = encoding === 'utf8' ? text(read) : without(read, binary(), read);
      return clean === read ? given : Buffer.from(clean, encoding);
    },
    finds: (given) => text(given) !== given,
  };
}

interface Known {
  /** Hidden only where they are all there is. */
  short: ReadonlySet<string>;
  /** Hidden within any text, the longest first, so that nothing of a value is left over when another one is part of it. */
  long: readonly string[];
  names: readonly string[];
}

function knownFrom(values: Iterable<string>, userNames: Iterable<string>): Known {
  const names = [...new Set(userNames)];
  const others = [...new Set(values)].filter((value) => !names.includes(value));
  const all = [...others, ...names].filter((value) => value !== '');
  const short = new Set(all.filter((value) => value.length < SHORTEST_WITHIN_TEXT));
  const long = all.filter((value) => !short.has(value)).toSorted((a, b) => b.length - a.length);
  return { short, long, names };
}

/** What pages may show of the values, as a list of patterns: `source` within any text, and `short` where they are all there is. */
export function patternFor(values: Iterable<string>, userNames: Iterable<string> = []) {
  const { short, long, names } = knownFrom(values, userNames);
  const source = [...new Set(long.flatMap(formsOf))]
    .toSorted((a, b) => b.length - a.length)
    .map((form) => (names.includes(form) ? asWord(form) : RegExp.escape(form)))
    .join('|');
  return { short, source };
}

interface Search {
  pattern: RegExp | string;
  /** Stands in every text that the pattern finds; of text in small letters. */
  needs: string;
}

/** A longer pattern is slower, and one that is very much longer is none. */
const LONGEST_PATTERN = 20_000;

/** The values in spellings that nobody could list, then in each of their forms. */
function searchesFor({ long, names }: Known, spelling: Spellings, flags: string): Search[] {
  const needed = (value: string) => (flags.includes('i') ? unescapedOf(value).toLowerCase() : unescapedOf(value));
  const spelt = long.flatMap((value) => {
    const source = spellingsOf(value, spelling);
    if (source === undefined) return [];
    const pattern = new RegExp(names.includes(value) ? asWordOf(source, spelling) : source, flags);
    return [{ pattern, needs: needed(value) }];
  });
  const written = (form: string) => plainly(form, spelling);
  const forms = long.flatMap((value) => [
    ...allEscaped(value).map((form) => ({ form, source: spelling.escaped(written(form)) })),
    ...[...new Set(formsOf(value))]
      .toSorted((a, b) => b.length - a.length)
      .map((form) => ({ form, source: names.includes(form) ? asWordOf(written(form), spelling) : written(form) })),
  ]);
  const [short, huge] = [forms.filter(isShort), forms.filter((one) => !isShort(one))];
  return [
    ...spelt,
    ...huge.map(({ form }) => ({ pattern: form, needs: '' })),
    ...bundled(short.map(({ source }) => source)).map((source) => ({ pattern: new RegExp(source, flags), needs: '' })),
  ];
}

function isShort({ source }: { source: string }): boolean {
  return source.length < LONGEST_PATTERN;
}

/** Alternatives of one pattern, or of several where they would be too many for one. */
function bundled(sources: readonly string[]): string[] {
  const bundles: string[] = [];
  for (const source of sources) {
    const last = bundles.at(-1);
    if (last !== undefined && last.length + source.length < LONGEST_PATTERN)
      bundles[bundles.length - 1] = `${last}|${source}`;
    else bundles.push(source);
  }
  return bundles;
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A pattern for a name where it stands as a word. */
export function asWord(name: string): string {
  return asWordOf(RegExp.escape(name), inText);
}

/** A value as it is, and as URLs, forms, JSON, HTML, base64 and hexadecimal digits would carry it. */
export function formsOf(value: string): string[] {
  const bytes = Buffer.from(value, 'utf8');
  const json = JSON.stringify(value).slice(1, -1);
  const form = new URLSearchParams({ v: value }).toString().slice(2);
  return [
    value,
    json,
    JSON.stringify(json).slice(1, -1),
    encodeURI(bytes.toString()),
    encodeURIComponent(bytes.toString()),
    form,
    escapeHtml(value),
    ...base64Forms(bytes),
    bytes.toString('hex'),
  ];
}

/** Base64 of the value alone, and what of it shows wherever it stands within something longer. */
function base64Forms(bytes: Buffer): string[] {
  const alone = bytes.toString('base64').replace(/=+$/, '');
  const within = [0, 1, 2].flatMap((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const from = before === 0 ? 0 : before + 1;
    // The last digit may be shared with what follows.
    const to = (before + bytes.length) % 3 === 0 ? digits.length : digits.length - 1;
    return to - from >= 8 ? [digits.slice(from, to)] : [];
  });
  return [alone, ...within].flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]);
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

const current = new AsyncLocalStorage<Redactor>();

/** Every line that is logged by this work, however deep, goes through this redactor. */
export function redacting<Result>(redactor: Redactor, work: () => Result): Result {
  return current.run(redactor, work);
}

/** What the log writes. */
export function redactLine(line: string): string {
  return current.getStore()?.text(line) ?? line;
}
