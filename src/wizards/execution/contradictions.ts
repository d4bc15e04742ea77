import { quote } from '../../platform/errors.ts';
import type { Control, ControlOption } from '../../platform/page/model.ts';
import { readPage } from '../../platform/page/read.ts';
import { selectorOf } from '../../platform/page/rung-text.ts';
import type { WizardField, WizardPage } from '../files/wizard.ts';
import { folded } from '../validation/words.ts';
import { runError } from './failures.ts';
import type { Run } from './run.ts';

/**
 * Files that know only ids cannot prove that an id still belongs to the same question. Their labels and choices are words of
 * whoever wrote the file, so they prove nothing either; but they can contradict: an id that now belongs to what the file, or
 * the page, calls by another field's name is not filled in.
 */
export async function refuseContradictions(run: Run, page: WizardPage, filled: readonly WizardField[]): Promise<void> {
  const unproven = filled.filter((field) => !isProven(field));
  if (unproven.length === 0) return;
  const { controls } = await readPage(run.page(), { timeoutMs: Math.min(5_000, run.left()) });
  for (const field of unproven) {
    const control = controls.find((each) => [each, ...each.options].some((one) => leadsTo(one, waysOf(field))));
    if (!control) continue;
    const other = field.options ? otherChoice(field, control) : otherName(field, control, controls, page);
    if (other !== undefined)
      throw runError(
        'selector_not_found',
        `${quote(field.label)} (${field.field_id}) on page ${run.at}: its selector now leads to ${quote(other)}, which is something else.`,
        { field_id: field.field_id, technical_details: 'ELEMENT_CHANGED' },
      );
  }
}

const knowsName = (ways: readonly string[]) => ways.some((way) => /role=[a-z]+\[name=|internal:label=/.test(way));

function isProven({ selector, locators = [], options = [] }: WizardField): boolean {
  // The options of a list are no elements of their own that something could lead to.
  const ways = options
    .map((option) => [option.selector ?? '', ...(option.locators ?? [])].filter(Boolean))
    .filter((each) => each.length > 0);
  return ways.length === 0 ? knowsName([selector, ...locators]) : ways.every(knowsName);
}

function waysOf({ selector, locators = [], selector_alternatives = [], options = [] }: WizardField): Set<string> {
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
function otherName(
  field: WizardField,
  control: Control,
  controls: readonly Control[],
  page: WizardPage,
): string | undefined {
  const name = folded(control.name);
  const own = folded(field.label);
  if (name === own) return undefined;
  const isAnothers = page.fields.some(({ field_id, label }) => field_id !== field.field_id && folded(label) === name);
  const isElsewhere = controls.some((each) => each !== control && each.visible && folded(each.name) === own);
  return isAnothers || isElsewhere ? control.name : undefined;
}

/** The label of an option that the file's selector leads to, where its value or label is that of another of the file. */
function otherChoice({ options = [] }: WizardField, control: Control): string | undefined {
  for (const option of options) {
    if (option.selector === undefined) continue;
    const there = control.options.find((each) => leadsTo(each, new Set([option.selector ?? ''])));
    if (!there || isCalled(there, option)) continue;
    if (options.some((other) => other !== option && isCalled(there, other))) return there.label;
  }
  return undefined;
}

function isCalled(there: ControlOption, { value, label }: { value: string; label: string }): boolean {
  const names = [value, label].filter(Boolean).map(folded);
  return names.includes(folded(there.value)) || names.includes(folded(there.label));
}
