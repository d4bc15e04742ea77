import { createDisguiseFinder, replaceRanges } from '../../platform/redaction/disguised-values.ts';
import {
  caseSensitiveSpelling,
  spellingPattern,
  wholeWordPattern,
} from '../../platform/redaction/escaped-spellings.ts';
import {
  createRedactor,
  encodedForms,
  SECRET_MARK,
  SHORTEST_WITHIN_TEXT,
  wordPattern,
} from '../../platform/redaction/redactor.ts';

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

/** Limit of the pattern for partly escaped spellings. Beyond it only whole encodings are hidden. */
const LONGEST_SPELLINGS = 200_000;

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
  const marks = new Map<string, string>();
  const patterns: { form: string; pattern: string }[] = [];
  let remaining = LONGEST_SPELLINGS;
  for (const [name, value] of secrets) {
    const isWord = userNames.has(name);
    if (value === '') continue;
    const add = (form: string, instead: string) => {
      if (marks.has(form)) return;
      marks.set(form, instead);
      if (value.length >= SHORTEST_WITHIN_TEXT)
        // Credentials are hidden in any case; other spellings cannot be restored.
        patterns.push({ form, pattern: isWord ? wordPattern(form) : `(?i:${RegExp.escape(form)})` });
    };
    for (const [kind, write] of Object.entries(encodings)) add(write(value), `[secret${kind}:${name}]`);
    for (const form of encodedForms(value)) add(form, SECRET_MARK);
    // A URL may escape some of its characters only.
    const spelt = value.length < SHORTEST_WITHIN_TEXT ? undefined : spellingPattern(value, caseSensitiveSpelling);
    if (spelt === undefined || spelt.length > remaining) continue;
    remaining -= spelt.length;
    patterns.push({ form: value, pattern: isWord ? wholeWordPattern(spelt, caseSensitiveSpelling) : `(?i:${spelt})` });
  }
  // Longest first: a value may contain another one.
  const sorted = patterns.toSorted((a, b) => b.form.length - a.form.length).map(({ pattern }) => pattern);
  const anywhere = new RegExp([RegExp.escape(PLACEHOLDER_START), ...sorted].join('|'), 'gu');

  const disguised = createDisguiseFinder(
    [...secrets].flatMap(([name, value]) =>
      userNames.has(name) || value.length < SHORTEST_WITHIN_TEXT ? [] : [value],
    ),
  );

  const heads = (options.publicUrls ?? []).flatMap(publicPrefixes).filter((head) => !isKeyIn(head));

  /** Credentials are hidden in public URLs too. */
  function isKeyIn(text: string): boolean {
    const keys = [...secrets].flatMap(([name, value]) => (userNames.has(name) || value === '' ? [] : [value]));
    return createRedactor(keys).finds(text) || keys.some((key) => text.toLowerCase().includes(key.toLowerCase()));
  }

  function headOf(text: string): string {
    const open = heads.find((head) => text.startsWith(head) && /^([/?#]|$)/.test(text.slice(head.length)));
    return open ?? originOf(text);
  }

  function hide(text: string): string {
    const alone = marks.get(text);
    if (alone !== undefined) return alone;
    const head = headOf(text);
    const tail = text.slice(head.length);
    const hidden = tail.replaceAll(anywhere, (form) =>
      form === PLACEHOLDER_START ? ESCAPED_START : (marks.get(form) ?? SECRET_MARK),
    );
    // A disguised value cannot be restored.
    return head + replaceRanges(hidden, disguised(hidden), SECRET_MARK);
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
