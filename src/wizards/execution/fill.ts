import type { WizardPage } from '../files/wizard.ts';
import { isAsked } from '../validation/conditions.ts';
import { refuseContradictions } from './contradictions.ts';
import { emptyFields } from './emptied.ts';
import { type Filling, fillInOrder, partsOf } from './field.ts';
import { checkKept, type Kept, untilAnswered } from './kept.ts';
import { refuseElsewhere } from './own-site.ts';
import { fillRows } from './rows.ts';
import type { Run } from './run.ts';
import { noteUnknownQuestions } from './unknown-questions.ts';

/** Sets every field of a page that there is an answer for, in the order of the file, and makes sure that all of it stayed. */
export async function fillPage(run: Run, page: WizardPage): Promise<void> {
  refuseElsewhere(run);
  const before = run.pending();
  const kept: Kept[] = [];
  let waiting: Filling[] = [];
  const fill = async () => {
    kept.push(...(await fillInOrder(run, waiting)));
    waiting = [];
  };
  for (const field of page.fields) {
    const answer = run.answers.get(field.field_id);
    if (!answer || !isAsked(field, run.answers)) continue;
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
