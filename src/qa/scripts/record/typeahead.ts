import type { Control } from '../../../platform/page/page-model.ts';
import { toElementTarget } from './field-steps.ts';
import type { ScriptRecorder } from './script-recorder.ts';

/** Letters that most words contain, in the order of the attempts. */
const typedLetters = ['a', 'e', 'o'];
const WAIT_MS = 1500;

/**
 * Types a letter into a field that proposes values only during typing, and takes the first proposal. Returns false for
 * a field without proposals or with declared options.
 */
export async function recordTypeaheadChoice(recorder: ScriptRecorder, control: Control): Promise<boolean> {
  if (control.kind !== 'typeahead' || control.options.length > 0) return false;
  const on = toElementTarget(control);
  const proposed = recorder.page().getByRole('option').filter({ visible: true }).first();
  for (const value of typedLetters) {
    await recorder.performUnrecorded({ do: 'type', on, value });
    const isThere = await proposed.waitFor({ timeout: WAIT_MS }).then(
      () => true,
      () => false,
    );
    const text = isThere ? (await proposed.innerText()).trim() : '';
    await recorder.performUnrecorded({ do: 'fill', on, value: '' });
    if (text === '') continue;
    await recorder.record({ do: 'type', on, value });
    await recorder.record({
      do: 'click',
      on: { name: text, ladder: [{ by: 'role', role: 'option', value: text }] },
      times: 1,
    });
    return true;
  }
  return false;
}
