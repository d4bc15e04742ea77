import type { ControlState } from '../../../platform/page/act/set-many.ts';
import type { ValueMeaning } from '../../../platform/page/in-page/submitted-value.ts';
import { fieldFormat } from '../../files/field-traits.ts';
import { toIsoDate } from '../../validation/read-dates.ts';
import { scalesShown } from '../fill/amount-units.ts';
import type { FieldFilling } from '../fill/fill-fields.ts';
import { toSettable } from '../fill/page-controls.ts';
import type { ExpectedEntry } from './compare-entries.ts';

interface SeenField extends Pick<ControlState, 'value' | 'entries' | 'around'> {
  one: Pick<FieldFilling, 'field' | 'answer'>;
}

/** The entries that a form would send for a field, as last read. */
export function expectedEntriesOf({ one, value, entries = [], around }: SeenField): ExpectedEntry[] {
  const { field, answer } = one;
  const { field_id, label = field_id, sent_as: alias } = field;
  const asked = answer.kind === 'text' ? answer.text : undefined;
  // Only a script can send an element without a name.
  const unnamed = alias && answer.kind === 'text' && value !== undefined ? [{ name: alias, value, isText: true }] : [];
  const meaning = meaningOf(one, around, entries.length > 1);
  return (entries.length > 0 ? entries : unnamed).map((entry) => ({
    ...entry,
    field_id,
    label,
    alias,
    ...(entry.isText && { asked, meaning }),
  }));
}

/** The notations that the file and the page allow for the value. */
function meaningOf(
  { field, answer }: SeenField['one'],
  around: ControlState['around'],
  isInParts: boolean,
): ValueMeaning {
  const { surroundings: known = {}, label = '' } = field;
  const texts = [label, known.name, known.question, known.hint, known.placeholder, ...Object.values(around ?? {})];
  const said = texts.filter((text) => typeof text === 'string').join(' ');
  const isMoney = fieldFormat(field) === 'money';
  return {
    scales: [...scalesShown(said), ...(isMoney ? [2] : [])],
    day: answer.kind === 'date' && !isInParts ? toIsoDate(answer.date) : undefined,
    order: orderIn(said),
    isProposal: toSettable(field).kind === 'typeahead',
  };
}

function orderIn(text: string): ValueMeaning['order'] {
  const [, first] = /\b([dm])\1?[/. -]([dm])\2?[/. -]y{2,4}\b/i.exec(text) ?? [];
  return first === undefined ? undefined : first.toLowerCase() === 'd' ? 'dmy' : 'mdy';
}

/** Checkboxes that the page switched on, and unanswered selects whose value the page changed. */
export function changedByPage(before: readonly ExpectedEntry[], now: readonly ExpectedEntry[]): ExpectedEntry[] {
  const isOf = (one: ExpectedEntry, other: ExpectedEntry) => one.field_id === other.field_id && one.name === other.name;
  const isOn = (one: ExpectedEntry) =>
    one.checked === false && now.some((other) => isOf(one, other) && other.value === one.value && other.checked);
  const isChosen = (one: ExpectedEntry) =>
    one.isUnanswered && one.checked === null && now.some((other) => isOf(one, other) && other.value !== one.value);
  return before.filter((one) => isOn(one) || isChosen(one));
}
