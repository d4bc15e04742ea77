import { AsyncLocalStorage } from 'node:async_hooks';
import { isUtf8 } from 'node:buffer';
import { once } from '../once.ts';
import { cleanText } from '../text/untrusted-text.ts';
import { createDisguiseFinder, type DisguiseFinder, disguisePatterns, replaceRanges } from './disguised-values.ts';
import {
  byteSpelling,
  createSpellingSearch,
  fullyEscapedForms,
  type TextRange,
  textSpelling,
  wholeWordPattern,
} from './escaped-spellings.ts';
import { createLiteralSearch, type Literal } from './literal-search.ts';

/** Removes known secret values from text and data before they are shown, logged or stored. */
export interface Redactor {
  text(text: string): string;
  /** Redacts every string and key, and secrets that are split over several strings. */
  value<Value>(value: Value): Value;
  /** As `value`, but leaves keys unchanged. */
  texts<Value>(value: Value): Value;
  bytes(bytes: Uint8Array): Uint8Array;
  /** Tells whether the text contains a secret. */
  finds(text: string): boolean;
}

export const SECRET_MARK = '[secret]';
/** Shorter values are part of many words, so they are redacted only where they are the whole text. */
export const SHORTEST_WITHIN_TEXT = 4;

/**
 * Creates a redactor that finds values in plain text, as URLs, forms, JSON, HTML, base64 and hexadecimal digits encode them,
 * and in the disguises of `createDisguiseFinder`. User names such as admin are often words of the site too, so they are
 * redacted as whole words only, and not in disguise.
 */
export function createRedactor(
  values: Iterable<string>,
  userNames: Iterable<string> = [],
  mark: string = SECRET_MARK,
): Redactor {
  const known = groupSecrets(values, userNames);
  const searched = once(() => createTextSearch(known));
  const binary = once(() => createByteSearch(known));
  const disguised = once(() => createDisguiseFinder(known.long.filter((value) => !known.names.includes(value))));

  function text(input: string): string {
    const plain = asWritten(input);
    return replaceRanges(plain, disguised()(plain), mark);
  }

  function asWritten(input: string): string {
    const plain = redactAsGiven(input);
    // Results are cleaned after redaction, which joins text around invisible characters.
    const shown = cleanText(plain, { max: Number.POSITIVE_INFINITY });
    if (shown === plain) return plain;
    const redacted = redactAsGiven(shown);
    return redacted === shown && disguised()(shown).length === 0 ? plain : redacted;
  }

  function redactAsGiven(input: string): string {
    if (known.short.has(input)) return mark;
    return replaceRanges(input, searched()(input), mark);
  }

  /** Redacts each string as written, then disguised values in one or several strings. */
  function cleaned(input: unknown, key: (text: string) => string): unknown {
    const texts: string[] = [];
    changeStrings(input, identity, (one) => {
      texts.push(asWritten(one));
      return one;
    });
    const ranges = findRanges(texts, disguised());
    let next = 0;
    return changeStrings(input, key, () => {
      const index = next++;
      return replaceRanges(texts[index] ?? '', ranges.get(index) ?? [], mark);
    });
  }

  return {
    text,
    // The structure stays the same: only strings change, and only to strings.
    value: <Value>(input: Value) => cleaned(input, text) as Value,
    texts: <Value>(input: Value) => cleaned(input, identity) as Value,
    bytes(input) {
      if (known.long.length + known.short.size === 0) return input;
      const encoding = isUtf8(input) ? 'utf8' : 'latin1';
      const read = Buffer.from(input).toString(encoding);
      const clean = encoding === 'utf8' ? text(read) : replaceRanges(read, binary()(read), mark);
      return clean === read ? input : Buffer.from(clean, encoding);
    },
    finds: (input) => text(input) !== input,
  };
}

/** Maps the keys and strings of a value, in order. */
function changeStrings(input: unknown, key: (text: string) => string, string: (text: string) => string): unknown {
  const inside = (one: unknown): unknown => {
    if (typeof one === 'string') return string(one);
    if (Array.isArray(one)) return one.map(inside);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, each]) => [key(name), inside(each)]));
  };
  return inside(input);
}

/** A shorter value that is split over texts matches by chance, unless each part has one or two characters. */
const SHORTEST_ACROSS_TEXTS = 8;
const SHORT_PART = 2;

const identity = (text: string) => text;

/** Finds disguised values in one or over several texts, as ranges of each text. */
function findRanges(texts: readonly string[], find: DisguiseFinder): Map<number, { start: number; end: number }[]> {
  const found = new Map<number, { start: number; end: number }[]>();
  const starts: number[] = [];
  let position = 0;
  for (const one of texts) {
    starts.push(position);
    position += one.length + 1;
  }
  for (const { start, end, length } of find(texts.join('\n'))) {
    const first = indexAt(starts, start);
    const parts: [index: number, range: { start: number; end: number }][] = [];
    for (let index = first; index < texts.length && (starts[index] ?? 0) < end; index++) {
      const [from, size] = [starts[index] ?? 0, texts[index]?.length ?? 0];
      const range = { start: Math.max(0, start - from), end: Math.min(size, end - from) };
      if (range.end > range.start) parts.push([index, range]);
    }
    const isByCharacter = parts.every(([, range]) => range.end - range.start <= SHORT_PART);
    if (parts.length > 1 && length < SHORTEST_ACROSS_TEXTS && !isByCharacter) continue;
    for (const [index, range] of parts) found.set(index, [...(found.get(index) ?? []), range]);
  }
  return found;
}

/** Index of the last text that starts at or before the position. */
function indexAt(starts: readonly number[], position: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

interface SecretGroups {
  /** Redacted only where they are the whole text. */
  short: ReadonlySet<string>;
  /** Redacted within any text, longest first, so that no rest of a value stays when another one is part of it. */
  long: readonly string[];
  names: readonly string[];
}

function groupSecrets(values: Iterable<string>, userNames: Iterable<string>): SecretGroups {
  const names = [...new Set(userNames)];
  const others = [...new Set(values)].filter((value) => !names.includes(value));
  const all = [...others, ...names].filter((value) => value !== '');
  const short = new Set(all.filter((value) => value.length < SHORTEST_WITHIN_TEXT));
  const long = all.filter((value) => !short.has(value)).toSorted((a, b) => b.length - a.length);
  return { short, long, names };
}

/** Longer forms are matched in a page by their start, and by as many characters after it. */
const LONGEST_PAGE_FORM = 64;
/** Limit of all patterns for disguises in a page. Beyond it long values are only found as they are written. */
const LONGEST_PAGE_DISGUISES = 200_000;

/** Builds patterns for use in a page: `source` matches within any text, `short` lists values that must be the whole text. */
export function buildPagePatterns(values: Iterable<string>, userNames: Iterable<string> = []) {
  const { short, long, names } = groupSecrets(values, userNames);
  const source = [...new Set(long.flatMap(encodedForms))]
    .toSorted((a, b) => b.length - a.length)
    .map((form) => (names.includes(form) ? wordPattern(form) : pageFormPattern(form)));
  let left = LONGEST_PAGE_DISGUISES;
  const disguises = long
    .filter((value) => !names.includes(value))
    .toReversed()
    .flatMap(disguisePatterns)
    .filter((pattern) => {
      left -= pattern.length;
      return left >= 0;
    });
  return { short, source: [...new Set(source), ...disguises].join('|') };
}

function pageFormPattern(form: string): string {
  if (form.length <= LONGEST_PAGE_FORM) return RegExp.escape(form);
  const head = form.slice(0, LONGEST_PAGE_FORM).toWellFormed();
  return `${RegExp.escape(head.replaceAll('\ufffd', ''))}[\\s\\S]{0,${form.length - head.length}}`;
}

type TextSearch = (text: string) => TextRange[];

function createTextSearch({ long, names }: SecretGroups): TextSearch {
  const boundary = new RegExp(textSpelling.letter, 'u');
  const literals = createLiteralSearch(
    distinctForms(long, (value) => [...encodedForms(value), ...fullyEscapedForms(value)]).map(
      (form): Literal => ({ form, boundary: names.includes(form) ? boundary : undefined }),
    ),
  );
  const spelt = createSpellingSearch(long, { rules: textSpelling, flags: 'giu', isWord: (one) => names.includes(one) });
  return (text) => [...literals.find(text), ...spelt(text)];
}

/** For bytes as Latin-1 text, one character each. Case counts, because images and archives contain words by chance. */
function createByteSearch({ long, names }: SecretGroups): TextSearch {
  const boundary = new RegExp(byteSpelling.letter);
  const literals = createLiteralSearch([
    ...distinctForms(long, encodedForms).flatMap((form): Literal[] => {
      const rules = { isCaseSensitive: true, boundary: names.includes(form) ? boundary : undefined };
      const inUtf8 = Buffer.from(form, 'utf8').toString('latin1');
      const isLatin = /^[\0-\xff]*$/.test(form) && inUtf8 !== form;
      return [{ form: inUtf8, ...rules }, ...(isLatin ? [{ form, ...rules }] : [])];
    }),
    ...distinctForms(long, fullyEscapedForms).map((form) => ({ form })),
  ]);
  const spelt = createSpellingSearch(long, { rules: byteSpelling, flags: 'g', isWord: (one) => names.includes(one) });
  return (text) => [...literals.find(text), ...spelt(text)];
}

function distinctForms(values: readonly string[], write: (value: string) => string[]): string[] {
  return [...new Set(values.flatMap(write))];
}

/** Builds a pattern that matches a name as a whole word. */
export function wordPattern(name: string): string {
  return wholeWordPattern(RegExp.escape(name), textSpelling);
}

/** Returns a value in plain text and as URLs, forms, JSON, HTML, base64 and hexadecimal digits encode it. */
export function encodedForms(value: string): string[] {
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

/** Base64 of the value alone, and its stable digits at each offset within a longer text. */
function base64Forms(bytes: Buffer): string[] {
  const alone = bytes.toString('base64').replace(/=+$/, '');
  const within = [0, 1, 2].flatMap((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const from = before === 0 ? 0 : before + 1;
    // The last digit may depend on the following byte.
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

/** Runs `work` so that every log line in it, in nested calls too, is redacted. */
export function withRedactor<Result>(redactor: Redactor, work: () => Result): Result {
  return current.run(redactor, work);
}

/** Redacts a log line with the redactor of the current call. */
export function redactLine(line: string): string {
  return current.getStore()?.text(line) ?? line;
}
