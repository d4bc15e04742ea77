import { Failure, quote } from '../../../platform/errors.ts';
import { setMany } from '../../../platform/page/act/set-many.ts';
import { setControl } from '../../../platform/page/act/set-value.ts';
import type { HealedElement, SetResult, SettableControl } from '../../../platform/page/act/settable-control.ts';
import { rungToSelector } from '../../../platform/page/locate/rung-selector.ts';
import { readPage } from '../../../platform/page/snapshot/page-reader.ts';
import { datePartFields } from '../../files/field-traits.ts';
import { isPrivateField } from '../../files/private-fields.ts';
import type { WizardField, WizardSubField } from '../../files/wizard-schema.ts';
import { answerValues, type WizardAnswer } from '../../validation/answers.ts';
import { foldText } from '../../validation/read-values.ts';
import { redactValue } from '../../validation/redact-values.ts';
import { APPEAR_MS } from '../navigate/click-button.ts';
import { addHealed, type FilePath } from '../record/healed-selectors.ts';
import { runError, siteValidationError } from '../run/run-error.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import { toSettable, toSettableValue } from './page-controls.ts';

/** A field, or a part of one, with the answer to enter. */
export interface FieldFilling {
  field: WizardField | WizardSubField;
  answer: WizardAnswer;
  /** The group that the field is a part of. */
  group?: WizardField;
}

/** A filled field with the value that was read back. */
export interface FilledField extends FieldFilling {
  result: SetResult;
}

/** The fillings for the parts of a group that occurs once. */
export function groupFillings(group: WizardField, parts: ReadonlyMap<string, WizardAnswer>): FieldFilling[] {
  return (group.sub_fields ?? []).flatMap((field) => {
    const answer = parts.get(field.field_id);
    return answer ? [{ field, answer, group }] : [];
  });
}

/** Sets fields in their order: as many as possible in one step, the others one by one. */
export async function fillInOrder(run: WizardRun, fillings: readonly FieldFilling[]): Promise<FilledField[]> {
  const filled: FilledField[] = [];
  while (filled.length < fillings.length) {
    run.signal.throwIfAborted();
    const rest = fillings.slice(filled.length);
    const begun = performance.now();
    const settings = rest.map(({ field, answer }) => ({ control: toSettable(field), value: toSettableValue(answer) }));
    const together = await setMany(run.page(), settings);
    for (const [i, result] of together.entries()) {
      const filling = rest[i];
      if (filling) filled.push({ ...filling, result });
      if (filling)
        recordFilling(run, filling, toSettable(filling.field), result, (performance.now() - begun) / together.length);
    }
    const next = fillings[filled.length];
    if (next) filled.push({ ...next, result: await fillField(run, next) });
  }
  return filled;
}

/** Sets one field, and reports the selector that found it. `byKeys` types a text key by key. */
export async function fillField(run: WizardRun, filling: FieldFilling, byKeys = false): Promise<SetResult> {
  const { field, answer } = filling;
  run.signal.throwIfAborted();
  const { settable, isLookedUp } = await lookUpOption(run, toSettable(field), answer);
  const begun = performance.now();
  const timeoutMs = Math.min(APPEAR_MS, run.remainingMs());
  const { signal, pendingRequests } = run;
  const setting = setControl(run.page(), settable, toSettableValue(answer), {
    timeoutMs,
    signal,
    pending: pendingRequests,
    byKeys,
  });
  const result = await setting.catch((error: unknown) => {
    throw toFieldError(error, run, filling);
  });
  recordFilling(run, filling, settable, result, performance.now() - begun, isLookedUp);
  return result;
}

function recordFilling(
  run: WizardRun,
  filling: FieldFilling,
  settable: SettableControl,
  { found: { rung }, heals = [] }: SetResult,
  ms: number,
  isLookedUp = false,
): void {
  const { field, answer, group } = filling;
  const ladder = usedLadder(settable, answer);
  const used = ladder[rung];
  const locator = used ? rungToSelector(used) : field.selector;
  const isChoice = answer.kind === 'choice' || answer.kind === 'choices';
  const name = group ? `${group.field_id}.${field.field_id}` : field.field_id;
  run.record.step({
    step: 'field',
    page: run.pageNumber,
    field: name,
    // The selector of an option reveals the choice, so the record keeps it as a hash, like every value.
    locator: isChoice && field.field_type !== 'select' ? `option ${run.record.hash(locator)}` : locator,
    rung,
    ms: Math.round(ms),
    value: run.record.hash(answerValues(answer).join('\n') || String(answer.kind === 'switch' && answer.on)),
  });
  const isPrivateChoice = isChoice && isPrivateField(field);
  for (const heal of heals) {
    const part = heal.part ? `${name}.${heal.part}` : name;
    addHealed(run, { ...heal, name: part, filePath: filePathOf(run, filling, heal), isPrivateChoice });
  }
  // The file has no selector for this choice: the choice was found on the page, beside one that the file has.
  if (isLookedUp && answer.kind === 'choice')
    addHealed(run, {
      name,
      filePath: filePathOf(run, filling, { option: answer.value }),
      from: '',
      to: locator,
      rung,
      isPrivateChoice,
    });
}

/** The position in the file of the selector of a field, of a part or of an option. */
function filePathOf(
  run: WizardRun,
  { field, group }: FieldFilling,
  { part, option, key }: Partial<HealedElement>,
): FilePath {
  const fields = run.stored.wizard.pages[run.pageNumber - 1]?.fields ?? [];
  const outer = group ?? field;
  const fileSlot: (string | number)[] = ['pages', run.pageNumber - 1, 'fields'];
  fileSlot.push(fields.findIndex(({ field_id }) => field_id === outer.field_id));
  const subs: readonly WizardSubField[] = fields.find(({ field_id }) => field_id === outer.field_id)?.sub_fields ?? [];
  const parts = part && fields.find(({ field_id }) => field_id === outer.field_id);
  const sub = parts ? datePartFields(parts)?.get(part) : group ? field : undefined;
  if (sub)
    fileSlot.push(
      'sub_fields',
      subs.findIndex(({ field_id }) => field_id === sub.field_id),
    );
  const index = option === undefined ? -1 : (field.options ?? []).findIndex(({ value }) => value === option);
  // In an old file, the selector of the example option is the selector of the field.
  const known = field.options?.[index];
  const isOwn = known && !key && !known.selector && known.value === field.example_value;
  return index < 0 || isOwn ? fileSlot : [...fileSlot, 'options', index];
}

/**
 * Looks up a radio option on the page, because old files have the selector of one option only. Searches the group of
 * that option by value, label or id, and clicks nothing if the match is ambiguous.
 */
async function lookUpOption(
  run: WizardRun,
  settable: SettableControl,
  answer: WizardAnswer,
): Promise<{ settable: SettableControl; isLookedUp: boolean }> {
  if (settable.kind !== 'radio-group' || answer.kind !== 'choice') return { settable, isLookedUp: false };
  const known = settable.options ?? [{ value: answer.value, label: '', ladder: [] }];
  const meant = known.find(({ value }) => value === answer.value);
  if (!meant || meant.ladder.length > 0) return { settable: { ...settable, options: known }, isLookedUp: false };
  const { controls } = await readPage(run.page(), { timeoutMs: Math.min(APPEAR_MS, run.remainingMs()) });
  const ways = new Set(settable.ladder.map(rungToSelector));
  const group = controls.find(({ options }) =>
    options.some(({ ladder }) => ladder.some((rung) => ways.has(rungToSelector(rung)))),
  );
  const wanted = foldText(meant.label || meant.value);
  const same = (group?.options ?? []).filter(
    ({ value, label, ladder }) =>
      foldText(value) === wanted ||
      foldText(label) === wanted ||
      ladder.some(({ by, value: id }) => by === 'id' && endsWith(id, wanted)),
  );
  const [only] = same;
  const isClear = only !== undefined && same.length === 1;
  const options = [{ ...meant, ladder: isClear ? only.ladder : [] }];
  return { settable: { ...settable, options }, isLookedUp: isClear };
}

/** Whether an id ends with these words: `StatusMarried` ends with married, `StatusUnmarried` does not. */
function endsWith(id: string, words: string): boolean {
  const parts = (id.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []).map((part) => part.toLowerCase());
  const wanted = words.split(/[^a-z0-9]+/).filter(Boolean);
  return wanted.length > 0 && parts.slice(-wanted.length).join(' ') === wanted.join(' ');
}

/** The ladder that was searched: for a choice, the ladder of the option. */
function usedLadder(settable: SettableControl, answer: WizardAnswer) {
  if (settable.kind !== 'radio-group' || answer.kind !== 'choice') return settable.ladder;
  const option = settable.options?.find(({ value }) => value === answer.value);
  return option && option.ladder.length > 0 ? option.ladder : settable.ladder;
}

/** Adds the label of the field to the error, and the label of its group for a part. */
function toFieldError(error: unknown, run: WizardRun, { field, group }: FieldFilling): unknown {
  if (!(error instanceof Failure) || error.kind === 'unavailable') return error;
  const own = field.label ?? field.field_id;
  const label = group ? `${group.label}: ${own}` : own;
  const id = (group ?? field).field_id;
  if (/^VALUE_/.test(error.code)) {
    const provided_value = redactValue(group ?? field, run.data[id] ?? null);
    return siteValidationError(run.pageNumber, [
      { field: label, message: run.redactor.pageText(error.message), provided_value },
    ]);
  }
  return runError('selector_not_found', `${quote(label)} (${id}) on page ${run.pageNumber}: ${error.message}`, {
    technical_details: error.code,
    field_id: id,
  });
}
