import { type Control, isField } from '../../platform/page/model.ts';
import { readPage } from '../../platform/page/read.ts';
import { fieldOf } from './complaints.ts';
import type { Run } from './run.ts';

const boxes = ['checkbox', 'checkbox-group', 'switch', 'radio-group'];

/**
 * What a button may wait for without a word: what must be answered and is not, and boxes that nobody has ticked or said
 * anything about, such as the one that agrees to the terms.
 */
export async function leftOpen(run: Run): Promise<string[]> {
  const { controls } = await readPage(run.page(), { timeoutMs: Math.min(5_000, run.left()) });
  const isAnswered = (control: Control) => run.answers.has(fieldOf(run, control)?.field_id ?? '');
  const isOpen = (control: Control) => {
    const { kind, checked, value, required, invalid } = control;
    const isEmpty = checked === null ? value === '' : !checked;
    return isEmpty && (required || invalid || (boxes.includes(kind) && !isAnswered(control)));
  };
  return controls
    .filter((control) => isField(control) && control.visible && !control.disabled && !control.readOnly)
    .filter(isOpen)
    .map(({ name, group, kind }) => name || group || kind);
}
