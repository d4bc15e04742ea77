import { quote } from '../../platform/errors.ts';
import type { Control, ControlOption } from '../../platform/page/model.ts';
import { readPage } from '../../platform/page/read.ts';
import { selectorOf } from '../../platform/page/rung-text.ts';
import type { WizardField, WizardOption, WizardSubField } from '../files/wizard.ts';
import { folded } from '../validation/words.ts';
import { runError } from './failures.ts';
import type { Kept } from './kept.ts';
import type { Run } from './run.ts';

type AnyField = WizardField | WizardSubField;

/**
 * Files that know only ids cannot prove that an id still belongs to the same question. Their labels and choices are words of
 * whoever wrote the file, so they prove nothing either; but they can contradict: what is set must not be what the file calls
 * by another field's name, nor stand beside something that has this field's own name.
 */
export async function refuseContradictions(run: Run, kept: readonly Kept[]): Promise<void> {
  const unproven = kept.filter(({ field }) => !isProven(field));
  if (unproven.length === 0) return;
  const { controls } = await readPage(run.page(), { timeoutMs: Math.min(5_000, run.left()) });
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
        `${quote(field.label ?? field.field_id)} (${field.field_id}) on page ${run.at}: its selector now leads to ${quote(other)}, which is something else.`,
        { field_id: field.field_id, technical_details: 'ELEMENT_CHANGED' },
      );
  }
}

const knowsName = (ways: readonly string[]) => ways.some((way) => /role=[a-z]+\[name=|internal:label=/.test(way));

/** Whether the file knows what the page calls a field, or its choices, and finds it by that only. */
export function isProven(field: AnyField): boolean {
  const { selector, locators = [], options = [] } = field;
  const parts = partsOf(field);
  if (parts.length > 0) return parts.every(isProven);
  // The options of a list are no elements of their own that something could lead to.
  const ways = options
    .map((option) => [option.selector ?? '', ...(option.locators ?? [])].filter(Boolean))
    .filter((each) => each.length > 0);
  return ways.length === 0 ? knowsName([selector, ...locators]) : ways.every(knowsName);
}

/** A date in parts is known by its parts. */
const partsOf = (field: AnyField): readonly WizardSubField[] =>
  'sub_fields' in field && Array.isArray(field.sub_fields) ? field.sub_fields : [];

/** The control that was set: by a way of the file, else by the id of the element that was found. */
function controlOf(field: AnyField, id: string | null, controls: readonly Control[]): Control | undefined {
  const ways = waysOf(field);
  const all = controls.flatMap((control) => [control, ...control.parts.map((part) => part.control)]);
  const isIt = (one: Pick<Control, 'ladder'>) =>
    leadsTo(one, ways) || one.ladder.some(({ by, value }) => id !== null && by === 'id' && value === id);
  // The parts of a date are closer to the field than the date that they make up.
  return (
    all.findLast((each) => each.id === id && id !== null) ?? all.find((each) => [each, ...each.options].some(isIt))
  );
}

function waysOf({ selector, locators = [], selector_alternatives = [], options = [] }: AnyField): Set<string> {
  return new Set([
    selector,
    ...locators,
    ...selector_alternatives,
    ...options.flatMap((option) => [option.selector ?? '', ...(option.locators ?? [])]),
  ]);
}

function leadsTo({ ladder }: Pick<Control, 'ladder'>, ways: ReadonlySet<string>): boolean {
  return ladder.some((rung) => ways.has(selectorOf(rung)));
}

/** The name of the control, where that is another field's, or where another control has the name of this field. */
function otherName(run: Run, field: AnyField, control: Control, controls: readonly Control[]): string | undefined {
  const own = namesOf(field.label ?? '');
  const name = folded(control.name);
  if (name === '' || own.includes(name)) return undefined;
  const others = run.stored.wizard.pages
    .flatMap(({ fields }) => fields.flatMap((one) => [one, ...(one.sub_fields ?? [])]))
    .filter(
      (one) => one.field_id !== field.field_id && !partsOf(field).some(({ field_id }) => field_id === one.field_id),
    );
  const isAnothers = others.some(({ label }) => namesOf(label ?? '').includes(name));
  const isElsewhere = controls.some((each) => each !== control && each.visible && folded(each.name) === own[0]);
  return isAnothers || isElsewhere ? control.name : undefined;
}

/** Old files write "Date of birth - Month" where the page has a month within a date of birth. */
function namesOf(label: string): string[] {
  const tail = label.split(/\s[-–—]\s|:\s/).at(-1) ?? '';
  return [...new Set([label, tail].map(folded))].filter(Boolean);
}

/** The label of an option that the file's selector leads to, where its value or label is that of another of the file. */
function otherChoice(options: readonly WizardOption[], control: Control): string | undefined {
  for (const option of options) {
    if (option.selector === undefined) continue;
    const there = control.options.find((each) => leadsTo(each, new Set([option.selector ?? ''])));
    if (!there) continue;
    // A value that stayed is no proof where the words beside it are another's.
    const others = options.filter((other) => other !== option).map(({ label }) => folded(label));
    const isAnothers = folded(there.label) !== folded(option.label) && others.includes(folded(there.label));
    if (isAnothers && folded(there.label) !== '') return there.label;
    if (isCalled(there, option)) continue;
    if (options.some((other) => other !== option && isCalled(there, other))) return there.label;
  }
  return undefined;
}

function isCalled(there: ControlOption, { value, label }: { value: string; label: string }): boolean {
  const names = [value, label].filter(Boolean).map(folded);
  return names.includes(folded(there.value)) || names.includes(folded(there.label));
}
