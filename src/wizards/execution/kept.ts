import { quote } from '../../platform/errors.ts';
import { isKept } from '../../platform/page/same-value.ts';
import { readTogether } from '../../platform/page/set-together.ts';
import { readValue, type SetResult } from '../../platform/page/set-value.ts';
import { runError } from './failures.ts';
import { type Filling, fillField } from './field.ts';
import type { Run } from './run.ts';

export interface Kept extends Filling {
  result: SetResult;
}

/**
 * A form that draws itself anew may have lost what was set before, and one that looks at a value when its field is left may
 * have changed it: everything is looked at once more, and set once more. An amount that got its commas has not changed.
 */
export async function checkKept(run: Run, kept: readonly Kept[]): Promise<void> {
  if (kept.length === 0) return;
  let again = false;
  for (const one of await changed(run, kept)) {
    one.result = await fillField(run, one);
    again = true;
  }
  // All of them, since two fields that lead to the same element take turns in it.
  const [lost] = again ? await changed(run, kept) : [];
  if (lost)
    throw runError(
      'selector_not_found',
      `${quote(lost.field.label ?? lost.field.field_id)} on page ${run.at} does not keep the value that it is given.`,
    );
}

/** Those that hold something else by now, or are not there any more. */
async function changed(run: Run, kept: readonly Kept[]): Promise<Kept[]> {
  const together = kept.flatMap(({ result }) => result.found.again ?? []);
  if (together.length < kept.length) await leaveField(run);
  const read = await readTogether(together, { leaves: true });
  const now = await Promise.all(
    kept.map(({ result: { found } }) =>
      found.again ? read[together.indexOf(found.again)] : readValue(found).catch(() => undefined),
    ),
  );
  return kept.filter(({ result }, i) => {
    const held = now[i];
    return held === undefined || !isKept(result.readBack, held);
  });
}

async function leaveField(run: Run): Promise<void> {
  const frames = run.page().frames().slice(0, 10);
  await Promise.all(frames.map((frame) => frame.evaluate(leaveInPage).catch(() => {})));
}

/** In the page. */
function leaveInPage(): void {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  if (active instanceof HTMLElement && active !== document.body) active.blur();
}
