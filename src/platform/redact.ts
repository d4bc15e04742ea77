import { AsyncLocalStorage } from 'node:async_hooks';

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
  const { short, forms, source } = patternFor(values, userNames);
  const pattern = new RegExp(source, 'giu');

  function text(given: string): string {
    if (short.has(given)) return mark;
    return forms.length === 0 ? given : given.replace(pattern, mark);
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
      const read = Buffer.from(given).toString('latin1');
      const clean = forms.reduce(
        (left, form) => left.replaceAll(Buffer.from(form, 'utf8').toString('latin1'), mark),
        read,
      );
      return clean === read ? given : Buffer.from(clean, 'latin1');
    },
    finds: (given) => text(given) !== given,
  };
}

/** What a redactor looks for: `forms` within any text, by the pattern, and `short` only where they are all there is. */
export function patternFor(values: Iterable<string>, userNames: Iterable<string> = []) {
  const names = [...new Set(userNames)];
  const others = [...new Set(values)].filter((value) => !names.includes(value));
  const all = [...others, ...names].filter((value) => value !== '');
  const short = new Set(all.filter((value) => value.length < SHORTEST_WITHIN_TEXT));
  const forms = [...new Set(all.filter((value) => !short.has(value)).flatMap(formsOf))];
  // The longest first, so that nothing of a value is left over when another one is part of it.
  const source = forms
    .toSorted((a, b) => b.length - a.length)
    .map((form) => (names.includes(form) ? asWord(form) : RegExp.escape(form)))
    .join('|');
  return { short, forms, source };
}

/** A pattern for a name where it stands as a word. */
export function asWord(name: string): string {
  return `(?<![\\p{L}\\p{N}])${RegExp.escape(name)}(?![\\p{L}\\p{N}])`;
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
