import { quote } from '../../platform/errors.ts';
import { readPage } from '../../platform/page/read.ts';
import { nextChange } from '../../platform/page/settle.ts';
import { conditionsOf } from '../files/fields.ts';
import type { WizardField, WizardPage } from '../files/wizard.ts';
import { isAsked, mayBeAsked } from '../validation/conditions.ts';
import { fieldAmong } from './complaints.ts';
import { refuseContradictions } from './contradictions.ts';
import { emptyFields } from './emptied.ts';
import { runError } from './failures.ts';
import { type Filling, fillInOrder, partsOf } from './field.ts';
import { checkKept, type Kept, untilAnswered } from './kept.ts';
import { refuseElsewhere } from './own-site.ts';
import { fillRows } from './rows.ts';
import type { Run } from './run.ts';
import { noteUnknownQuestions } from './unknown-questions.ts';

/** So long a question may take to appear that nobody has seen with these answers. */
const UNASKED_MS = 2_000;

/** Sets every field of a page that there is an answer for, in the order of the file, and makes sure that all of it stayed. */
export async function fillPage(run: Run, page: WizardPage): Promise<void> {
  refuseElsewhere(run);
  const before = run.pending();
  run.begins();
  const kept: Kept[] = [];
  let waiting: Filling[] = [];
  const fill = async () => {
    kept.push(...(await fillInOrder(run, waiting)));
    waiting = [];
  };
  for (const field of page.fields) {
    const answer = run.answers.get(field.field_id);
    if (!answer || !mayBeAsked(field, run.answers)) continue;
    if (!isAsked(field, run.answers)) {
      // What decides whether it is asked for must be there first.
      await fill();
      await refuseUnasked(run, field);
    }
    if (answer.kind === 'rows') {
      await fill();
      await fillRows(run, field, answer.rows);
    } else if (answer.kind === 'group') waiting.push(...partsOf(field, answer.parts));
    else waiting.push({ field, answer });
  }
  await fill();
  kept.push(...(await emptyFields(run, page)));
  await Promise.all([checkKept(run, kept), noteUnknownQuestions(run, page)]);
  if (await untilAnswered(run, before)) await checkKept(run, kept);
  await refuseContradictions(run, kept);
}

/** Data for a question that the page does not ask is not left out in silence: somebody thinks that it matters. */
async function refuseUnasked(run: Run, field: WizardField): Promise<void> {
  const until = performance.now() + Math.min(UNASKED_MS, run.left());
  for (let left = UNASKED_MS; left > 0; left = until - performance.now()) {
    run.signal.throwIfAborted();
    const { controls } = await readPage(run.page(), { timeoutMs: Math.min(5_000, run.left()) });
    if (controls.some((control) => control.visible && fieldAmong([field], control))) return;
    await nextChange(run.page(), Math.max(1, until - performance.now()));
  }
  const on = conditionsOf(field).map((condition) => condition.field);
  throw runError(
    'selector_not_found',
    `${quote(field.label)} (${field.field_id}) was given, but page ${run.at} does not ask for it with this answer to ${on.join(' and ')}. That page was not sent.`,
    {
      technical_details: 'NOT_ASKED',
      field_id: field.field_id,
      corrective_action: `Leave ${field.field_id} out, or correct the answer to ${on.join(' and ')}.`,
    },
  );
}
