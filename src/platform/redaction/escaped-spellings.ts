/**
 * A value as pages, scripts and addresses spell it, each of its characters in a way of its own: one writer of HTML escapes
 * quotes and leaves umlauts as they are, another does the reverse, and what is escaped may be escaped again. Letters and
 * digits of ASCII are escaped by hardly anybody, and then all of them are.
 */
export interface SpellingRules {
  /** How ASCII, or another character, lies there where it is not escaped. */
  plain: (text: string) => string;
  /** What escapes consist of: letters in either case. */
  escaped: (source: string) => string;
  /** What a word consists of. */
  letter: string;
}

/** In text, where the whole pattern takes letters in either case. */
export const textSpelling: SpellingRules = {
  plain: RegExp.escape,
  escaped: (source) => `(?:${source})`,
  letter: '[\\p{L}\\p{N}]',
};

/** In bytes, one character of the pattern for each. Words of a picture or an archive are chance, so the case counts. */
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

/** In text where the case of letters counts. */
export const caseSensitiveSpelling: SpellingRules = { ...textSpelling, escaped: eitherCase };

/** Written out: where `(?i:` stands beside parts that are as written, V8 overlooks some of what it should find. */
function eitherCase(source: string): string {
  const written = source.replaceAll(/\\x[0-9a-f]{2}|\\.|[a-z]/gi, (part) =>
    part.length > 1 ? part : `[${part.toLowerCase()}${part.toUpperCase()}]`,
  );
  return `(?:${written})`;
}

/** Each character that is escaped makes the pattern longer by a line; texts with more are looked for as a whole. */
const MOST_ESCAPED = 128;
/** JSON within JSON doubles what stands before a quote. */
const MOST_BACKSLASHES = 8;
const SLASHES = `\\\\{1,${MOST_BACKSLASHES}}`;
const AMPERSAND = `(?:&|${SLASHES}u0026)(?:amp;){0,2}`;

/** A pattern for all such spellings of a value; undefined where it is too long for one, or where nothing is escaped. */
export function spellingPattern(value: string, { plain, escaped }: SpellingRules): string | undefined {
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

/** What stands in all of these spellings as it is: a text without it need not be searched. Empty where there is nothing. */
export function longestPlainRun(value: string): string {
  const runs = splitParts(value).filter(isPlain);
  return runs.toSorted((a, b) => b.length - a.length)[0] ?? '';
}

/** A run of backslashes is one part: one by one they could be told apart in too many ways. */
function splitParts(value: string): string[] {
  return value.match(/[0-9A-Za-z]+|\\+|\r?\n|[\s\S]/gu) ?? [];
}

/** A value with all of its characters escaped, in the ways of those who do that. */
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

/** A text as it is. */
export function plainPattern(text: string, { plain }: SpellingRules): string {
  const runs = text.match(/[\0-\x7f]+|[^\0-\x7f]/gu) ?? [];
  return runs.map(plain).join('');
}

/** Where it stands as a word. */
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

/** As HTML and XML write it: by name or number, with zeros in front or none, with or without its semicolon. */
function entity(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const name = named[character] ?? latinNames[code - 0xa0];
  const number = `#(?:0{0,6}${code}|x0{0,6}${code.toString(16)})(?!\\d)`;
  return `${AMPERSAND}(?:${[number, ...(name ? [name] : [])].join('|')});?`;
}

/** As JSON and scripts write it, unit by unit. */
function unicode(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const units = character.split('').map((unit) => `${SLASHES}u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const hex = code.toString(16);
  return `(?:${[units.join(''), `${SLASHES}u\\{0{0,6}${hex}\\}`, ...(code < 256 ? [`${SLASHES}x${hex.padStart(2, '0')}`] : [])].join('|')})`;
}

/** As an address writes it, once or within another address. */
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

/** From U+00A0 on, in their order. */
const latinNames =
  `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3
  acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig
  Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave
  Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave
  iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn
  yuml`.split(/\s+/);
