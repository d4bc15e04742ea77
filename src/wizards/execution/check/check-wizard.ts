import { Failure, quote } from '../../../platform/errors.ts';
import { endClickGuards } from '../../../platform/page/act/click-guard.ts';
import { type Control, isField, type PageReading } from '../../../platform/page/page-model.ts';
import { readPage } from '../../../platform/page/snapshot/page-reader.ts';
import { pageFingerprint } from '../../discovery/propose/propose-page.ts';
import { wizardStartUrl } from '../../files/base-url.ts';
import type { StoredWizard } from '../../files/wizard-folder.ts';
import { wizardFileName } from '../../files/wizard-id.ts';
import type { WizardField, WizardPage } from '../../files/wizard-schema.ts';
import { validateUserData } from '../../validation/validate-user-data.ts';
import { isFieldAsked } from '../../validation/visibility.ts';
import { type FilledField, fillInOrder, groupFillings } from '../fill/fill-fields.ts';
import { fillRows } from '../fill/fill-rows.ts';
import { throwIfContradicted } from '../fill/verify-controls.ts';
import { verifyValues, waitForResponses } from '../fill/verify-values.ts';
import { advanceTo } from '../navigate/advance-page.ts';
import { findButton, reportHealedButton } from '../navigate/click-button.ts';
import { openForm } from '../navigate/open-form.ts';
import { pageDestination } from '../navigate/page-destination.ts';
import { resultsDestination } from '../outcome/results-destination.ts';
import { fieldOfControl, matchComplaintField } from '../outcome/site-complaints.ts';
import type { JsonPatchStep } from '../record/healing-model.ts';
import { startRunRecord } from '../record/run-record.ts';
import { captureRedactedScreenshot } from '../redaction/redacted-screenshot.ts';
import { createRunRedactor } from '../redaction/run-redactor.ts';
import { raceAbort, startDeadline } from '../run/deadline.ts';
import { runError, toRunError } from '../run/run-error.ts';
import { type ExecutionContext, openBrowserContext, startWizardRun } from '../run/start-run.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import { guardedFrames, throwIfOtherForm } from '../submit/guarded-click.ts';
import { optionChanges } from './option-changes.ts';

type FieldState = 'ok' | 'healed' | 'missing' | 'changed_options' | 'new_required_field' | 'not_checked';

interface FieldDrift {
  page: number;
  field_id: string | null;
  label: string;
  state: FieldState;
  detail: string;
}

export interface CheckOptions {
  seconds: number;
  /** Also submits the last page, and checks the results. */
  sends?: boolean;
}

export interface DriftReport {
  wizard_id: string;
  drifted: boolean;
  pages_checked: number;
  total_pages: number;
  fields: FieldDrift[];
  proposals: string[];
  /** The proposals that can be applied, as a JSON Patch of the wizard file. */
  edits: JsonPatchStep[];
  /** The page and the reason if the check ended before the last page. */
  stopped: { page: number; error: string } | null;
}

/**
 * Fills in a wizard with its example data, and reports what has changed. The check submits the last page only on
 * request, so that nothing final happens. It submits the pages before it to reach the next page.
 */
export async function checkWizard(
  execution: ExecutionContext,
  stored: StoredWizard,
  { seconds, sends = false }: CheckOptions,
): Promise<DriftReport> {
  const { wizard } = stored;
  const examples = wizard.pages
    .flatMap(({ fields }) => fields)
    .map(({ field_id, example_value }) => [field_id, example_value]);
  const data = Object.fromEntries(examples);
  const validated = validateUserData(stored, data, execution.schemas);
  const redactor = createRunRedactor(wizard, validated.answers, {});
  using deadline = startDeadline(seconds, execution.signal);
  const url = wizardStartUrl(wizard);
  await execution.checkAddress(url);
  await using record = await startRunRecord(execution.runs, wizard.wizard_id);
  using _slot = await execution.slots.take(new URL(url).host, deadline.signal).catch((error: unknown) => {
    throw deadline.isExpired() ? runError('timeout', 'No execution slot became free within the time limit.') : error;
  });
  await using opened = await openBrowserContext(execution, deadline);
  const run = await startWizardRun(opened.context, { stored, data, validated, record, deadline, redactor });
  using _watch = run.watch;
  const fields: FieldDrift[] = [];
  const anew: string[] = [];
  let stopped: DriftReport['stopped'] = null;
  try {
    await raceAbort(walkPages(run, execution, { fields, changedPages: anew, sends }), deadline.signal);
  } catch (error) {
    if (execution.signal.aborted) throw error;
    const failure = deadline.isExpired()
      ? runError('timeout', `The check was not complete after ${seconds} seconds.`)
      : toRunError(error);
    if (failure.kind === 'unavailable' || failure.kind === 'configuration') throw failure;
    const jpeg = await captureRedactedScreenshot(
      { ...run, remainingMs: deadline.remainingTotalMs },
      80,
      100_000,
      1_000,
    ).catch(() => undefined);
    const picture = jpeg && (await record.keepPicture('error', jpeg));
    if (picture) execution.attachScreenshot(picture);
    stopped = { page: run.pageNumber, error: failure.message };
  }
  return {
    wizard_id: wizardFileName(wizard.wizard_id),
    drifted:
      stopped !== null || anew.length > 0 || fields.some(({ state }) => state !== 'ok' && state !== 'not_checked'),
    pages_checked: stopped ? stopped.page - 1 : wizard.pages.length,
    total_pages: wizard.pages.length,
    fields: [...fields, ...unchecked(stored, fields)],
    proposals: [...run.healed.map(({ proposal }) => proposal), ...anew],
    edits: run.healed.flatMap(({ edit }) => edit),
    stopped,
  };
}

interface DriftFindings {
  fields: FieldDrift[];
  changedPages: string[];
  sends: boolean;
}

async function walkPages(
  run: WizardRun,
  execution: ExecutionContext,
  { fields, changedPages, sends }: DriftFindings,
): Promise<void> {
  const { pages } = run.stored.wizard;
  await openForm(run);
  for (const [i, page] of pages.entries()) {
    run.pageNumber = page.page_number;
    execution.progress(i, pages.length, `page ${page.page_number} of ${pages.length}: ${page.page_title}`);
    const pending = run.pendingRequests();
    const before = page.fingerprint && pageFingerprint(await readRunPage(run));
    const kept: FilledField[] = [];
    for (const field of page.fields) fields.push(...(await checkField(run, page, field, kept)));
    await waitForResponses(run, pending);
    await verifyValues(run, kept);
    const reading = await readRunPage(run);
    fields.push(...changesOn(reading, run, page, fields));
    // The fingerprint in the file may come from the empty page or from the filled-in page.
    if (page.fingerprint && ![before, pageFingerprint(reading)].includes(page.fingerprint))
      changedPages.push(
        `Page ${page.page_number} asks other questions than at the discovery. Discover the form again.`,
      );
    const next = pages[i + 1];
    const button = await checkButton(run, page);
    fields.push(button);
    if (next) await advanceTo(run, page.continue_button, pageDestination(run, next));
    else fields.push(...(await checkResults(run, page, sends && button.state !== 'missing')));
  }
}

/** Looks for the continue button before it is clicked. The button of the last page may never be clicked. */
async function checkButton(
  run: WizardRun,
  { page_number: page, continue_button: button }: WizardPage,
): Promise<FieldDrift> {
  const entry = { page, field_id: 'continue_button', label: button.text || button.selector };
  const healedBefore = run.healed.length;
  try {
    const found = await findButton(run, button);
    await throwIfOtherForm(run, found, `The button ${quote(entry.label)}`);
    reportHealedButton(run, button, found);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'unavailable' || run.signal.aborted) throw error;
    return { ...entry, state: 'missing', detail: error.message };
  }
  const healed = run.healed.slice(healedBefore).map(({ proposal }) => proposal);
  return { ...entry, state: healed.length > 0 ? 'healed' : 'ok', detail: healed.join(' ') };
}

/** Whether the site still shows each named result. */
async function checkResults(run: WizardRun, page: WizardPage, sends: boolean): Promise<FieldDrift[]> {
  const named = Object.entries(run.stored.wizard.results ?? {});
  const entry = (name: string, label = name) => ({ page: page.page_number, field_id: `results.${name}`, label });
  const unsent = { state: 'not_checked' as const, detail: 'The last page was not submitted.' };
  if (!sends) return named.map(([name, { label }]) => ({ ...entry(name, label), ...unsent }));
  const destination = await resultsDestination(run);
  await advanceTo(run, page.continue_button, destination);
  const results = await destination.read();
  return named.map(([name, { label }]) => {
    const isThere = name in results;
    const detail = isThere ? '' : 'It is not on the results page.';
    return { ...entry(name, label), state: isThere ? 'ok' : 'missing', detail };
  });
}

const readRunPage = (run: WizardRun) => readPage(run.page(), { timeoutMs: Math.min(5_000, run.remainingMs()) });

async function checkField(
  run: WizardRun,
  page: WizardPage,
  field: WizardField,
  kept: FilledField[],
): Promise<FieldDrift[]> {
  const found = { page: page.page_number, field_id: field.field_id, label: field.label };
  const answer = run.answers.get(field.field_id);
  if (!isFieldAsked(field, run.answers))
    return [{ ...found, state: 'not_checked', detail: 'Not asked for with the example data.' }];
  if (!answer) return [{ ...found, state: 'not_checked', detail: 'The file has no valid example for it.' }];
  const healedBefore = run.healed.length;
  const inside: FieldDrift[] = [];
  try {
    if (answer.kind === 'rows') {
      const known = await readRunPage(run);
      await fillRows(run, field, answer.rows, async () => {
        inside.splice(0, inside.length, ...changesInRow(await readRunPage(run), known, run, page, field));
      });
    } else {
      const filling = answer.kind === 'group' ? groupFillings(field, answer.parts) : [{ field, answer }];
      const own = await fillInOrder(run, filling);
      await verifyValues(run, own);
      await endClickGuards(guardedFrames(run));
      await throwIfContradicted(run, own);
      kept.push(...own);
    }
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'unavailable' || run.signal.aborted) throw error;
    return [{ ...found, state: 'missing', detail: detailOf(error) }, ...inside];
  }
  const healed = run.healed.slice(healedBefore).map(({ proposal }) => proposal);
  const own = { ...found, state: healed.length > 0 ? ('healed' as const) : ('ok' as const), detail: healed.join(' ') };
  return [own, ...inside];
}

/** The message of the failure, with the messages of the site if the site rejected values. */
function detailOf({ message, details }: Failure): string {
  const action = details['status'] === 'validation_error' ? details['corrective_action'] : undefined;
  return typeof action === 'string' ? `${message}. ${action}` : message;
}

/** Changes of the controls that only an open row shows. */
function changesInRow(
  { controls }: PageReading,
  before: PageReading,
  run: WizardRun,
  page: WizardPage,
  group: WizardField,
): FieldDrift[] {
  const keyOf = ({ name, id, kind }: Control) => `${kind} ${id} ${name}`;
  const shown = new Set(before.controls.filter(({ visible }) => visible).map(keyOf));
  const opened = controls.filter((control) => isField(control) && control.visible && !shown.has(keyOf(control)));
  return opened.flatMap((control): FieldDrift[] => {
    const sub = matchComplaintField(group.sub_fields ?? [], control);
    const position = { page: page.page_number, label: `${group.label}: ${control.name}`.slice(0, 200) };
    const changes = sub && optionChanges(sub, control);
    if (sub && changes)
      return [
        { ...position, field_id: `${group.field_id}.${sub.field_id}`, state: 'changed_options', detail: changes },
      ];
    if (sub || fieldOfControl(run, control) || !control.required) return [];
    return [{ ...position, field_id: null, state: 'new_required_field', detail: describeUnknown(control) }];
  });
}

const describeUnknown = ({ kind }: Control) => `The page requires it, but the file does not have it (${kind}).`;

/** What the page has and the file does not: other options, and required questions. */
function changesOn({ controls }: PageReading, run: WizardRun, page: WizardPage, sofar: FieldDrift[]): FieldDrift[] {
  const added: FieldDrift[] = [];
  for (const control of controls) {
    if (!isField(control) || !control.visible) continue;
    const field = fieldOfControl(run, control);
    const entry = field && sofar.find((one) => one.page === page.page_number && one.field_id === field.field_id);
    const changes = field && optionChanges(field, control);
    if (entry && changes) Object.assign(entry, { state: 'changed_options', detail: changes });
    if (!field && control.required && !isKnownPart(page, control))
      added.push({
        page: page.page_number,
        field_id: null,
        label: control.name.slice(0, 200),
        state: 'new_required_field',
        detail: describeUnknown(control),
      });
  }
  return added;
}

/** Whether the control is a part of a known group, or an option of a known field. */
function isKnownPart({ fields }: WizardPage, control: Control): boolean {
  const ids = new Set([control.id, ...control.parts.map((part) => part.control.id)].filter((id) => id !== null));
  return fields.some(({ sub_fields = [], selector, options = [] }) =>
    [selector, ...sub_fields.map((sub) => sub.selector), ...options.map((option) => option.selector ?? '')].some(
      (way) => [...ids].some((id) => way.endsWith(`#${id}`)),
    ),
  );
}

function unchecked({ wizard }: StoredWizard, checked: readonly FieldDrift[]): FieldDrift[] {
  const reached = new Set(checked.map(({ page, field_id }) => `${page} ${field_id}`));
  return wizard.pages.flatMap(({ page_number, fields }) =>
    fields
      .filter(({ field_id }) => !reached.has(`${page_number} ${field_id}`))
      .map(({ field_id, label }) => ({
        page: page_number,
        field_id,
        label,
        state: 'not_checked' as const,
        detail: 'Its page was not reached.',
      })),
  );
}
