import { Failure, quote } from '../../platform/errors.ts';
import { LOOK_MS, nextChange } from '../../platform/page/settle.ts';
import { realOptions } from '../cases/values.ts';
import type { FormField } from '../scan/evidence.ts';
import { match } from './match.ts';
import type { Pen } from './pen.ts';
import { stepsToSet } from './write-steps.ts';

const WAIT_MS = 5000;

/** Chooses the first of what a field offers by now, or soon: what that is depends on what was chosen before. */
export async function chooseLive(pen: Pen, field: FormField): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const control = match(await pen.read(), field);
    const option = control && realOptions(control)[0];
    if (control && option) {
      for (const step of stepsToSet(control, option.label)) await pen.write(step);
      return;
    }
    // What changed between the two looks is seen by the next.
    if (performance.now() < deadline) await nextChange(pen.page(), LOOK_MS);
    else throw new Failure('site_failed', 'NO_OPTION', `The field ${quote(field.label)} offers nothing to choose.`);
  }
}
