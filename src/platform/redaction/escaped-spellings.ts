import { once } from '../once.ts';

/**
 * How pages, scripts and URLs spell a value. Each character may be escaped in its own way: some HTML writers escape quotes
 * but not umlauts, others the reverse, and escapes may be escaped again. ASCII letters and digits are rarely escaped, and
 * then all of them are.
 */
export interface SpellingRules {
  /** Pattern of text that is not escaped. */
  plain: (text: string) => string;
  /** Pattern of escapes, in upper or lower case. */
  escaped: (source: string) => string;
  /** Pattern of one character of a word. */
  letter: string;
}

/** For text and case-insensitive patterns. */
export const textSpelling: SpellingRules = {
  plain: RegExp.escape,
  escaped: (source) => `(?:${source})`,
  letter: '[\\p{L}\\p{N}]',
};

/** For bytes, one pattern character each. Case counts, because images and archives contain words by chance. */
export const byteSpelling: SpellingRules = {
  plain(text) {
    if (isAscii(text)) return RegExp.escape(text);
    const spelt = [text, text.toLowerCase(), text.toUpperCase()].flatMap((one) => [
      Buffer.from(one, 'utf8').toString('latin1'),
      ...(/^[\0-\xff]$/.test(one) ? [one] : []),
    ]);
    return `(?:${[...new Set(spelt)].map((one) => RegExp.escape(one)).join('|')})`;
  },
  escaped: eitherCase,
  letter: '[0-9A-Za-z]',
};

/** For text and case-sensitive patterns. */
export const caseSensitiveSpelling: SpellingRules = { ...textSpelling, escaped: eitherCase };

/** Spells both cases out, because V8 misses matches of `(?i:` next to case-sensitive parts. */
function eitherCase(source: string): string {
  const written = source.replaceAll(/\\x[0-9a-f]{2}|\\.|[a-z]/gi, (part) =>
    part.length > 1 ? part : `[${part.toLowerCase()}${part.toUpperCase()}]`,
  );
  return `(?:${written})`;
}

/** Each escaped character adds a line to the pattern; values with more are searched for only as a whole. */
const MOST_ESCAPED = 128;
/** Each level of nested JSON doubles the backslashes before a quote. */
const MOST_BACKSLASHES = 8;
const SLASHES = `\\\\{1,${MOST_BACKSLASHES}}`;
const AMPERSAND = `(?:&|${SLASHES}u0026)(?:amp;){0,2}`;

export interface TextRange {
  start: number;
  end: number;
}

/**
 * Limit of all patterns for partly escaped spellings, which are compiled when they are needed. Beyond it the longest values
 * are found as whole encodings only.
 */
const LONGEST_SPELLINGS = 200_000;

/** Finds values of which each character may be escaped in its own way. Its time is limited by the total of all patterns. */
export function createSpellingSearch(
  values: readonly string[],
  { rules, flags, isWord }: { rules: SpellingRules; flags: string; isWord: (value: string) => boolean },
): (text: string) => TextRange[] {
  let left = LONGEST_SPELLINGS;
  const searches = values
    .toSorted((a, b) => a.length - b.length)
    .flatMap((value) => {
      const source = left > 0 ? spellingPattern(value, rules) : undefined;
      if (source === undefined) return [];
      left -= source.length;
      if (left < 0) return [];
      const needed = longestPlainRun(value);
      return [
        {
          needed: flags.includes('i') ? needed.toLowerCase() : needed,
          pattern: once(() => new RegExp(isWord(value) ? wholeWordPattern(source, rules) : source, flags)),
        },
      ];
    });
  return (text) => {
    const plain = flags.includes('i') ? text.toLowerCase() : text;
    return searches.flatMap(({ needed, pattern }) => {
      if (!plain.includes(needed)) return [];
      return [...text.matchAll(pattern())].map(({ 0: found, index }) => ({ start: index, end: index + found.length }));
    });
  };
}

/** Builds a pattern for all spellings of a value; undefined if the value is too long or has nothing to escape. */
function spellingPattern(value: string, { plain, escaped }: SpellingRules): string | undefined {
  const parts = splitParts(value);
  const special = parts.filter((part) => !isPlain(part)).length;
  if (special === 0 || special > MOST_ESCAPED) return undefined;
  const backslash = escaped(escapePatterns('\\').join('|'));
  const spelt = parts.map((part) => {
    if (isPlain(part)) return plain(part);
    const { length } = part;
    if (part.startsWith('\\')) return `(?:\\\\{${length},${length * MOST_BACKSLASHES}}|${backslash}{${length}})`;
    const inFront = /^[!-~]$/.test(part) ? `\\\\{0,${MOST_BACKSLASHES}}` : '';
    return `(?:${escaped(escapePatterns(part).join('|'))}|${inFront}${plain(part)})`;
  });
  return spelt.join('');
}

/** Returns the longest run that every spelling contains unescaped; a text without it need not be searched. May be empty. */
function longestPlainRun(value: string): string {
  const runs = splitParts(value).filter(isPlain);
  return runs.toSorted((a, b) => b.length - a.length)[0] ?? '';
}

/** A run of backslashes is one part, because single ones would make the pattern ambiguous. */
function splitParts(value: string): string[] {
  return value.match(/[0-9A-Za-z]+|\\+|\r?\n|[\s\S]/gu) ?? [];
}

/** Returns the forms of a value in which every character is escaped. */
export function fullyEscapedForms(value: string): string[] {
  const codes = [...value].map((character) => character.codePointAt(0) ?? 0);
  const hex = (code: number, length: number) => code.toString(16).padStart(length, '0');
  return [
    codes.map((code) => `&#${code};`).join(''),
    codes.map((code) => `&#x${hex(code, 1)};`).join(''),
    value.replaceAll(/[\s\S]/g, (unit) => `\\u${hex(unit.charCodeAt(0), 4)}`),
    [...Buffer.from(value, 'utf8')].map((byte) => `%${hex(byte, 2)}`).join(''),
  ];
}

function isPlain(part: string): boolean {
  return /^[0-9A-Za-z]+$/.test(part);
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text, 'utf8') === text.length;
}

/** Builds a pattern that matches only whole words. */
export function wholeWordPattern(source: string, { letter }: Pick<SpellingRules, 'letter'>): string {
  return `(?<!${letter})${source}(?!${letter})`;
}

function escapePatterns(part: string): string[] {
  if (part.endsWith('\n')) return [`${lineEnd('\r', 'r')}?${lineEnd('\n', 'n')}`];
  const letter = { '\t': 't', '\r': 'r', '\b': 'b', '\f': 'f' }[part];
  return [
    entity(part),
    unicode(part),
    percent(part),
    ...(letter ? [SLASHES + letter] : []),
    ...(part === ' ' ? ['\\+', '\u00a0'] : []),
  ];
}

function lineEnd(character: string, letter: string): string {
  return `(?:${RegExp.escape(character)}|${SLASHES}${letter}|${entity(character)}|${percent(character)})`;
}

/** HTML and XML entities: by name or number, with or without leading zeros and semicolon. */
function entity(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = named[character] ?? latinNames[code - 0xa0];
  const number = `#(?:0{0,6}${code}|x0{0,6}${code.toString(16)})(?!\\d)`;
  return `${AMPERSAND}(?:${[number, ...(name ? [name] : [])].join('|')});?`;
}

/** Escapes of JSON and scripts, per UTF-16 unit. */
function unicode(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const units = character.split('').map((unit) => `${SLASHES}u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const hex = code.toString(16);
  return `(?:${[units.join(''), `${SLASHES}u\\{0{0,6}${hex}\\}`, ...(code < 256 ? [`${SLASHES}x${hex.padStart(2, '0')}`] : [])].join('|')})`;
}

/** Percent encoding, once or nested. */
function percent(character: string): string {
  return [...Buffer.from(character, 'utf8')]
    .map((byte) => `%(?:25){0,3}${byte.toString(16).padStart(2, '0')}`)
    .join('');
}

const named: Record<string, string> = {
  ...{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos', '\\': 'bsol', '/': 'sol', '+': 'plus' },
  ...{ '=': 'equals', '!': 'excl', '#': 'num', $: 'dollar', '%': 'percnt', '(': 'lpar', ')': 'rpar', '*': 'ast' },
  ...{ ',': 'comma', '.': 'period', ':': 'colon', ';': 'semi', '?': 'quest', '@': 'commat', '[': 'lsqb', ']': 'rsqb' },
  ...{ '^': 'hat', _: 'lowbar', '`': 'grave', '{': 'lcub', '|': 'vert', '}': 'rcub', ' ': 'nbsp', '€': 'euro' },
};

/** Entity names in order, starting at U+00A0. */
const latinNames =
  `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3
  acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig
  Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave
  Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave
  iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn
  yuml`.split(/\s+/);
