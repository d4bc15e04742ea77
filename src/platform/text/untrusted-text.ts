/**
 * Prepares text from pages, repositories and documents for a model, a terminal, a report or a file. `cleanText` removes
 * invisible characters, `escapeText` shows them as `\u{…}` where the exact value matters. Values for matching, such as
 * locators, stay unchanged until they are shown.
 */

/** Default limit of one text, because a page may write a book into its title. */
const MOST_CHARACTERS = 2_000;

export interface CleanTextOptions {
  /** Longer text is cut and gets its original length. Default 2,000 characters; Infinity for trusted text. */
  max?: number;
  /** Keeps line breaks and tabs; otherwise the text becomes one line. Default true. */
  multiline?: boolean;
}

/** Sequences that start with `ESC` or an 8-bit introducer. A complete one is removed, an incomplete one loses its introducer. */
const controlSequence = [
  // CSI: parameters, intermediates, final byte.
  '(?:\\x1b\\[|\\x9b)[\\x30-\\x3f]*[\\x20-\\x2f]*[\\x40-\\x7e]',
  // OSC, DCS, SOS, PM, APC: text up to BEL or ST.
  '(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]*(?:\\x07|\\x1b\\\\|\\x9c)',
  // Other escapes, such as a change of the character set.
  '\\x1b[\\x20-\\x2f]*[\\x30-\\x7e]',
].join('|');

/** The flags of England, Scotland and Wales are the only legitimate use of tag characters; other tags hide a message. */
const flag = `\\u{1f3f4}(?:${['gbeng', 'gbsct', 'gbwls'].map(tagCharacters).join('|')})\\u{e007f}`;

/** Invisible, or able to change how a terminal or a page shows the text around it. */
const hidden =
  '[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\ufff9-\\ufffb]';

const anyHidden = new RegExp(hidden, 'u');
const everyHidden = new RegExp(hidden, 'gu');
const toRemove = new RegExp(`${flag}|\\r\\n|${controlSequence}|${hidden}`, 'gu');
const toEscape = new RegExp(`${flag}|${hidden}`, 'gu');

/** Scripts with joining letters, where ZWJ and ZWNJ change how a word is written. */
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Nko}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
/** Scripts that mark line break opportunities with zero-width spaces. */
const withoutSpaces = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;
const pictograph = /\p{Extended_Pictographic}/u;
const beforeJoiner = /\p{Extended_Pictographic}|\p{Emoji_Modifier}/u;
/** Characters with a text and an emoji form. Digits, `#` and `*` have them only in a keycap. */
const withEmojiForm = /(?![\d#*])[\p{Emoji}\p{Extended_Pictographic}]/u;
const hangul = /[\u1100-\u11ff]/;

/**
 * Tells whether an invisible character is part of the surrounding script: a joiner in an emoji or an Indic word, the selector of
 * an emoji form. Other variation selectors and soft hyphens can follow every letter and so hide a message; they are no part.
 * Neither are two in a row, except in an emoji.
 */
function isPartOfScript(found: string, text: string, at: number): boolean {
  const code = found.codePointAt(0) ?? 0;
  // Evaluated lazily, because a text may consist only of characters that never belong to a script.
  const before = () => characterBefore(text, at);
  const after = () => characterAt(text, at + found.length);
  const isAfter = (visible: RegExp) => visible.test(before()) && !anyHidden.test(before());
  const isBefore = (visible: RegExp) => visible.test(after()) && !anyHidden.test(after());
  if (code === 0x200d && isBefore(pictograph) && (isAfter(beforeJoiner) || isAfterEmojiForm(text, at))) return true;
  if (code === 0x200c || code === 0x200d) return isAfter(joining) && !anyHidden.test(after());
  if (code === 0x200b) return isAfter(withoutSpaces) && isBefore(withoutSpaces);
  if (code === 0x34f) return isAfter(/\p{M}/u) && isBefore(/\p{M}/u);
  if (code === 0xfe0e || code === 0xfe0f) return isAfter(withEmojiForm) || (isAfter(/[\d#*]/) && after() === '\u20e3');
  if (code >= 0x180b && code <= 0x180f) return isAfter(/\p{Script=Mongolian}/u);
  if (code === 0x115f || code === 0x1160) return isAfter(hangul) || isBefore(hangul);
  return false;
}

/** Tells whether a selector stands before this position and itself stays. */
function isAfterEmojiForm(text: string, at: number): boolean {
  return text[at - 1] === '\ufe0f' && isPartOfScript('\ufe0f', text, at - 1);
}

/** Calls `change` for every match that is not part of the surrounding script. */
function replaceHidden(text: string, pattern: RegExp, change: (found: string) => string): string {
  return text.replace(pattern, (found, at: number) => {
    if (found.startsWith('\u{1f3f4}')) return found;
    return isPartOfScript(found, text, at) ? found : change(found);
  });
}

/** `gb` → `\\u{e0067}\\u{e0062}`, for a regular expression. */
function tagCharacters(letters: string): string {
  return Array.from(letters, (letter) => `\\u{${(0xe0000 + letter.charCodeAt(0)).toString(16)}}`).join('');
}

function characterBefore(text: string, at: number): string {
  const isPair = at >= 2 && (text.codePointAt(at - 2) ?? 0) > 0xffff;
  return text.slice(Math.max(0, at - (isPair ? 2 : 1)), at);
}

function characterAt(text: string, at: number): string {
  return at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : '';
}

/**
 * Removes control characters, terminal sequences, direction marks and other invisible characters, makes the text well-formed,
 * and cuts it at `max` characters. Emoji and the joiners that a script needs stay.
 */
export function cleanText(text: string, { max = MOST_CHARACTERS, multiline = true }: CleanTextOptions = {}): string {
  // Skips text far beyond the limit; a sequence that is cut here is cut again below.
  const start = text.length > max * 2 + 10_000 ? text.slice(0, max * 2 + 10_000) : text;
  const shown = anyHidden.test(start)
    ? replaceHidden(start, toRemove, (found) => (multiline ? replaceInLines(found) : replaceInOneLine(found)))
    : start;
  return cutText(shown, max, text.length);
}

function replaceInLines(found: string): string {
  if (found === '\t' || found === '\n' || found === '\r\n') return found;
  if (/^[\r\v\f\x85\u2028\u2029]$/.test(found)) return '\n';
  return isLoneSurrogate(found) ? '\ufffd' : '';
}

function replaceInOneLine(found: string): string {
  if (/^[\t\n\r\v\f\x85\u2028\u2029]+$/.test(found)) return ' ';
  return isLoneSurrogate(found) ? '\ufffd' : '';
}

function isLoneSurrogate(found: string): boolean {
  return /^[\ud800-\udfff]$/.test(found);
}

/** Splits a text that `cleanText` has cut; undefined for any other. */
export function readCutText(text: string): { beginning: string; length: number } | undefined {
  const [, beginning, length] = /^(.*)… \((\d+) characters\)$/s.exec(text) ?? [];
  return beginning === undefined ? undefined : { beginning, length: Number(length) };
}

function cutText(text: string, max: number, length: number): string {
  if (text.length <= max) return text;
  const end = /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max;
  return `${text.slice(0, end)}… (${length} characters)`;
}

/**
 * Writes invisible characters as the escapes of JSON and JavaScript: `\u202e`. A string literal of either language keeps its
 * value; in a message a deceptive file name becomes visible. With `multiline`, line breaks stay.
 */
export function escapeText(text: string, { multiline = false }: { multiline?: boolean } = {}): string {
  if (!anyHidden.test(text)) return text;
  return replaceHidden(text, toEscape, (found) =>
    multiline && found === '\n'
      ? found
      : found.length === 1
        ? unicodeEscape(found, 0)
        : Array.from({ length: found.length }, (_, at) => unicodeEscape(found, at)).join(''),
  );
}

/** As `escapeText`, cut at `max` characters. Text beyond the limit costs nothing. */
export function escapeName(name: string, max: number): string {
  // Escaping never shortens. The margin is for sequences of several characters.
  return cutText(escapeText(name.slice(0, max + 20)), max, name.length);
}

/** Upper bound of the length that `escapeText` returns. */
export function escapedLength(text: string): number {
  const found = text.match(everyHidden) ?? [];
  return found.reduce((length, each) => length + each.length * 5, text.length);
}

function unicodeEscape(text: string, at: number): string {
  return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
}

/** JSON that is safe to show in a terminal or an editor, and that parses to the same values. */
export function safeJson(value: unknown, indentation?: number): string {
  return escapeText(JSON.stringify(value, null, indentation), { multiline: true });
}
