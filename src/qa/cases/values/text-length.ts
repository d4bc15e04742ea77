import type { LengthRange } from './pattern-values.ts';
import { filledLength, UNIQUE_LENGTH, UNIQUE_TOKEN } from './unique-token.ts';

/**
 * A text of a length that is wanted, and still of its kind: an address stays one, a number has only digits. What makes it
 * unlike all others stays in it, as long as there is room. Undefined where nothing of the kind is so short or so long.
 */
export function fitLength(text: string, kind: string, lengths: LengthRange): string | undefined {
  const { least, most } = lengths;
  const length = filledLength(text);
  if (least > most || most < 1) return undefined;
  if (length >= least && length <= most) return text;
  const wanted = length < least ? least : most;
  if (kind === 'email' || text.endsWith(DOMAIN)) return emailOf(wanted);
  if (kind === 'url') return urlOf(wanted);
  if (kind === 'password') return length < least ? text.padEnd(wanted, 'x') : `Aa1-${text}`.slice(0, wanted);
  if (/^[\d+ /.-]+$/.test(text)) return fitDigits(text, wanted);
  return length < least ? lengthen(text, wanted) : shorten(text, wanted);
}

const DOMAIN = '@example.com';
const SHORT_DOMAIN = '@x.test';
/** Limits of RFC 5321: local part, domain label, whole address. */
const LONGEST_NAME = 64;
const LONGEST_LABEL = 63;
const LONGEST_EMAIL = 254;

function emailOf(length: number): string | undefined {
  const domain = [DOMAIN, SHORT_DOMAIN, '@b'].find((one, i) => length >= one.length + (i === 0 ? UNIQUE_LENGTH : 1));
  if (domain === undefined || length > LONGEST_EMAIL) return undefined;
  const available = length - domain.length;
  const rest = available - Math.min(available, LONGEST_NAME);
  // A domain label has at least one character.
  const name = Math.min(available, LONGEST_NAME) - (rest === 1 ? 1 : 0);
  return `${uniqueName(name)}@${domainLabels(available - name)}${domain.slice(1)}`;
}

function domainLabels(length: number): string {
  if (length === 0) return '';
  const all = Math.min(length, LONGEST_LABEL + 1);
  const one = length - all === 1 ? all - 1 : all;
  return `${'x'.repeat(one - 1)}.${domainLabels(length - one)}`;
}

/** For example `adaxx.{{unique}}`: the dot separates the token. */
function uniqueName(length: number): string {
  if (length < UNIQUE_LENGTH) return 'a'.repeat(length);
  const available = length - UNIQUE_LENGTH;
  return available === 0
    ? UNIQUE_TOKEN
    : `${'ada'.padEnd(available - 1, 'x').slice(0, available - 1)}.${UNIQUE_TOKEN}`.replace(/^\./, 'a');
}

function urlOf(length: number): string | undefined {
  const start = length >= 20 ? 'https://example.com/' : 'http://x.test';
  if (length < start.length) return undefined;
  return length >= 20 ? start.padEnd(length, 'x') : `${start}/xxxxxx`.slice(0, length);
}

function fitDigits(text: string, length: number): string {
  return text.length < length
    ? text.padEnd(length, '0')
    : text.replaceAll(/\D/g, '').padEnd(length, '0').slice(0, length);
}

/** Adds characters before the token, so that a separator still precedes it. */
function lengthen(text: string, length: number): string {
  const missing = 'x'.repeat(length - filledLength(text));
  const at = text.indexOf(UNIQUE_TOKEN);
  if (at < 0) return `${text}${missing}`;
  const before = text.slice(0, at);
  const end = /[\W_]*$/.exec(before)?.index ?? at;
  return `${before.slice(0, end)}${missing}${text.slice(end)}`;
}

function shorten(text: string, length: number): string {
  const at = text.indexOf(UNIQUE_TOKEN);
  const available = length - UNIQUE_LENGTH;
  if (at < 0 || available < 0) return text.replaceAll(UNIQUE_TOKEN, '').trim().padEnd(length, 'x').slice(0, length);
  if (available === 0) return UNIQUE_TOKEN;
  return `${text
    .slice(0, at)
    .slice(0, available - 1)
    .trimEnd()
    .padEnd(available - 1, 'x')}-${UNIQUE_TOKEN}`;
}
