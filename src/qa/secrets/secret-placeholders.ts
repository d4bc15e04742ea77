import { once } from '../../platform/once.ts';
import { createDisguiseFinder, replaceRanges } from '../../platform/redaction/disguised-values.ts';
import {
  caseSensitiveSpelling,
  createSpellingSearch,
  type TextRange,
  textSpelling,
} from '../../platform/redaction/escaped-spellings.ts';
import { createLiteralSearch, type Literal } from '../../platform/redaction/literal-search.ts';
import { encodedForms, SECRET_MARK, SHORTEST_WITHIN_TEXT } from '../../platform/redaction/redactor.ts';

/**
 * Addresses and locators must still work, so the value of a secret cannot simply be removed from them. It is stored as
 * `[secret:NAME]`, and put back when the address is opened or the element is located.
 */
export interface SecretPlaceholders {
  /** Replaces values in every string. */
  hide<Value>(value: Value): Value;
  /** Reverses `hide`. */
  restore<Value>(value: Value): Value;
}

export interface PlaceholderOptions {
  /** Secrets that are user names. Their values are often plain words and are hidden only as whole words. */
  userNames?: Iterable<string>;
  /** Public URLs, such as that of the site: the part that another URL shares with them stays. */
  publicUrls?: readonly string[];
}

const placeholderPattern = /\[secret(-uri|-form)?:([^\]]*)\]/g;
/** Escapes placeholders that a page writes itself, so that they are not replaced by values. */
const PLACEHOLDER_START = '[secret';
const ESCAPED_START = '[secret:]';

/** Encoding of a value: plain, URI component, or form. */
export type PlaceholderKind = '' | '-uri' | '-form';
const encodings: Record<PlaceholderKind, (value: string) => string> = {
  '': (value) => value,
  '-uri': (value) => encodeURIComponent(value.toWellFormed()),
  '-form': (value) => new URLSearchParams({ v: value }).toString().slice(2),
};

/** Origin of an http URL, which is public; empty for other texts. */
function originOf(text: string): string {
  const { protocol, origin = '' } = URL.parse(text) ?? {};
  return (protocol === 'http:' || protocol === 'https:') && text.startsWith(origin) ? origin : '';
}

/** Prefixes of a public URL: without query and fragment, and its path alone. */
function publicPrefixes(address: string): string[] {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return [];
  const path = url.pathname.replace(/\/$/, '');
  return path === '' ? [] : [url.origin + path, path];
}

export function createSecretPlaceholders(
  secrets: ReadonlyMap<string, string>,
  options: PlaceholderOptions = {},
): SecretPlaceholders {
  const userNames = new Set(options.userNames);
  const given = [...secrets].filter(([, value]) => value !== '');
  const credentials = valuesOf(given, (name) => !userNames.has(name));
  const marks = once(() => writeMarks(given));
  const known = given.filter(([, { length }]) => length >= SHORTEST_WITHIN_TEXT);
  const keys = once(() => createKeySearch(valuesOf(known, (name) => !userNames.has(name))));
  const names = once(() => createUserNameSearch(valuesOf(known, (name) => userNames.has(name))));
  const disguised = once(() => createDisguiseFinder(valuesOf(known, (name) => !userNames.has(name))));
  const heads = once(() => (options.publicUrls ?? []).flatMap(publicPrefixes).filter((head) => !isKeyIn(head)));

  /** Credentials are hidden in public URLs too. */
  function isKeyIn(text: string): boolean {
    const plain = text.toLowerCase();
    const isFound = keys()(text).length > 0 || disguised()(text).length > 0;
    return isFound || credentials.some((key) => plain.includes(key.toLowerCase()));
  }

  function headOf(text: string): string {
    const open = heads().find((head) => text.startsWith(head) && /^([/?#]|$)/.test(text.slice(head.length)));
    return open ?? originOf(text);
  }

  function hide(text: string): string {
    const alone = marks().get(text);
    if (alone !== undefined) return alone;
    const head = headOf(text);
    const hidden = replaceForms(text.slice(head.length), [keys(), names()], (form) =>
      form === PLACEHOLDER_START ? ESCAPED_START : (marks().get(form) ?? SECRET_MARK),
    );
    // A disguised value cannot be restored.
    return head + replaceRanges(hidden, disguised()(hidden), SECRET_MARK);
  }

  function restore(text: string): string {
    return replacePlaceholders(text, (name, kind) => {
      const value = secrets.get(name);
      if (value === undefined) return `[secret${kind}:${name}]`;
      return encodings[kind](value);
    });
  }

  return { hide: (value) => mapStrings(value, hide), restore: (value) => mapStrings(value, restore) };
}

/** What stands for each encoded form of a value. */
function writeMarks(secrets: NamedValues): Map<string, string> {
  const marks = new Map<string, string>();
  for (const [name, value] of secrets) {
    const add = (form: string, instead: string) => {
      if (!marks.has(form)) marks.set(form, instead);
    };
    for (const [kind, write] of Object.entries(encodings)) add(write(value), `[secret${kind}:${name}]`);
    for (const form of encodedForms(value)) add(form, SECRET_MARK);
  }
  return marks;
}

type NamedValues = readonly (readonly [name: string, value: string])[];

function valuesOf(secrets: NamedValues, isWanted: (name: string) => boolean): string[] {
  return secrets.flatMap(([name, value]) => (isWanted(name) ? [value] : []));
}

type FormSearch = (text: string) => TextRange[];

function formsOf(values: readonly string[]): string[] {
  const write = (value: string) => Object.values(encodings).map((encode) => encode(value));
  return [...new Set(values.flatMap((value) => [...write(value), ...encodedForms(value)]))];
}

/** Finds credentials in any case; other spellings cannot be restored. A URL may escape some of their characters only. */
function createKeySearch(values: readonly string[]): FormSearch {
  const literals = createLiteralSearch(formsOf(values).map((form): Literal => ({ form })));
  const spelt = createSpellingSearch(values, { rules: textSpelling, flags: 'giu', isWord: () => false });
  return (text) => [...literals.find(text), ...spelt(text)];
}

/** Finds user names as whole words and as written, and the start of a placeholder. */
function createUserNameSearch(values: readonly string[]): FormSearch {
  const rules = { isCaseSensitive: true, boundary: new RegExp(textSpelling.letter, 'u') };
  const literals = createLiteralSearch<Literal>([
    ...formsOf(values).map((form) => ({ form, ...rules })),
    { form: PLACEHOLDER_START, isCaseSensitive: true },
  ]);
  const spelt = createSpellingSearch(values, { rules: caseSensitiveSpelling, flags: 'gu', isWord: () => true });
  return (text) => [...literals.find(text), ...spelt(text)];
}

/** Replaces the longest form at each place. Forms that overlap in part are replaced together. */
function replaceForms(text: string, searches: readonly FormSearch[], instead: (form: string) => string): string {
  const joined: (TextRange & { isMixed?: boolean })[] = [];
  for (const { start, end } of searches
    .flatMap((search) => search(text))
    .toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    if (!last || start >= last.end) joined.push({ start, end });
    else if (end > last.end) Object.assign(last, { end, isMixed: true });
  }
  let [result, position] = ['', 0];
  for (const { start, end, isMixed } of joined) {
    result += text.slice(position, start) + (isMixed ? SECRET_MARK : instead(text.slice(start, end)));
    position = end;
  }
  return result + text.slice(position);
}

/** Replaces each placeholder of a hidden text. */
export function replacePlaceholders(text: string, instead: (name: string, kind: PlaceholderKind) => string): string {
  return text.replaceAll(placeholderPattern, (_whole, kind: '-uri' | '-form' | undefined, name: string) =>
    name === '' ? PLACEHOLDER_START : instead(decodeName(name), kind ?? ''),
  );
}

/** Renames a secret in the placeholders of a hidden text. */
export function renamePlaceholders(text: string, { from, to }: { from: string; to: string }): string {
  return text.replaceAll(placeholderPattern, (whole, kind: string | undefined, name: string) =>
    decodeName(name) === from ? `[secret${kind ?? ''}:${to}]` : whole,
  );
}

/** Names of the secrets in the placeholders of a value. */
export function secretNamesIn(value: unknown): string[] {
  const names = new Set<string>();
  mapStrings(value, (text) =>
    replacePlaceholders(text, (name) => {
      names.add(name);
      return name;
    }),
  );
  return [...names];
}

/** Changes every string of a value; the structure stays. */
export function mapStrings<Value>(value: Value, change: (text: string) => string): Value {
  const inside = (given: unknown): unknown => {
    if (typeof given === 'string') return change(given);
    if (Array.isArray(given)) return given.map(inside);
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([key, each]) => [mapKey(key, change), inside(each)]));
  };
  return inside(value) as Value;
}

/** Keys such as `usernameSecret` are ours and stay; other keys come from the site. */
function mapKey(key: string, change: (text: string) => string): string {
  return /^[a-z]+([A-Z][a-z]*)*$/.test(key) ? key : change(key);
}

/** A URL escapes spaces of a name. */
function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
