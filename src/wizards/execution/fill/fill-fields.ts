import { Failure, quote } from '../../../platform/errors.ts';
import { setMany } from '../../../platform/page/act/set-many.ts';
import { setValue } from '../../../platform/page/act/set-value.ts';
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

/** A field, or a part of one, and what it is to hold. */
export interface FieldFilling {
  field: WizardField | WizardSubField;
  answer: WizardAnswer;
  /** The group that it is a part of. */
  group?: WizardField;
}

/** A filled field with what it held when it was read back. */
export interface FilledField extends FieldFilling {
  result: SetResult;
}

/** The parts of a group that is there once. */
export function groupFillings(group: WizardField, parts: ReadonlyMap<string, WizardAnswer>): FieldFilling[] {
  return (group.sub_fields ?? []).flatMap((field) => {
    const answer = parts.get(field.field_id);
    return answer ? [{ field, answer, group }] : [];
  });
}

/** Sets fields in their order: as many at once as can be, the others one by one. */
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

/** Sets one field, and reports by which way it was found. `byKeys`: a text is typed key by key. */
export async function fillField(run: WizardRun, filling: FieldFilling, byKeys = false): Promise<SetResult> {
  const { field, answer } = filling;
  run.signal.throwIfAborted();
  const { settable, isLookedUp } = await lookUpOption(run, toSettable(field), answer);
  const begun = performance.now();
  const timeoutMs = Math.min(APPEAR_MS, run.remainingMs());
  const { signal, pendingRequests } = run;
  const setting = setValue(run.page(), settable, toSettableValue(answer), {
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
    // The way to an option is that to what was chosen: like every value it is kept as a hash.
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
  // The file knows no way to this choice; it was found on the page, beside one that the file knows.
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

/** Where in the file the way to a field, a part of it or an option of it stands. */
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
  // The way to an old file's example is its field's own.
  const known = field.options?.[index];
  const isOwn = known && !key && !known.selector && known.value === field.example_value;
  return index < 0 || isOwn ? fileSlot : [...fileSlot, 'options', index];
}

/**
 * Old files know the way to one option of a radio group only. The others are looked for in the group that this one
 * belongs to, by value, label or id; where that is not clear, nothing is clicked.
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

/** Whether the last words of an id are these: `StatusMarried` ends with married, `StatusUnmarried` does not. */
function endsWith(id: string, words: string): boolean {
  const parts = (id.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g) ?? []).map((part) => part.toLowerCase());
  const wanted = words.split(/[^a-z0-9]+/).filter(Boolean);
  return wanted.length > 0 && parts.slice(-wanted.length).join(' ') === wanted.join(' ');
}

/** Of a choice it is the option that was looked for. */
function usedLadder(settable: SettableControl, answer: WizardAnswer) {
  if (settable.kind !== 'radio-group' || answer.kind !== 'choice') return settable.ladder;
  const option = settable.options?.find(({ value }) => value === answer.value);
  return option && option.ladder.length > 0 ? option.ladder : settable.ladder;
}

/** Which field it was, by the label that a person knows; of a part of a group both. */
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
