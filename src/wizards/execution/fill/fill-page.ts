import { quote } from '../../../platform/errors.ts';
import { waitForChange } from '../../../platform/page/settle/settle.ts';
import { readPage } from '../../../platform/page/snapshot/page-reader.ts';
import { visibilityConditions } from '../../files/field-traits.ts';
import type { WizardField, WizardPage } from '../../files/wizard-schema.ts';
import { canFieldBeAsked, isFieldAsked } from '../../validation/visibility.ts';
import { throwIfOtherSite } from '../navigate/site-boundary.ts';
import { matchComplaintField } from '../outcome/site-complaints.ts';
import { runError } from '../run/run-error.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import { clearFields } from './clear-fields.ts';
import { type FieldFilling, type FilledField, fillInOrder, groupFillings } from './fill-fields.ts';
import { fillRows } from './fill-rows.ts';
import { warnAboutUnknownQuestions } from './unknown-questions.ts';
import { throwIfContradicted } from './verify-controls.ts';
import { verifyValues, waitForResponses } from './verify-values.ts';

/** So long a question may take to appear that nobody has seen with these answers. */
const APPEAR_WAIT_MS = 2_000;

/** Sets every field of a page that there is an answer for, in the order of the file, and makes sure that all of it stayed. */
export async function fillPage(run: WizardRun, page: WizardPage): Promise<void> {
  throwIfOtherSite(run);
  const before = run.pendingRequests();
  run.markFillStart();
  const kept: FilledField[] = [];
  let waiting: FieldFilling[] = [];
  const fill = async () => {
    kept.push(...(await fillInOrder(run, waiting)));
    waiting = [];
  };
  for (const field of page.fields) {
    const answer = run.answers.get(field.field_id);
    if (!answer || !canFieldBeAsked(field, run.answers)) continue;
    if (!isFieldAsked(field, run.answers)) {
      // What decides whether it is asked for must be there first.
      await fill();
      await throwIfNotAsked(run, field);
    }
    if (answer.kind === 'rows') {
      await fill();
      await fillRows(run, field, answer.rows);
    } else if (answer.kind === 'group') waiting.push(...groupFillings(field, answer.parts));
    else waiting.push({ field, answer });
  }
  await fill();
  kept.push(...(await clearFields(run, page)));
  await Promise.all([verifyValues(run, kept), warnAboutUnknownQuestions(run, page)]);
  if (await waitForResponses(run, before)) await verifyValues(run, kept);
  await throwIfContradicted(run, kept);
}

/** Data for a question that the page does not ask is not left out in silence: somebody thinks that it matters. */
async function throwIfNotAsked(run: WizardRun, field: WizardField): Promise<void> {
  const until = performance.now() + Math.min(APPEAR_WAIT_MS, run.remainingMs());
  for (let left = APPEAR_WAIT_MS; left > 0; left = until - performance.now()) {
    run.signal.throwIfAborted();
    const { controls } = await readPage(run.page(), { timeoutMs: Math.min(5_000, run.remainingMs()) });
    if (controls.some((control) => control.visible && matchComplaintField([field], control))) return;
    await waitForChange(run.page(), Math.max(1, until - performance.now()));
  }
  const on = visibilityConditions(field).map((condition) => condition.field);
  throw runError(
    'selector_not_found',
    `${quote(field.label)} (${field.field_id}) was given, but page ${run.pageNumber} does not ask for it with this answer to ${on.join(' and ')}. The page was not submitted.`,
    {
      technical_details: 'NOT_ASKED',
      field_id: field.field_id,
      corrective_action: `Leave ${field.field_id} out, or correct the answer to ${on.join(' and ')}.`,
    },
  );
}
