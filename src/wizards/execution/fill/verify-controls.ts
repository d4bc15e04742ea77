import { quote } from '../../../platform/errors.ts';
import { rungToSelector } from '../../../platform/page/locate/rung-selector.ts';
import type { Control, ControlOption } from '../../../platform/page/page-model.ts';
import { readPage } from '../../../platform/page/snapshot/page-reader.ts';
import type { WizardField, WizardOption, WizardSubField } from '../../files/wizard-schema.ts';
import { foldText } from '../../validation/read-values.ts';
import { runError } from '../run/run-error.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import type { FilledField } from './fill-fields.ts';

type AnyField = WizardField | WizardSubField;

/**
 * Fails if the page contradicts a file that knows only ids. Such a file cannot prove that an id still belongs to the
 * same question, and its labels may be words of its author. A control must not have the label of another field of the
 * file, nor stand beside a control that has the label of this field.
 */
export async function throwIfContradicted(run: WizardRun, kept: readonly FilledField[]): Promise<void> {
  const unproven = kept.filter(({ field }) => !isFoundByName(field));
  if (unproven.length === 0) return;
  const { controls } = await readPage(run.page(), { timeoutMs: Math.min(5_000, run.remainingMs()) });
  for (const { field, result } of unproven) {
    const id = await result.found.locator.getAttribute('id', { timeout: 1_000 }).catch(() => null);
    const control = controlOf(field, id, controls);
    if (!control) continue;
    const other = field.options?.length
      ? otherChoice(field.options, control)
      : otherName(run, field, control, controls);
    if (other !== undefined)
      throw runError(
        'selector_not_found',
        `${quote(field.label ?? field.field_id)} (${field.field_id}) on page ${run.pageNumber}: its selector now matches ${quote(other)}, which is another element.`,
        { field_id: field.field_id, technical_details: 'ELEMENT_CHANGED' },
      );
  }
}

const knowsName = (ways: readonly string[]) => ways.some((way) => /role=[a-z]+\[name=|internal:label=/.test(way));

/** Whether the file finds the field, or its options, only by the name that the page shows. */
export function isFoundByName(field: AnyField): boolean {
  const { selector, locators = [], options = [] } = field;
  const parts = subFieldsOf(field);
  if (parts.length > 0) return parts.every(isFoundByName);
  // The options of a select have no selectors of their own.
  const ways = options
    .map((option) => [option.selector ?? '', ...(option.locators ?? [])].filter(Boolean))
    .filter((each) => each.length > 0);
  return ways.length === 0 ? knowsName([selector, ...locators]) : ways.every(knowsName);
}

/** The parts of a date field, which identify it. */
const subFieldsOf = (field: AnyField): readonly WizardSubField[] =>
  'sub_fields' in field && Array.isArray(field.sub_fields) ? field.sub_fields : [];

/** The control that was set: found by a selector of the file, else by the id of the element. */
function controlOf(field: AnyField, id: string | null, controls: readonly Control[]): Control | undefined {
  const ways = selectorsOf(field);
  const all = controls.flatMap((control) => [control, ...control.parts.map((part) => part.control)]);
  const isIt = (one: Pick<Control, 'ladder'>) =>
    leadsTo(one, ways) || one.ladder.some(({ by, value }) => id !== null && by === 'id' && value === id);
  // A part of a date is a better match for the field than the whole date.
  return (
    all.findLast((each) => each.id === id && id !== null) ?? all.find((each) => [each, ...each.options].some(isIt))
  );
}

function selectorsOf({ selector, locators = [], selector_alternatives = [], options = [] }: AnyField): Set<string> {
  return new Set([
    selector,
    ...locators,
    ...selector_alternatives,
    ...options.flatMap((option) => [option.selector ?? '', ...(option.locators ?? [])]),
  ]);
}

function leadsTo({ ladder }: Pick<Control, 'ladder'>, ways: ReadonlySet<string>): boolean {
  return ladder.some((rung) => ways.has(rungToSelector(rung)));
}

/** The name of the control, if it is the name of another field, or if another control has the name of this field. */
function otherName(
  run: WizardRun,
  field: AnyField,
  control: Control,
  controls: readonly Control[],
): string | undefined {
  const own = namesOf(field.label ?? '');
  const name = foldText(control.name);
  if (name === '' || own.includes(name)) return undefined;
  const others = run.stored.wizard.pages
    .flatMap(({ fields }) => fields.flatMap((one) => [one, ...(one.sub_fields ?? [])]))
    .filter(
      (one) => one.field_id !== field.field_id && !subFieldsOf(field).some(({ field_id }) => field_id === one.field_id),
    );
  const isAnothers = others.some(({ label }) => namesOf(label ?? '').includes(name));
  const isElsewhere = controls.some((each) => each !== control && each.visible && foldText(each.name) === own[0]);
  return isAnothers || isElsewhere ? control.name : undefined;
}

/** Old files write "Date of birth - Month" for a month field within a date of birth. */
function namesOf(label: string): string[] {
  const tail = label.split(/\s[-–—]\s|:\s/).at(-1) ?? '';
  return [...new Set([label, tail].map(foldText))].filter(Boolean);
}

/**
 * The label of the option that the file's selector finds, if its value or label belongs to another option of the file.
 */
function otherChoice(options: readonly WizardOption[], control: Control): string | undefined {
  for (const option of options) {
    if (option.selector === undefined) continue;
    const there = control.options.find((each) => leadsTo(each, new Set([option.selector ?? ''])));
    if (!there) continue;
    // An unchanged value is no proof if the label beside it belongs to another option.
    const others = options.filter((other) => other !== option).map(({ label }) => foldText(label));
    const isAnothers = foldText(there.label) !== foldText(option.label) && others.includes(foldText(there.label));
    if (isAnothers && foldText(there.label) !== '') return there.label;
    if (isCalled(there, option)) continue;
    if (options.some((other) => other !== option && isCalled(there, other))) return there.label;
  }
  return undefined;
}

function isCalled(there: ControlOption, { value, label }: { value: string; label: string }): boolean {
  const names = [value, label].filter(Boolean).map(foldText);
  return names.includes(foldText(there.value)) || names.includes(foldText(there.label));
}
