import { quote } from '../../../platform/errors.ts';
import {
  type ClickGuard,
  type ClickGuardInPage,
  clickGuardScript,
  endClickGuards,
} from '../../../platform/page/act/click-guard.ts';
import type { BatchReading } from '../../../platform/page/act/control-request.ts';
import { type ControlState, readControlStates, toUnaskedReadings } from '../../../platform/page/act/set-many.ts';
import { readValue } from '../../../platform/page/act/set-value.ts';
import type { SetResult } from '../../../platform/page/act/settable-control.ts';
import { isValueKept } from '../../../platform/page/act/value-comparison.ts';
import { readControlContext } from '../../../platform/page/locate/element-target.ts';
import { createRestDetector, waitForChange } from '../../../platform/page/settle/settle.ts';
import { runError } from '../run/run-error.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import { changedByPage, expectedEntriesOf } from '../submit/expected-entries.ts';
import { guardedFrames } from '../submit/guarded-click.ts';
import { type FieldFilling, type FilledField, fillField } from './fill-fields.ts';
import { toSettable } from './page-controls.ts';
import { hasQuestion, throwIfOtherQuestion } from './verify-questions.ts';

/** Four of these intervals are longer than the usual debounce of an input. */
const REST_LOOK_MS = 150;

/**
 * Verifies that the page keeps all values, and sets a lost value once more. A page may render its form again and lose
 * values, or change a value on blur. A different number format is no change. Afterwards the click guard watches the
 * fields, so that a later change is not submitted.
 */
export async function verifyValues(run: WizardRun, kept: readonly FilledField[]): Promise<void> {
  if (kept.length === 0) return;
  run.guardedValues = {
    fields: kept.map(({ field }) => field),
    entries: [],
    check: () => verifyValues(run, kept),
    checkAtRest: () => verifyAtRest(run, kept),
    throwIfChanged: () => throwIfChangedOnSubmit(run, kept),
  };
  let now = await lookAtFields(run, kept);
  if (now.some(isClosed)) {
    // A page may disable its fields briefly while it validates them.
    await waitUntilSettled(run);
    now = await lookAtFields(run, kept);
  }
  if (isLostOnly(now)) now = await setAgain(run, kept, now.filter(isLost));
  // A field that listens only to key events loses other input on blur.
  if (isLostOnly(now) && now.some(isTyped)) now = await setAgain(run, kept, now.filter(isTyped), true);
  throwIfLost(run, now);
  for (const { one, around } of now) throwIfOtherQuestion(run, one, around);
  warnAboutHidden(run, now);
}

async function setAgain(
  run: WizardRun,
  kept: readonly FilledField[],
  lost: readonly CheckedField[],
  byKeys = false,
): Promise<CheckedField[]> {
  await endClickGuards(guardedFrames(run));
  for (const { one } of lost) one.result = await fillField(run, one, byKeys);
  // All fields are read again, because two selectors may find the same element.
  return lookAtFields(run, kept);
}

/**
 * Verifies again after the page has changed something. Waits until the page settles, and sets a changed value once
 * more. A second change is an error.
 */
async function verifyAtRest(run: WizardRun, kept: readonly FilledField[]): Promise<void> {
  await waitUntilSettled(run);
  await verifyValues(run, kept);
  await waitUntilSettled(run);
  throwIfLost(run, await lookAtFields(run, kept));
}

/** Fails if the page changed a value while it was submitted. */
async function throwIfChangedOnSubmit(run: WizardRun, kept: readonly FilledField[]): Promise<void> {
  const before = run.guardedValues?.entries ?? [];
  throwIfLost(run, await lookAtFields(run, kept));
  const [one] = changedByPage(before, run.guardedValues?.entries ?? []);
  if (!one) return;
  const isBox = one.checked === false && (one.others ?? []).length === 0;
  const does = isBox
    ? `switches ${quote(one.label)} on by itself`
    : `chooses an answer to ${quote(one.label)} by itself`;
  throw runError('selector_not_found', `Page ${run.pageNumber} was not submitted: it ${does} on submit.`, {
    field_id: one.field_id,
    technical_details: 'VALUE_NOT_KEPT',
    ...(!isBox && {
      corrective_action: `Add an answer for ${one.field_id} to user_data, so that the page does not choose one.`,
    }),
  });
}

/**
 * Waits for requests that the page started because of the entered values, since their responses may change the page.
 * Returns false if there are none.
 */
export async function waitForResponses(run: WizardRun, before: number): Promise<boolean> {
  const deadline = performance.now() + Math.min(5_000, run.remainingMs());
  const isWaiting = () => run.pendingRequests() > before && performance.now() < deadline;
  if (!isWaiting()) return false;
  while (isWaiting()) await waitForChange(run.page(), 50);
  return true;
}

/** Changes of values cause no DOM mutation, so the fields are read several times in any case. */
async function waitUntilSettled(run: WizardRun): Promise<void> {
  const deadline = performance.now() + Math.min(5_000, run.remainingMs());
  const rest = createRestDetector(run.pendingRequests);
  while (performance.now() < deadline && !rest.isAtRest(await waitForChange(run.page(), REST_LOOK_MS)))
    run.signal.throwIfAborted();
}

interface CheckedField extends ControlState {
  one: FilledField;
}

/** The field has another value now, or no longer exists. */
const isLost = ({ one, value }: CheckedField) => value === undefined || !isValueKept(one.result.readBack, value);
/** A disabled field can neither be set nor be submitted; an unchanged hidden field is submitted as it is. */
const isClosed = (now: CheckedField) => now.isDisabled || (now.isHidden && isLost(now));
const isTyped = (now: CheckedField) => isLost(now) && now.one.answer.kind === 'text';
const isLostOnly = (now: readonly CheckedField[]) =>
  now.some(isLost) && !now.some((one) => isLost(one) && isClosed(one));

const labelOf = ({ field }: FieldFilling) => quote(field.label ?? field.field_id);

function throwIfLost(run: WizardRun, now: readonly CheckedField[]): void {
  const failed = now.find(isLost) ?? now.find(isClosed);
  if (!failed) return;
  const { field_id } = failed.one.field;
  const where = `${labelOf(failed.one)} on page ${run.pageNumber}`;
  throw failed.isDisabled
    ? runError(
        'selector_not_found',
        `${where} was filled in, but the page has disabled it since, so it would not be submitted. Another answer may exclude it.`,
        { field_id, technical_details: 'ELEMENT_DISABLED' },
      )
    : runError('selector_not_found', `${where} does not keep its value.`, {
        field_id,
        technical_details: 'VALUE_NOT_KEPT',
      });
}

function warnAboutHidden(run: WizardRun, now: readonly CheckedField[]): void {
  const hidden = now.filter(({ isHidden }) => isHidden).map(({ one }) => labelOf(one));
  const note = `Page ${run.pageNumber} has hidden filled fields, which may not be submitted: ${hidden.join(', ')}`;
  if (hidden.length > 0 && !run.warnings.includes(note)) run.warnings.push(note);
}

/** Reads all fields, and puts them under the click guard. */
async function lookAtFields(run: WizardRun, kept: readonly FilledField[]): Promise<CheckedField[]> {
  const together = kept.flatMap(({ result }) => result.found.again ?? []);
  const isAlone = together.length < kept.length;
  if (isAlone) await leaveField(run);
  const around = kept.some(hasQuestion);
  const unasked = unansweredChoices(run, kept);
  const all = [...together, ...unasked.map(({ again }) => again)];
  const read = await readControlStates(all, { leaves: true, guards: isAlone ? 'more' : 'anew', around });
  const now = await Promise.all(
    kept.map((one) => {
      const { found } = one.result;
      return found.again
        ? read[together.indexOf(found.again)]
        : lookAtField(found, one.field.surroundings !== undefined);
    }),
  );
  const none = { value: undefined, isDisabled: false, isHidden: false };
  const seen = kept.map((one, i) => ({ ...(now[i] ?? none), one }));
  const unmentioned = unasked.flatMap(({ field }, i) =>
    expectedEntriesOf({
      ...(read[together.length + i] ?? none),
      one: { field, answer: { kind: 'switch', on: false } },
    }).map((sending) => ({ ...sending, isUnanswered: true })),
  );
  if (run.guardedValues) run.guardedValues.entries = [...seen.flatMap(expectedEntriesOf), ...unmentioned];
  return seen;
}

/**
 * Options that the file knows and user data does not mention: the page must not change them. They are read together
 * with the others.
 */
function unansweredChoices(
  run: WizardRun,
  kept: readonly FilledField[],
): { field: FieldFilling['field']; again: BatchReading }[] {
  const fields = run.stored.wizard.pages[run.pageNumber - 1]?.fields ?? [];
  const isOpen = ({ field_id, field_type }: FieldFilling['field']) =>
    ['checkbox', 'radio', 'select'].includes(field_type) &&
    !run.answers.has(field_id) &&
    !kept.some(({ field }) => field.field_id === field_id);
  return fields
    .filter(isOpen)
    .flatMap((field) => toUnaskedReadings(run.page(), toSettable(field)).map((again) => ({ field, again })));
}

async function lookAtField(found: SetResult['found'], looksAround: boolean): Promise<ControlState> {
  const value = await readValue(found).catch(() => undefined);
  const [isDisabled = false] = await found.locator.evaluateAll(guardMore).catch(() => []);
  const around = looksAround ? await readControlContext(found.locator).catch(() => undefined) : undefined;
  return { value, isDisabled, isHidden: false, around };
}

/** Runs in the page. */
function guardMore(elements: readonly Element[]): boolean[] {
  const guard: ClickGuard | undefined = Reflect.get(window, Symbol.for('assay.guard'));
  for (const element of elements)
    guard?.add(element, () => (element.id ? (document.getElementById(element.id) ?? undefined) : undefined));
  return elements.map((element) => element.matches(':disabled'));
}

async function leaveField(run: WizardRun): Promise<void> {
  const leaving = `(${leaveInPage})(${clickGuardScript})`;
  await Promise.all(guardedFrames(run).map((frame) => frame.evaluate(leaving).catch(() => {})));
}

/** Runs in the page. */
function leaveInPage(guardIn: ClickGuardInPage): void {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (active instanceof HTMLElement && active !== document.body) active.blur();
  guardIn();
}
