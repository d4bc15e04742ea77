import { createDisguiseFinder, replaceRanges } from '../../platform/redaction/disguised-values.ts';
import {
  caseSensitiveSpelling,
  spellingPattern,
  wholeWordPattern,
} from '../../platform/redaction/escaped-spellings.ts';
import {
  createRedactor,
  encodedForms,
  REDACTED,
  SHORTEST_WITHIN_TEXT,
  wordPattern,
} from '../../platform/redaction/redactor.ts';

/**
 * Addresses and locators must still lead to their place, so the value of a secret cannot simply be taken out of them. It is
 * kept as `[secret:NAME]` instead, and put back when the address is gone to or the element is looked for.
 */
export interface SecretPlaceholders {
  /** Every string within, with names in the place of values. */
  hide<Value>(value: Value): Value;
  /** What `hide` was given. */
  restore<Value>(value: Value): Value;
}

export interface PlaceholderOptions {
  /** Secrets that say who somebody is. Their values are often words of the site, and count only where they stand as words. */
  userNames?: Iterable<string>;
  /** Addresses that somebody wrote in the open, such as that of the site: as far as another one begins alike, it stays. */
  publicUrls?: readonly string[];
}

const placeholderPattern = /\[secret(-uri|-form)?:([^\]]*)\]/g;
/** A page that writes such a name itself must not be given the value for it: its words are kept with this in their place. */
const PLACEHOLDER_START = '[secret';
const ESCAPED_START = '[secret:]';

/** What spellings may add to the pattern: one that is too long is none. Of other values the forms are known that they have as a whole. */
const LONGEST_SPELLINGS = 200_000;

/** How a value stands in a text: as it is, as a part of an address, or as a form sends it. */
export type PlaceholderKind = '' | '-uri' | '-form';
const encodings: Record<PlaceholderKind, (value: string) => string> = {
  '': (value) => value,
  '-uri': (value) => encodeURIComponent(value.toWellFormed()),
  '-form': (value) => new URLSearchParams({ v: value }).toString().slice(2),
};

/** An address that cannot be parsed leads nowhere; which site it is, everybody may know. */
function originOf(text: string): string {
  const { protocol, origin = '' } = URL.parse(text) ?? {};
  return (protocol === 'http:' || protocol === 'https:') && text.startsWith(origin) ? origin : '';
}

/** What of an address in the open others begin with: all of it but query and fragment, and its path alone. */
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
  let room = LONGEST_SPELLINGS;
  for (const [name, value] of secrets) {
    const isWord = userNames.has(name);
    if (value === '') continue;
    const add = (form: string, instead: string) => {
      if (marks.has(form)) return;
      marks.set(form, instead);
      if (value.length >= SHORTEST_WITHIN_TEXT)
        // What opens something is hidden in whichever letters; then it does not come back.
        patterns.push({ form, pattern: isWord ? wordPattern(form) : `(?i:${RegExp.escape(form)})` });
    };
    for (const [kind, write] of Object.entries(encodings)) add(write(value), `[secret${kind}:${name}]`);
    for (const form of encodedForms(value)) add(form, REDACTED);
    // An address may hold some of its characters escaped, and others as they are.
    const spelt = value.length < SHORTEST_WITHIN_TEXT ? undefined : spellingPattern(value, caseSensitiveSpelling);
    if (spelt === undefined || spelt.length > room) continue;
    room -= spelt.length;
    patterns.push({ form: value, pattern: isWord ? wholeWordPattern(spelt, caseSensitiveSpelling) : `(?i:${spelt})` });
  }
  // The longest first, so that nothing of a value is left over when another one is part of it.
  const sorted = patterns.toSorted((a, b) => b.form.length - a.form.length).map(({ pattern }) => pattern);
  const anywhere = new RegExp([RegExp.escape(PLACEHOLDER_START), ...sorted].join('|'), 'gu');

  const disguised = createDisguiseFinder(
    [...secrets].flatMap(([name, value]) =>
      userNames.has(name) || value.length < SHORTEST_WITHIN_TEXT ? [] : [value],
    ),
  );

  const heads = (options.publicUrls ?? []).flatMap(publicPrefixes).filter((head) => !isKeyIn(head));

  /** Whatever opens something is hidden in the open too. */
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
      form === PLACEHOLDER_START ? ESCAPED_START : (marks.get(form) ?? REDACTED),
    );
    // A value in disguise does not come back.
    return head + replaceRanges(hidden, disguised(hidden), REDACTED);
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

/** A text that was hidden, with something else in the place of each name. */
export function replacePlaceholders(text: string, instead: (name: string, kind: PlaceholderKind) => string): string {
  return text.replaceAll(placeholderPattern, (_whole, kind: '-uri' | '-form' | undefined, name: string) =>
    name === '' ? PLACEHOLDER_START : instead(decodeName(name), kind ?? ''),
  );
}

/** A text that was hidden, after a secret has got another name. */
export function renamePlaceholders(text: string, { from, to }: { from: string; to: string }): string {
  return text.replaceAll(placeholderPattern, (whole, kind: string | undefined, name: string) =>
    decodeName(name) === from ? `[secret${kind ?? ''}:${to}]` : whole,
  );
}

/** The secrets that are named in what `hide` wrote. */
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

/** What comes out has the structure of what went in: only strings changed, and those to strings. */
export function mapStrings<Value>(value: Value, change: (text: string) => string): Value {
  const inside = (given: unknown): unknown => {
    if (typeof given === 'string') return change(given);
    if (Array.isArray(given)) return given.map(inside);
    if (typeof given !== 'object' || given === null) return given;
    return Object.fromEntries(Object.entries(given).map(([key, each]) => [mapKey(key, change), inside(each)]));
  };
  return inside(value) as Value;
}

/** Names of fields such as `usernameSecret` are our own words, and stay; other keys are the site's. */
function mapKey(key: string, change: (text: string) => string): string {
  return /^[a-z]+([A-Z][a-z]*)*$/.test(key) ? key : change(key);
}

/** An address writes a name with spaces in its own way. */
function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
