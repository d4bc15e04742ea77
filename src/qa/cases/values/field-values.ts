import type { FormField } from '../../scan/use-case-evidence.ts';
import { dateTimeKinds } from './date-time-counts.ts';
import { isShortLived, nearestDateTime } from './date-time-values.ts';
import { lastStep, numberScale } from './number-scale.ts';
import { type LengthRange, sampleForPattern } from './pattern-values.ts';
import { dateWords, sampleValue } from './sample-values.ts';
import { fitLength } from './text-length.ts';
import { tokenExpansions, UNIQUE_TOKEN } from './unique-token.ts';

/** What decides about the values of a field: the constraints that the page itself declares. */
export type FieldConstraints = Pick<FormField, 'key' | 'label' | 'kind' | 'required'> &
  Partial<
    Pick<
      FormField,
      'minLength' | 'maxLength' | 'min' | 'max' | 'step' | 'pattern' | 'autocomplete' | 'accept' | 'inputMode' | 'value'
    >
  > & { options: readonly { label: string; value: string }[] };

/** Token for a word that the page contains; a run replaces it. */
export const PAGE_WORD_TOKEN = '{{word}}';

/** Token for the first option of a field whose options depend on other fields. */
export const ANY_OPTION_TOKEN = '{{option}}';

/** Whether the options of a choice depend on another field. */
export const isDependentChoice = (field: Pick<FieldConstraints, 'kind' | 'required' | 'options'>) =>
  field.kind === 'select' && field.required && realOptions(field).length === 0;

export const isChoiceField = ({ kind }: Pick<FieldConstraints, 'kind'>) =>
  ['select', 'radio-group', 'listbox'].includes(kind);
export const isTextField = ({ kind }: Pick<FieldConstraints, 'kind'>) =>
  ['text', 'email', 'url', 'tel', 'search', 'password', 'textarea'].includes(kind);

/** Whether a typeahead field declares its suggestions. */
export const hasSuggestions = ({ kind, options }: Pick<FieldConstraints, 'kind' | 'options'>) =>
  kind === 'typeahead' && options.length > 0;

/** Options without the empty one. */
export const realOptions = <Option extends { label: string; value: string }>({
  options,
}: {
  options: readonly Option[];
}) => options.filter(({ value, label }) => value !== '' && label.trim() !== '');

/** Invented values that a text contains. */
export function inventedValuesIn(text: string): string[] {
  return inventedValues.filter((value) => text.includes(value));
}

/** Matches records that a test created: a unique token with the words around it. */
export const testRecordPattern = /(?:that a test wrote, |\bada[.-]|\bExample |\bREF-|\bTest )[0-9a-f]{8}(?![0-9a-z])/;

const inventedValues = [
  'Ada Lovelace',
  '12 Example Street',
  'A message that a test wrote',
  '7946 0000',
  'Assay-Test-2030',
];

/** A value within the constraints of a field, as they were on the given day. Undefined if none was found. */
export function validValue(control: FieldConstraints, seen?: Date): string | undefined {
  const { minLength: least = 0, maxLength: most = Number.POSITIVE_INFINITY } = control;
  if (dateTimeKinds.includes(control.kind)) return nearestDateTime(control, usualDateTime(control), seen);
  return isTextField(control) ? textOfLength(control, { least, most }) : suggestedValue(control);
}

/** A valid text of exactly this length, whatever the length limits are. */
export function valueOfLength(control: FieldConstraints, length: number): string | undefined {
  return textOfLength(control, { least: length, most: length });
}

/** A text with a unique part if the length allows it: a site may reject a value that exists. */
function textOfLength(control: FieldConstraints, lengths: LengthRange): string | undefined {
  const suggested = suggestedValue(control);
  const text = fitLength(suggested, control.kind, lengths);
  if (!control.pattern) return text;
  const unique = suggested.includes(UNIQUE_TOKEN) ? [fitLength(UNIQUE_TOKEN, 'text', lengths) ?? ''] : [];
  const candidates = [
    text ?? '',
    suggested,
    ...unique,
    ...tokenExpansions(suggested).slice(0, 1),
    '12345',
    '1234567890',
    '2030-06-14',
  ];
  return sampleForPattern(control.pattern, candidates, lengths);
}

function suggestedValue(control: FieldConstraints): string {
  const { kind, label, key, autocomplete = '' } = control;
  if (isChoiceField(control)) return realOptions(control)[0]?.label ?? '';
  if (hasSuggestions(control)) return realOptions(control)[0]?.value ?? '';
  switch (kind) {
    case 'email':
      return `ada.${UNIQUE_TOKEN}@example.com`;
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
      return `A message that a test wrote, ${UNIQUE_TOKEN}.`;
    default: {
      const hints = `${autocomplete} ${key} ${label}`.toLowerCase().replaceAll(/[_]/g, ' ');
      return sampleValue(hints);
    }
  }
}

/** A number other than the initial value, if there is one, so that the change is visible. */
function numberWithin(control: FieldConstraints): string {
  const scale = numberScale(control);
  const { low, high, size, one, text } = scale;
  const start = low ?? lastStep(scale, high !== undefined && high < one ? high : one);
  const fitting = [start + size, start + 2n * size, start].filter((count) => high === undefined || count <= high);
  return fitting.map(text).find((written) => written !== control.value) ?? text(start);
}

/** A usual value of each kind, and two later ones. */
const usualDateTimes: Record<string, readonly string[]> = {
  date: ['2030-06-14', '2030-06-21', '2030-06-28'],
  datetime: ['2030-06-14T10:30', '2030-06-21T10:30', '2030-06-28T10:30'],
  month: ['2030-06', '2030-07', '2030-08'],
  week: ['2030-W24', '2030-W25', '2030-W26'],
  time: ['10:30', '11:30', '12:30'],
};

function usualDateTime({ kind, label, key }: FieldConstraints): string {
  const isCalled = (words: RegExp) => words.test(label) || words.test(key.replaceAll(/[_-]/g, ' '));
  if (kind === 'date' && isCalled(dateWords.past)) return '1990-05-17';
  return usualDateTimes[kind]?.[isCalled(dateWords.return) ? 2 : isCalled(dateWords.end) ? 1 : 0] ?? '';
}

/** Whether every valid value of a field expires soon, because its limits move with the date. */
export function hasOnlyShortLivedValues(control: FieldConstraints, seen?: Date): boolean {
  return dateTimeKinds.includes(control.kind) && isShortLived(control, usualDateTime(control), seen);
}
