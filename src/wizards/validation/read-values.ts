import { normalizeWords } from '../../platform/page/act/value-comparison.ts';
import { phrasesOf } from '../../platform/text/phrase-table.ts';
import { measureWords } from '../vocabulary/amount-units.ts';
import {
  noWords,
  numberScales,
  smallNumberWords,
  statePrefix,
  states,
  tensWords,
  yesWords,
} from '../vocabulary/value-words.ts';

/** Reads numbers, money, states, yes and no as people write them. Undefined: not recognized. */

export interface ParsedValue<Value> {
  value: Value;
  /** The text was converted, so the caller gets the converted value. */
  changed: boolean;
  /** The text has a second possible meaning. */
  doubtful?: boolean;
}

/** A text for comparison: apostrophes, dashes, spaces, width and case do not matter. */
export function foldText(text: string): string {
  return normalizeWords(text.replaceAll('_', ' '));
}

const measures = Object.entries(measureWords).map(
  ([unit, table]) => [unit, new RegExp(`^(?:${phrasesOf(table)})$`)] as const,
);
const scale = new RegExp(`^(${Object.keys(numberScales).join('|')})(?![a-z])\\s*`);

export interface ParsedNumber extends ParsedValue<string> {
  /** The unit that was written: "dollars", "percent", "centimetres" … */
  unit?: string;
}

/**
 * `4`, `1,200.50`, `1.200,50`, `$85k`, `5.5%`, `180 cm`, `four`, `twenty-one`. The value is the plain digits that a form takes.
 * `5 m` is five million where an amount of money is asked for, else five metres.
 */
export function readNumber(given: unknown, isMoney = true): ParsedNumber | undefined {
  if (typeof given === 'number')
    return Number.isFinite(given) ? { value: formatPlain(given), changed: false } : undefined;
  if (typeof given !== 'string') return undefined;
  const text = foldText(given);
  if (/^-?\d+(\.\d+)?$/.test(text)) return { value: text, changed: text !== given };
  const word = numberWord(text);
  if (word !== undefined) return { value: String(word), changed: true };
  const [, sign = '', before = '', digits = '', after = ''] =
    /^(-?)(\D{0,20}?)\s*(\d[\d., ']*)(\D{0,30})$/.exec(text) ?? [];
  const plain = plainDigits(digits.trim());
  if (plain === undefined) return undefined;
  const isMetres = !isMoney && before === '' && after.trim() === 'm';
  const [scaled, factor = ''] = (isMetres ? undefined : scale.exec(after)) ?? [];
  const units = [before, after.slice(scaled?.length ?? 0)].map((one) => one.trim()).filter(Boolean);
  const named = units.map((one) => (isMetres ? 'metres' : unitNamed(one)));
  if (new Set(named).size > 1 || named.some((one) => one === undefined)) return undefined;
  const unit = named[0] === undefined ? {} : { unit: named[0] };
  // As text, because a number keeps only fifteen digits.
  if (!factor) return { value: `${sign}${plain}`, changed: true, ...unit };
  const amount = Number(`${sign}${plain}`) * (numberScales[factor] ?? 1);
  return amount <= Number.MAX_SAFE_INTEGER ? { value: formatPlain(amount), changed: true, ...unit } : undefined;
}

const unitNamed = (text: string) => measures.find(([, pattern]) => pattern.test(text.replace(/\.$/, '')))?.[0];

/** Digits without thousands separators, with a dot before the decimals. Undefined if a separator can mean both, or neither. */
function plainDigits(text: string): string | undefined {
  const grouped = /^\d{1,3}(?:([., '])\d{3})(?:\1\d{3})*(?:([.,])\d+)?$/.exec(text);
  const [, thousands, decimals] = grouped ?? [];
  // One dot before three digits separates decimals, as in the input of HTML; one comma separates thousands, as in English.
  const isGrouped = grouped !== null && thousands !== decimals && !/^\d+\.\d{3}$/.test(text);
  const whole = isGrouped ? text.slice(0, decimals ? text.lastIndexOf(decimals) : text.length) : '';
  const plain = isGrouped
    ? `${whole.replaceAll(/\D/g, '')}${decimals ? `.${text.slice(whole.length + 1)}` : ''}`
    : /^\d+(?:[.,]\d+)?$/.test(text)
      ? text.replace(',', '.')
      : undefined;
  return plain?.includes('.') ? plain.replace(/0+$/, '').replace(/\.$/, '') : plain;
}

/** Without the rounding errors of binary fractions, and never as 1e21. */
function formatPlain(amount: number): string {
  return amount.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 10 }).replace(/^-0$/, '0');
}

function numberWord(text: string): number | undefined {
  const unit = smallNumberWords.en.indexOf(text);
  if (unit >= 0) return unit;
  const [ten = '', one] = text.split(/[- ]/);
  const tenth = tensWords.en.indexOf(ten);
  if (tenth < 0) return undefined;
  if (one === undefined) return (tenth + 2) * 10;
  const digit = smallNumberWords.en.indexOf(one);
  return digit > 0 && digit < 10 ? (tenth + 2) * 10 + digit : undefined;
}

/** True, false and the words for them. Numbers and lists are neither, because they may mean something else. */
export function readYesNo(given: unknown): ParsedValue<boolean> | undefined {
  if (typeof given === 'boolean') return { value: given, changed: false };
  if (typeof given !== 'string') return undefined;
  const text = foldText(given);
  if (['true', 'false'].includes(text)) return { value: text === 'true', changed: given !== text };
  if (yesWords.en.includes(text)) return { value: true, changed: true };
  if (noWords.en.includes(text)) return { value: false, changed: true };
  return undefined;
}

const stateStart = new RegExp(`^${phrasesOf(statePrefix)}`);
export const stateNames = states.map(({ name }) => name);

/** Code and name of a state of the United States. */
export function readState(given: string): { code: string; name: string } | undefined {
  const text = foldText(given).replaceAll('.', '').replace(stateStart, '');
  return states.find(
    ({ code, name }) => text === code.toLowerCase() || text === name.toLowerCase().replaceAll('.', ''),
  );
}
