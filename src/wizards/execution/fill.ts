import { quote } from '../../platform/errors.ts';
import { isKept } from '../../platform/page/same-value.ts';
import { readTogether } from '../../platform/page/set-together.ts';
import { readValue, type SetResult } from '../../platform/page/set-value.ts';
import type { WizardField, WizardPage } from '../files/wizard.ts';
import { isAsked } from '../validation/conditions.ts';
import { refuseContradictions } from './contradictions.ts';
import { runError } from './failures.ts';
import { type Filling, fillField, fillInOrder, partsOf } from './field.ts';
import { fillRows } from './rows.ts';
import type { Run } from './run.ts';

interface Kept extends Filling {
  result: SetResult;
}

/** Sets every field of a page that there is an answer for, in the order of the file, and makes sure that all of it stayed. */
export async function fillPage(run: Run, page: WizardPage): Promise<void> {
  const kept: Kept[] = [];
  const filled: WizardField[] = [];
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
    if (answer.kind !== 'rows' && answer.kind !== 'group') filled.push(field);
  }
  await fill();
  await checkKept(run, kept);
  await refuseContradictions(run, page, filled);
}

/**
 * A form that draws itself anew may have lost what was set before: everything is looked at once more, and set once more. An
 * amount that got its commas when it was left has not changed.
 */
async function checkKept(run: Run, kept: readonly Kept[]): Promise<void> {
  if (kept.length < 2) return;
  let again = false;
  for (const one of await changed(kept)) {
    one.result = await fillField(run, one);
    again = true;
  }
  // All of them, since two fields that lead to the same element take turns in it.
  const [lost] = again ? await changed(kept) : [];
  if (lost)
    throw runError(
      'selector_not_found',
      `${quote(lost.field.label ?? lost.field.field_id)} on page ${run.at} does not keep the value that it is given.`,
    );
}

async function changed(kept: readonly Kept[]): Promise<Kept[]> {
  const together = kept.flatMap(({ result }) => result.found.again ?? []);
  const read = await readTogether(together);
  const now = await Promise.all(
    kept.map(({ result: { found } }) =>
      found.again ? read[together.indexOf(found.again)] : readValue(found).catch(() => undefined),
    ),
  );
  return kept.filter(({ result }, i) => {
    const held = now[i];
    return held !== undefined && !isKept(result.readBack, held);
  });
}
