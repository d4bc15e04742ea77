import { quote } from '../../platform/errors.ts';
import type { SetResult } from '../../platform/page/set-value.ts';
import { settled } from '../../platform/page/settle.ts';
import type { WizardField } from '../files/wizard.ts';
import type { AnswerRow } from '../validation/answers.ts';
import { clickOn, findButton } from './click.ts';
import { complaintsOn } from './complaints.ts';
import { refusedBySite, runError } from './failures.ts';
import { fillInOrder } from './field.ts';
import { partsOf } from './fill.ts';
import type { Run } from './run.ts';

/** Adds one row after the other, each saved and seen to be kept before the next begins. */
export async function fillRows(run: Run, field: WizardField, rows: readonly AnswerRow[]): Promise<void> {
  const save = field.save_button ?? { text: 'Save', selector: 'Save', selector_type: 'text' as const };
  for (const row of rows) {
    const add = await findButton(run, { selector: field.add_button_selector ?? '' });
    await settled(run.page(), () => clickOn(add, `The button that adds to ${quote(field.label)}`, run), {
      signal: run.signal,
    });
    const last = (await fillInOrder(run, partsOf(field, row))).at(-1)?.result;
    const button = await findButton(run, save);
    await settled(run.page(), () => clickOn(button, `The button that keeps a row of ${quote(field.label)}`, run), {
      signal: run.signal,
    });
    await checkSaved(run, field, last);
  }
}

/** A row that is still being edited was not saved. */
async function checkSaved(run: Run, field: WizardField, last: SetResult | undefined) {
  const complaints = await complaintsOn(run);
  if (complaints.length > 0) throw refusedBySite(run.at, complaints);
  // Where rows stay open for editing, a next one has the same fields again; those of one that is closed are gone or empty.
  const open =
    last &&
    (await last.found.locator
      .first()
      .isVisible()
      .catch(() => false));
  const holds = open
    ? await last?.found.locator
        .first()
        .inputValue()
        .catch(() => '')
    : '';
  const add = await findButton(run, { selector: field.add_button_selector ?? '' }, 1_000).catch(() => undefined);
  const canAdd = await add?.locator.isVisible();
  if (open && holds && !canAdd)
    throw runError('navigation_failed', `A row of ${quote(field.label)} on page ${run.at} was not kept by the page.`);
}
