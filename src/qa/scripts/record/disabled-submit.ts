import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../../platform/errors.ts';
import type { Control, PageReading } from '../../../platform/page/page-model.ts';
import type { CasePlan } from '../../cases/case-plan.ts';
import { validValue } from '../../cases/values/field-values.ts';
import type { ClickTarget, FormEvidence } from '../../scan/use-case-evidence.ts';
import { stepsToSetField } from './field-steps.ts';
import { limitToForm, matchCaseField, matchClickable } from './match-controls.ts';
import type { ScriptRecorder } from './script-recorder.ts';

/** Time for a page to validate input before it enables its button. */
const ENABLE_TIMEOUT_MS = 2000;
const POLL_MS = 100;

/**
 * The submit button of a form that invalid input disables: it is enabled when the field is valid, and disabled when it
 * is invalid again. Undefined if it can be clicked.
 */
export async function findDisabledSubmit(
  recorder: ScriptRecorder,
  plan: CasePlan,
  form: Pick<FormEvidence, 'fields' | 'action'>,
  submit: ClickTarget,
): Promise<Control | undefined> {
  const read = async () => limitToForm(await recorder.read(), form);
  const button = async () => matchClickable(await read(), submit);
  const off = await button();
  if (!off?.disabled) return undefined;
  const isOff = async () => (await button())?.disabled === true;
  await enterFieldValue(recorder, plan, form, await read(), 'right');
  if (!(await pollUntil(async () => !(await isOff()))))
    throw new Failure('site_failed', 'ALWAYS_OFF', `“${submit.name}” stays disabled with valid data too.`);
  await enterFieldValue(recorder, plan, form, await read(), 'wrong');
  return (await pollUntil(isOff)) ? off : undefined;
}

/** Enters a valid value in the field that the case is about, or the value of the case. Not recorded in the script. */
async function enterFieldValue(
  recorder: ScriptRecorder,
  { expected, values, typed }: CasePlan,
  { fields }: Pick<FormEvidence, 'fields'>,
  reading: PageReading,
  which: 'right' | 'wrong',
): Promise<void> {
  const field = fields.find(({ key }) => key === expected.field);
  const control = field && matchCaseField(reading, field);
  if (!field || !control) return;
  const value = which === 'right' ? validValue(field) : values[field.key];
  for (const step of stepsToSetField(control, value ?? '', { typed: typed.includes(field.key) }))
    await recorder.performUnrecorded(step);
}

async function pollUntil(holds: () => Promise<boolean>): Promise<boolean> {
  const until = Date.now() + ENABLE_TIMEOUT_MS;
  for (;;) {
    if (await holds()) return true;
    if (Date.now() > until) return false;
    await pause(POLL_MS);
  }
}
