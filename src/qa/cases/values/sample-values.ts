import { anyWordOf, type Vocabulary } from '../../vocabulary.ts';
import { UNIQUE_TOKEN } from './unique-token.ts';

/**
 * Values by words of the autocomplete hint, name or label of a field. The first row that matches counts. `any` holds
 * autocomplete hints and names that no language owns.
 */
const valueTable: readonly (readonly [words: Vocabulary, value: string])[] = [
  [{ any: /given-name/, en: /first.?name/, de: /vorname/ }, 'Ada'],
  [{ any: /family-name/, en: /last.?name|surname/ }, 'Lovelace'],
  [{ any: /\bcc-name/, en: /name on card|cardholder/ }, 'Ada Lovelace'],
  [{ any: /cc-number/, en: /card.?number/ }, '4242424242424242'],
  [{ any: /cc-exp-month/ }, '12'],
  [{ any: /cc-exp-year/ }, '2034'],
  [{ any: /cc-exp/, en: /expir/ }, '12/34'],
  [{ any: /cc-csc|\bcvc|\bcvv/, en: /security code/ }, '123'],
  [{ en: /user.?name|nickname|login name/ }, `ada-${UNIQUE_TOKEN}`],
  [{ any: /postal-code/, en: /post.?code|\bzip\b/ }, '12345'],
  [{ any: /address-level2/, en: /\bcity\b|\btown\b/ }, 'London'],
  [{ any: /address-level1/, en: /\bstate\b|province|county/ }, 'Kent'],
  [{ any: /address-line/, en: /street|\baddress\b/ }, '12 Example Street'],
  [{ en: /country/ }, 'France'],
  [{ en: /organi[sz]ation|company/ }, `Example ${UNIQUE_TOKEN} Ltd`],
  [{ any: /\btel\b/, en: /\bphone|mobile/ }, '+44 20 7946 0000'],
  [{ en: /quantity|\bqty\b|amount|number of/ }, '2'],
  [{ en: /coupon|voucher|discount|promo/ }, 'SAVE10'],
  [{ any: /\bsku\b|\bslug\b/, en: /\bcode\b|reference/ }, `REF-${UNIQUE_TOKEN}`],
  [{ en: /subject|title|\bname of\b/ }, `Test ${UNIQUE_TOKEN}`],
  [{ en: /\bname\b/ }, 'Ada Lovelace'],
  [{ en: /\bdate\b/ }, '2030-06-14'],
  [{ en: /\bage\b|years/ }, '36'],
  [{ en: /price|cost|income|salary/ }, '100'],
];

const samples = valueTable.map(([words, value]) => [new RegExp(anyWordOf(words)), value] as const);
const emailWords = /e-?mail/;

/** A value that a text field with these hints, in lower case, is likely to accept. */
export function sampleValue(hints: string): string {
  if (emailWords.test(hints)) return `ada.${UNIQUE_TOKEN}@example.com`;
  return samples.find(([words]) => words.test(hints))?.[1] ?? `Test ${UNIQUE_TOKEN}`;
}

/** Words in labels and names of date fields that say which date they ask for. */
export const dateWords = {
  past: new RegExp(anyWordOf({ en: /birth|born|\bdob\b/ }), 'i'),
  /** The end of a period gets a later date. */
  end: new RegExp(
    anyWordOf({
      en: /\b(end|ends|ending|until|till|departure|check.?out|due|finish)\b|^to\b|\bto$/,
      de: /\bbis\b/,
    }),
    'i',
  ),
  /** A return gets the latest date. */
  return: new RegExp(anyWordOf({ en: /\breturn(ing)?\b/ }), 'i'),
} as const satisfies Record<string, RegExp>;
