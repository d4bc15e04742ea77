import { Failure, quote } from '../../../platform/errors.ts';
import { PAGE_POLL_MS, waitForChange } from '../../../platform/page/settle/settle.ts';
import { realOptions } from '../../cases/values/field-values.ts';
import type { FormField } from '../../scan/use-case-evidence.ts';
import { stepsToSetField } from './field-steps.ts';
import { matchCaseField } from './match-controls.ts';
import type { ScriptRecorder } from './script-recorder.ts';

const WAIT_MS = 5000;

/** Chooses the first option that a field has now or soon: the options may depend on an earlier choice. */
export async function recordFirstOption(recorder: ScriptRecorder, field: FormField): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const control = matchCaseField(await recorder.read(), field);
    const option = control && realOptions(control)[0];
    if (control && option) {
      for (const step of stepsToSetField(control, option.label)) await recorder.record(step);
      return;
    }
    // The next observation has what changed between the two.
    if (performance.now() < deadline) await waitForChange(recorder.page(), PAGE_POLL_MS);
    else throw new Failure('site_failed', 'NO_OPTION', `The field ${quote(field.label)} has no option to choose.`);
  }
}
