import { quote } from '../../../platform/errors.ts';
import type { SetResult } from '../../../platform/page/act/settable-control.ts';
import type { WizardField } from '../../files/wizard-schema.ts';
import type { WizardAnswerRow } from '../../validation/answers.ts';
import { runUntilSettled } from '../navigate/advance-page.ts';
import { clickButton, type FoundButton, findButton, reportHealedButton } from '../navigate/click-button.ts';
import type { Destination } from '../navigate/page-destination.ts';
import { listComplaints } from '../outcome/site-complaints.ts';
import type { FilePath } from '../record/healed-selectors.ts';
import { runError, siteValidationError } from '../run/run-error.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import { fillInOrder, groupFillings } from './fill-fields.ts';
import { throwIfContradicted } from './verify-controls.ts';
import { readShownRows, verifyShownRows } from './verify-rows.ts';
import { verifyValues } from './verify-values.ts';

/**
 * Adds the rows one after the other. Each row is saved and visible before the next one begins; at the end all rows are
 * read back.
 * `whileOpen` is called for a row that is filled in and not saved yet.
 */
export async function fillRows(
  run: WizardRun,
  field: WizardField,
  rows: readonly WizardAnswerRow[],
  whileOpen: () => Promise<void> = async () => {},
): Promise<void> {
  const at =
    run.stored.wizard.pages[run.pageNumber - 1]?.fields.findIndex(({ field_id }) => field_id === field.field_id) ?? -1;
  const filePath: FilePath = ['pages', run.pageNumber - 1, 'fields', at];
  const save = {
    ...(field.save_button ?? { text: 'Save', selector: 'Save', selector_type: 'text' as const }),
    source: { name: `${field.field_id}.save_button`, filePath: [...filePath, 'save_button'] },
  };
  const button = field.add_button
    ? { ...field.add_button, source: { name: `${field.field_id}.add_button`, filePath: [...filePath, 'add_button'] } }
    : { selector: field.add_button_selector ?? '' };
  const reading = readShownRows(run, field);
  for (const row of rows) {
    const [add] = await Promise.all([findButton(run, button), reading]);
    await clickButton(add, `The button that adds to ${quote(field.label)}`, run);
    reportHealedButton(run, button, add);
    const kept = await fillInOrder(run, groupFillings(field, row));
    const [keep, closes] = await Promise.all([findButton(run, save), rowClosed(add), verifyValues(run, kept)]);
    await throwIfContradicted(run, kept);
    await whileOpen();
    const last = kept.at(-1)?.result;
    const saving = () => clickButton(keep, `The button that keeps a row of ${quote(field.label)}`, run);
    reportHealedButton(run, save, keep);
    const isKept = closes ? await runUntilSettled(run, saving, closes) : await runUntilSettled(run, saving, never);
    if (!isKept || (await isRowOpen(last))) await throwIfRowNotSaved(run, field, last, add);
  }
  await verifyShownRows(run, field, rows, await reading);
}

const never: Destination = { name: 'nowhere', isThere: async () => false, waitUntilThere: () => new Promise(() => {}) };

/** If an open row hides the button for the next row, the reappearance of that button shows that the row was saved. */
async function rowClosed({ locator }: FoundButton): Promise<Destination | undefined> {
  if (await locator.isVisible()) return undefined;
  return {
    name: 'the list of rows',
    isThere: () => locator.isVisible(),
    waitUntilThere: (limitMs) =>
      locator.waitFor({ state: 'visible', timeout: limitMs }).then(
        () => true,
        () => false,
      ),
  };
}

async function isRowOpen(last: SetResult | undefined): Promise<boolean> {
  const shown = last?.found.locator.first().isVisible();
  return (await shown?.catch(() => false)) ?? false;
}

/** Fails if the row is still open for editing, because such a row was not saved. */
async function throwIfRowNotSaved(
  run: WizardRun,
  field: WizardField,
  last: SetResult | undefined,
  add: FoundButton,
): Promise<void> {
  const complaints = await listComplaints(run);
  if (complaints.length > 0) throw siteValidationError(run.pageNumber, complaints);
  // If rows stay open for editing, the next row has the same fields again; the fields of a closed row are missing or
  // empty.
  const open = await isRowOpen(last);
  const holds = open
    ? await last?.found.locator
        .first()
        .inputValue()
        .catch(() => '')
    : '';
  if (open && holds && !(await add.locator.isVisible()))
    throw runError(
      'navigation_failed',
      `A row of ${quote(field.label)} on page ${run.pageNumber} was not saved by the page.`,
    );
}
