import type { FormField } from '../scan/evidence.ts';
import { isFleeting, momentNear } from './moment-values.ts';
import { momentKinds } from './moments.ts';
import { lastStep, numberScale } from './numbers.ts';
import { type Lengths, sampleOf } from './pattern.ts';
import { sized } from './sized.ts';
import { formsOf, UNIQUE } from './unique.ts';

/** What decides about the values of a field: the constraints that the page itself declares. */
export type FieldFacts = Pick<FormField, 'key' | 'label' | 'kind' | 'required'> &
  Partial<
    Pick<
      FormField,
      'minLength' | 'maxLength' | 'min' | 'max' | 'step' | 'pattern' | 'autocomplete' | 'accept' | 'inputMode' | 'value'
    >
  > & { options: readonly { label: string; value: string }[] };

/** Stands for a word that the page itself uses: whoever carries the case out puts one there. */
export const WORD_OF_THE_PAGE = '{{word}}';

/** Stands for the first of what a field offers once those before it are filled in: until then it offers nothing. */
export const ANY_OPTION = '{{option}}';

/** A choice whose options depend on another field. */
export const isDependent = (field: Pick<FieldFacts, 'kind' | 'required' | 'options'>) =>
  field.kind === 'select' && field.required && realOptions(field).length === 0;

export const isChoice = ({ kind }: Pick<FieldFacts, 'kind'>) => ['select', 'radio-group', 'listbox'].includes(kind);
export const isText = ({ kind }: Pick<FieldFacts, 'kind'>) =>
  ['text', 'email', 'url', 'tel', 'search', 'password', 'textarea'].includes(kind);

/** A field to type into that says beforehand what it will propose. */
export const proposes = ({ kind, options }: Pick<FieldFacts, 'kind' | 'options'>) =>
  kind === 'typeahead' && options.length > 0;

/** Without the one that stands for no choice at all. */
export const realOptions = <Option extends { label: string; value: string }>({
  options,
}: {
  options: readonly Option[];
}) => options.filter(({ value, label }) => value !== '' && label.trim() !== '');

/** What somebody would write there by its autocomplete hint or its label; the first that fits is taken. */
const wording: [RegExp, string][] = [
  [/given-name|first.?name|vorname/, 'Ada'],
  [/family-name|last.?name|surname/, 'Lovelace'],
  [/\bcc-name|name on card|cardholder/, 'Ada Lovelace'],
  [/cc-number|card.?number/, '4242424242424242'],
  [/cc-exp-month/, '12'],
  [/cc-exp-year/, '2034'],
  [/cc-exp|expir/, '12/34'],
  [/cc-csc|\bcvc|\bcvv|security code/, '123'],
  [/user.?name|nickname|login name/, `ada-${UNIQUE}`],
  [/postal-code|post.?code|\bzip\b/, '12345'],
  [/address-level2|\bcity\b|\btown\b/, 'London'],
  [/address-level1|\bstate\b|province|county/, 'Kent'],
  [/street|address-line|\baddress\b/, '12 Example Street'],
  [/country/, 'France'],
  [/organi[sz]ation|company/, `Example ${UNIQUE} Ltd`],
  [/\bphone|\btel\b|mobile/, '+44 20 7946 0000'],
  [/quantity|\bqty\b|amount|number of/, '2'],
  [/coupon|voucher|discount|promo/, 'SAVE10'],
  [/\bsku\b|\bcode\b|reference|\bslug\b/, `REF-${UNIQUE}`],
  [/subject|title|\bname of\b/, `Test ${UNIQUE}`],
  [/\bname\b/, 'Ada Lovelace'],
  [/\bdate\b/, '2030-06-14'],
  [/\bage\b|years/, '36'],
  [/price|cost|income|salary/, '100'],
];

/** Which of the values that only a test would write stand in a text. */
export function inventedIn(text: string): string[] {
  return invented.filter((value) => text.includes(value));
}

/** What a test has made unlike all others, where even eight digits tell it: with the words that we put around them. */
export const markOfTests = /(?:that a test wrote, |\bada[.-]|\bExample |\bREF-|\bTest )[0-9a-f]{8}(?![0-9a-z])/;

const invented = ['Ada Lovelace', '12 Example Street', 'A message that a test wrote', '7946 0000', 'Assay-Test-2030'];

/** A value that the field's own constraints accept, by the day on which they were seen. Undefined where none could be found. */
export function validValue(control: FieldFacts, seen?: Date): string | undefined {
  const { minLength: least = 0, maxLength: most = Number.POSITIVE_INFINITY } = control;
  if (momentKinds.includes(control.kind)) return momentNear(control, usualMoment(control), seen);
  return isText(control) ? textWithin(control, { least, most }) : wished(control);
}

/** The same for a text of exactly so many characters, whatever lengths the field allows. */
export function valueOfLength(control: FieldFacts, length: number): string | undefined {
  return textWithin(control, { least: length, most: length });
}

/** As far as the length allows, with a part that is another each time: what was made once may be refused as taken. */
function textWithin(control: FieldFacts, lengths: Lengths): string | undefined {
  const wish = wished(control);
  const text = sized(wish, control.kind, lengths);
  if (!control.pattern) return text;
  const unique = wish.includes(UNIQUE) ? [sized(UNIQUE, 'text', lengths) ?? ''] : [];
  const wishes = [text ?? '', wish, ...unique, ...formsOf(wish).slice(0, 1), '12345', '1234567890', '2030-06-14'];
  return sampleOf(control.pattern, wishes, lengths);
}

function wished(control: FieldFacts): string {
  const { kind, label, key, autocomplete = '' } = control;
  if (isChoice(control)) return realOptions(control)[0]?.label ?? '';
  if (proposes(control)) return realOptions(control)[0]?.value ?? '';
  switch (kind) {
    case 'email':
      return `ada.${UNIQUE}@example.com`;
    case 'url':
      return 'https://example.com/';
    case 'password':
      return 'Assay-Test-2030';
    case 'tel':
      return '+44 20 7946 0000';
    case 'number':
    case 'range':
      return numberWithin(control);
    case 'colour':
      return '#336699';
    case 'textarea':
      return `A message that a test wrote, ${UNIQUE}.`;
    default: {
      const hints = `${autocomplete} ${key} ${label}`.toLowerCase().replaceAll(/[_]/g, ' ');
      if (/e-?mail/.test(hints)) return `ada.${UNIQUE}@example.com`;
      return wording.find(([hint]) => hint.test(hints))?.[1] ?? `Test ${UNIQUE}`;
    }
  }
}

/** Another than the field holds already, if there is one: what is not changed shows nothing. */
function numberWithin(control: FieldFacts): string {
  const scale = numberScale(control);
  const { low, high, size, one, text } = scale;
  const start = low ?? lastStep(scale, high !== undefined && high < one ? high : one);
  const fitting = [start + size, start + 2n * size, start].filter((count) => high === undefined || count <= high);
  return fitting.map(text).find((written) => written !== control.value) ?? text(start);
}

/** A usual moment of each kind, and later ones. */
const moments: Record<string, readonly string[]> = {
  date: ['2030-06-14', '2030-06-21', '2030-06-28'],
  datetime: ['2030-06-14T10:30', '2030-06-21T10:30', '2030-06-28T10:30'],
  month: ['2030-06', '2030-07', '2030-08'],
  week: ['2030-W24', '2030-W25', '2030-W26'],
  time: ['10:30', '11:30', '12:30'],
};

const past = /birth|born|\bdob\b/i;
/** What ends something comes after what begins it; a departure ends a stay, and begins what a return ends. */
const ending = /\b(end|ends|ending|until|till|departure|check.?out|bis|due|finish)\b|^to\b|\bto$/i;
const returning = /\breturn(ing)?\b/i;

function usualMoment({ kind, label, key }: FieldFacts): string {
  const isCalled = (words: RegExp) => words.test(label) || words.test(key.replaceAll(/[_-]/g, ' '));
  if (kind === 'date' && isCalled(past)) return '1990-05-17';
  return moments[kind]?.[isCalled(returning) ? 2 : isCalled(ending) ? 1 : 0] ?? '';
}

/** A field whose valid values are refused before long: its limits move with the days, close together. */
export function takesNothingLasting(control: FieldFacts, seen?: Date): boolean {
  return momentKinds.includes(control.kind) && isFleeting(control, usualMoment(control), seen);
}
