import { phrasesOf } from '../../../platform/text/phrase-table.ts';
import type { WizardResult } from '../../files/wizard-schema.ts';
import { readDate, toIsoDate } from '../../validation/read-dates.ts';
import { readNumber, readYesNo } from '../../validation/read-values.ts';
import { loadingValue } from '../../vocabulary/waiting.ts';

/** Reads a value by its type; undefined if the text has another type or is ambiguous. */
export function parseResultValue(raw: string, type: WizardResult['type']): string | undefined {
  const text = raw.replaceAll(/\s+/g, ' ').trim();
  switch (type) {
    case 'number':
    case 'money':
      return amountIn(text, type);
    case 'date':
      return dateIn(text);
    case 'yes_no':
      return yesOrNo(text);
    default:
      return loadingPattern.test(text) ? undefined : text.slice(0, 2_000);
  }
}

const loadingPattern = new RegExp(`^(?:${phrasesOf(loadingValue)})$`, 'i');

const amounts = /[-−–(]?\s*[$£€]?\s*\d[\d,]*(?:\.\d+)?\s*%?\)?/g;

/**
 * The only amount in a text such as "about $1,234 a month". Of several numbers, the one with a currency; a phone number
 * is not an amount.
 */
function amountIn(text: string, type: 'number' | 'money'): string | undefined {
  if (/\d[-–. ]\d{3,4}\b(?!,)/.test(text.replaceAll(/\d\.\d+/g, '0'))) return undefined;
  const found = text.match(amounts) ?? [];
  const priced = type === 'money' ? found.filter((one) => /[$£€]/.test(one)) : [];
  const [only, ...others] = priced.length > 0 ? priced : found;
  if (only === undefined || others.length > 0) return undefined;
  const isLess = /^\s*[-−–(]/.test(only) && !/\w\s*[-–]\s*[$£€]?\s*\d/.test(text);
  const number = readNumber(only.replaceAll(/[^\d,.]/g, '').replace(/,$/, ''));
  if (!number) return undefined;
  return isLess && number.value !== '0' ? `-${number.value}` : number.value;
}

const dates = /\d{4}-\d{2}-\d{2}|\d{1,2}\/\d{1,2}\/\d{4}|[a-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}/gi;

function dateIn(text: string): string | undefined {
  const read = (text.match(dates) ?? []).map((one) => readDate(one));
  const found = new Set(read.flatMap((one) => (one.problem === undefined ? [toIsoDate(one.value)] : [])));
  return found.size === 1 ? [...found][0] : undefined;
}

function yesOrNo(text: string): string | undefined {
  const said = readYesNo(text)?.value ?? readYesNo(/^(yes|no)\b/i.exec(text)?.[1] ?? '')?.value;
  return said === undefined ? undefined : said ? 'yes' : 'no';
}
