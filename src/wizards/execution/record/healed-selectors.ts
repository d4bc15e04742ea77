import { quote } from '../../../platform/errors.ts';
import { isJsonObject, type Json } from '../../../platform/json.ts';
import { visibilityConditions } from '../../files/field-traits.ts';
import { PRIVATE_VALUE } from '../../files/private-fields.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import type { HealedSelector, JsonPatchStep } from './healing-model.ts';

/** The keys from the root of the file to the object that has the `selector`. */
export type FilePath = readonly (string | number)[];

export interface SelectorHeal {
  name: string;
  filePath: FilePath;
  /** The key of the locator; the default is `selector`. */
  key?: string;
  from: string;
  to: string;
  rung: number;
  /** The selector shows which option the user chose, and the field is private. */
  isPrivateChoice?: boolean;
}

/** Reports a healed selector once. */
export function addHealed(
  run: WizardRun,
  { name, filePath, key = 'selector', from, to, rung, isPrivateChoice }: SelectorHeal,
): void {
  if (run.healed.some((one) => one.field_id === name && one.from === from && one.to === to)) return;
  const file = `${run.stored.wizard.wizard_id}.json`;
  const edit = key === 'value' ? valueEditOf(run, filePath, from, to) : editOf(run, filePath, key, from, to);
  const instead = from ? `instead of ${quote(from)}` : 'as its selector, which the file does not have';
  const what = key === 'value' ? ' as the value of the option with that name,' : '';
  const proposal = `In ${file}, page ${run.pageNumber}, ${name}: set ${quote(to)}${what} ${instead}.`;
  const healed = { field_id: name, page: run.pageNumber, from, to, rung, proposal, edit };
  run.healed.push(healed);
  if (isPrivateChoice) run.privateHeals.add(healed);
}

/** The healed selectors for an error, which may be logged: without those that reveal a private choice. */
export function healedForError({ healed, privateHeals }: WizardRun): HealedSelector[] {
  return healed.map((one) =>
    privateHeals.has(one)
      ? {
          ...one,
          from: PRIVATE_VALUE,
          to: PRIVATE_VALUE,
          edit: [],
          proposal: `A choice of ${one.field_id} was found by another selector.`,
        }
      : one,
  );
}

function editOf({ stored }: WizardRun, filePosition: FilePath, key: string, from: string, to: string): JsonPatchStep[] {
  const written: Json = JSON.parse(JSON.stringify(stored.written ?? stored.wizard));
  const there = valueAt(written, filePosition);
  if (there === undefined) return addedTo(JSON.parse(JSON.stringify(stored.wizard)), written, filePosition, key, to);
  if (!isJsonObject(there)) return [];
  const path = pointer([...filePosition, key]);
  const type = there['selector_type'];
  const plain: JsonPatchStep[] =
    key === 'selector' && (type === 'id' || type === 'text')
      ? [{ op: 'replace', path: pointer([...filePosition, 'selector_type']), value: 'css' }]
      : [];
  if (!(key in there)) return [{ op: 'add', path, value: to }, ...plain];
  // The file may write the same selector differently, such as an id without `#`.
  const before = there[key] ?? from;
  return [{ op: 'test', path, value: before }, { op: 'replace', path, value: to }, ...plain];
}

/**
 * Proposes an edit for the changed value of an option. User data names the value, and it is also the example of its
 * field and part of the conditions of others. The example is changed too; the conditions need a review by the user.
 */
function valueEditOf(run: WizardRun, filePosition: FilePath, from: string, to: string): JsonPatchStep[] {
  const written: Json = JSON.parse(JSON.stringify(run.stored.written ?? run.stored.wizard));
  const field = valueAt(written, filePosition.slice(0, -2));
  if (!isJsonObject(field)) return [];
  const fields = run.stored.wizard.pages.flatMap((page) => page.fields);
  const isNeeded = fields.some((one) =>
    visibilityConditions(one).some((condition) => condition.field === field['field_id']),
  );
  if (isNeeded) return [];
  const isExample = field['example_value'] === from;
  const path = pointer([...filePosition.slice(0, -2), 'example_value']);
  return [
    ...editOf(run, filePosition, 'value', from, to),
    ...(isExample ? [{ op: 'replace' as const, path, value: to }] : []),
  ];
}

/**
 * Proposes to add the nearest missing parent as a whole, because values from notes or from a schema are not in the file
 * yet.
 */
function addedTo(whole: Json, written: Json, filePosition: FilePath, key: string, to: string): JsonPatchStep[] {
  const healedNode = valueAt(whole, filePosition);
  if (!isJsonObject(healedNode)) return [];
  healedNode[key] = to;
  for (let length = filePosition.length - 1; length > 0; length--) {
    const outer = filePosition.slice(0, length);
    const isList = typeof filePosition[length] === 'number';
    if (valueAt(written, outer) !== undefined) {
      const around = filePosition.slice(0, length + 1);
      return [
        { op: 'add', path: isList ? pointer([...outer, '-']) : pointer(around), value: valueAt(whole, around) ?? to },
      ];
    }
  }
  return [];
}

function valueAt(value: Json | undefined, filePosition: FilePath): Json | undefined {
  let now = value;
  for (const step of filePosition) {
    if (Array.isArray(now)) now = typeof step === 'number' ? now[step] : undefined;
    else now = isJsonObject(now) && Object.hasOwn(now, step) ? now[String(step)] : undefined;
  }
  return now;
}

const pointer = (filePosition: FilePath) =>
  filePosition.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
