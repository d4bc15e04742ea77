import type { Control } from '../../platform/page/model.ts';
import type { Pen } from './pen.ts';
import { placeOf } from './write-steps.ts';

/** Letters that most words have, in the order in which they are tried. */
const beginnings = ['a', 'e', 'o'];
const WAIT_MS = 1500;

/**
 * A field that proposes only while somebody types: a letter is typed, and the first proposal is taken. False where it
 * proposes nothing, or says beforehand what it would.
 */
export async function takeProposal(pen: Pen, control: Control): Promise<boolean> {
  if (control.kind !== 'typeahead' || control.options.length > 0) return false;
  const on = placeOf(control);
  const proposed = pen.page().getByRole('option').filter({ visible: true }).first();
  for (const value of beginnings) {
    await pen.tryOut({ do: 'type', on, value });
    const isThere = await proposed.waitFor({ timeout: WAIT_MS }).then(
      () => true,
      () => false,
    );
    const text = isThere ? (await proposed.innerText()).trim() : '';
    await pen.tryOut({ do: 'fill', on, value: '' });
    if (text === '') continue;
    await pen.write({ do: 'type', on, value });
    await pen.write({
      do: 'click',
      on: { name: text, ladder: [{ by: 'role', role: 'option', value: text }] },
      times: 1,
    });
    return true;
  }
  return false;
}
