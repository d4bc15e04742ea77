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

/** How long a question may take to appear if the discovery has not seen it with these answers. */
const APPEAR_WAIT_MS = 2_000;

/**
 * Sets every field of a page that has an answer, in the order of the file, and verifies that the page keeps all values.
 */
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
      // The answers that decide whether this field is asked must be on the page first.
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

/** Fails if user data answers a question that the page does not ask: the caller expects the answer to count. */
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
