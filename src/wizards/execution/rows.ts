import { quote } from '../../platform/errors.ts';
import type { SetResult } from '../../platform/page/set-value.ts';
import type { WizardField } from '../files/wizard.ts';
import type { AnswerRow } from '../validation/answers.ts';
import { untilRest } from './advance.ts';
import { type Clicked, clickOn, findButton, reportButton } from './click.ts';
import { complaintsOn } from './complaints.ts';
import { refuseContradictions } from './contradictions.ts';
import type { Destination } from './destination.ts';
import { refusedBySite, runError } from './failures.ts';
import { fillInOrder, partsOf } from './field.ts';
import type { Place } from './healed.ts';
import { checkKept } from './kept.ts';
import type { Run } from './run.ts';
import { checkShown, shownRows } from './shown-rows.ts';

/**
 * Adds one row after the other, each saved and seen to be kept before the next begins; at the end all of them are read back.
 * `whileOpen` may look at a row that was filled in and is not saved yet.
 */
export async function fillRows(
  run: Run,
  field: WizardField,
  rows: readonly AnswerRow[],
  whileOpen: () => Promise<void> = async () => {},
): Promise<void> {
  const at = run.stored.wizard.pages[run.at - 1]?.fields.findIndex(({ field_id }) => field_id === field.field_id) ?? -1;
  const place: Place = ['pages', run.at - 1, 'fields', at];
  const save = {
    ...(field.save_button ?? { text: 'Save', selector: 'Save', selector_type: 'text' as const }),
    known: { name: `${field.field_id}.save_button`, place: [...place, 'save_button'] },
  };
  const button = field.add_button
    ? { ...field.add_button, known: { name: `${field.field_id}.add_button`, place: [...place, 'add_button'] } }
    : { selector: field.add_button_selector ?? '' };
  const reading = shownRows(run, field);
  for (const row of rows) {
    const [add] = await Promise.all([findButton(run, button), reading]);
    await clickOn(add, `The button that adds to ${quote(field.label)}`, run);
    reportButton(run, button, add);
    const kept = await fillInOrder(run, partsOf(field, row));
    const [keep, closes] = await Promise.all([findButton(run, save), closing(add), checkKept(run, kept)]);
    await refuseContradictions(run, kept);
    await whileOpen();
    const last = kept.at(-1)?.result;
    const saving = () => clickOn(keep, `The button that keeps a row of ${quote(field.label)}`, run);
    reportButton(run, save, keep);
    const isKept = closes ? await untilRest(run, saving, closes) : await untilRest(run, saving, never);
    if (!isKept || (await isOpen(last))) await checkSaved(run, field, last, add);
  }
  await checkShown(run, field, rows, await reading);
}

const never: Destination = { name: 'nowhere', isThere: async () => false, appears: () => new Promise(() => {}) };

/** Where a row being edited hides the button for the next one, the button's return says that the row was kept. */
async function closing({ locator }: Clicked): Promise<Destination | undefined> {
  if (await locator.isVisible()) return undefined;
  return {
    name: 'the list of rows',
    isThere: () => locator.isVisible(),
    appears: (limitMs) =>
      locator.waitFor({ state: 'visible', timeout: limitMs }).then(
        () => true,
        () => false,
      ),
  };
}

async function isOpen(last: SetResult | undefined): Promise<boolean> {
  const shown = last?.found.locator.first().isVisible();
  return (await shown?.catch(() => false)) ?? false;
}

/** A row that is still being edited was not saved. */
async function checkSaved(run: Run, field: WizardField, last: SetResult | undefined, add: Clicked): Promise<void> {
  const complaints = await complaintsOn(run);
  if (complaints.length > 0) throw refusedBySite(run.at, complaints);
  // Where rows stay open for editing, a next one has the same fields again; those of one that is closed are gone or empty.
  const open = await isOpen(last);
  const holds = open
    ? await last?.found.locator
        .first()
        .inputValue()
        .catch(() => '')
    : '';
  if (open && holds && !(await add.locator.isVisible()))
    throw runError('navigation_failed', `A row of ${quote(field.label)} on page ${run.at} was not kept by the page.`);
}
