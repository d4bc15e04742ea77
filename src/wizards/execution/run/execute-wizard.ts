import { Failure } from '../../../platform/errors.ts';
import type { KeptPicture } from '../../../platform/files/kept-picture.ts';
import { awaitWithin } from '../../../platform/page/settle/time-limit.ts';
import { wizardStartUrl } from '../../files/base-url.ts';
import type { StoredWizard } from '../../files/wizard-folder.ts';
import { wizardFileName } from '../../files/wizard-id.ts';
import type { SchemaCompiler } from '../../validation/schema-compiler.ts';
import { type UserDataValidation, validateUserData } from '../../validation/validate-user-data.ts';
import { fillPage } from '../fill/fill-page.ts';
import { advanceTo } from '../navigate/advance-page.ts';
import { openForm } from '../navigate/open-form.ts';
import { pageDestination } from '../navigate/page-destination.ts';
import { resultsDestination } from '../outcome/results-destination.ts';
import { healedForError } from '../record/healed-selectors.ts';
import type { HealedSelector } from '../record/healing-model.ts';
import { type PictureSubject, startRunRecord } from '../record/run-record.ts';
import { canCapture, captureRedactedScreenshot, type Screenshot } from '../redaction/redacted-screenshot.ts';
import { startRunTrace } from '../redaction/redacted-trace.ts';
import { createRunRedactor, redactFailure } from '../redaction/run-redactor.ts';
import { nameResultsByLabel, type WizardResults } from '../results/read-results.ts';
import { type Deadline, raceAbort, startDeadline } from './deadline.ts';
import { markAsMaybeSent, missingDataError, runError, toRunError, userDataError } from './run-error.ts';
import { type ExecutionContext, openBrowserContext, type RunPreparation, startWizardRun } from './start-run.ts';
import type { WizardRun } from './wizard-run.ts';

export interface ExecutionOptions {
  return_screenshots: boolean;
  screenshot_quality: number;
  timeout_seconds: number;
}

export interface WizardExecution {
  status: 'success';
  wizard_id: string;
  execution_time_ms: number;
  results: WizardResults;
  screenshots: Screenshot[];
  pages_completed: number;
  healed: HealedSelector[];
  warnings: string[];
  run_id: string;
  timestamp: string;
}

/** Limit for all screenshots of a run: clients cut off or reject more. */
const MAX_SCREENSHOT_BYTES = 480_000;
const TITLE_MS = 5_000;

/** Validates the user data, fills in the form in its own browser context, and reads the results. */
export async function executeWizard(
  execution: ExecutionContext,
  stored: StoredWizard,
  data: Readonly<Record<string, unknown>>,
  options: ExecutionOptions,
): Promise<WizardExecution> {
  const begun = performance.now();
  const wizardId = stored.wizard.wizard_id;
  using deadline = startDeadline(options.timeout_seconds, execution.signal);
  const validated = requireValidData(stored, data, execution.schemas);
  const redactor = createRunRedactor(stored.wizard, validated.answers, data);
  const url = wizardStartUrl(stored.wizard);
  await execution.checkAddress(url);
  await using record = await startRunRecord(execution.runs, wizardId);
  const work = { stored, data, validated, record, deadline, options, redactor };
  try {
    using _slot = await execution.slots.take(new URL(url).host, deadline.signal).catch((error: unknown) => {
      throw deadline.isExpired() ? runError('timeout', 'No execution slot became free within the time limit.') : error;
    });
    const done = await executeInContext(execution, work);
    record.step({ step: 'end', outcome: 'success' });
    return {
      status: 'success',
      wizard_id: wizardFileName(wizardId),
      execution_time_ms: Math.round(performance.now() - begun),
      ...done,
      pages_completed: stored.wizard.pages.length,
      run_id: record.id,
      timestamp: new Date().toISOString(),
    };
  } catch (error) {
    if (execution.signal.aborted) throw error;
    const failure = redactFailure(toRunError(error), redactor);
    record.step({ step: 'end', outcome: failure.code });
    const details = { wizard_id: wizardFileName(wizardId), page_number: null, run_id: record.id, ...failure.details };
    throw new Failure(failure.kind, failure.code, failure.message, details, { cause: error });
  }
}

function requireValidData(
  stored: StoredWizard,
  data: Readonly<Record<string, unknown>>,
  schemas: SchemaCompiler | undefined,
): UserDataValidation {
  const validated = validateUserData(stored, data, schemas);
  const { wizard } = stored;
  if (validated.valid) return validated;
  const complaints = validated.invalid_fields.map(({ field_id, error, provided_value }) => {
    const page = wizard.pages.find(({ fields }) => fields.some((field) => field.field_id === field_id));
    const field = page?.fields.find((one) => one.field_id === field_id)?.label ?? field_id;
    return { field, message: error, provided_value, page: page?.page_number ?? 1 };
  });
  if (validated.missing_fields.length > 0)
    throw missingDataError(wizard.wizard_id, validated.missing_fields, complaints);
  const refused = userDataError(complaints);
  throw new Failure(refused.kind, refused.code, refused.message, {
    wizard_id: wizardFileName(wizard.wizard_id),
    ...refused.details,
  });
}

interface ExecutionInput extends RunPreparation {
  options: ExecutionOptions;
}

type ExecutionOutput = Pick<WizardExecution, 'results' | 'screenshots' | 'healed' | 'warnings'>;

async function executeInContext(execution: ExecutionContext, work: ExecutionInput): Promise<ExecutionOutput> {
  const { deadline, record } = work;
  await using opened = await openBrowserContext(execution, deadline);
  const { context } = opened;
  await using trace = await startRunTrace(context, await execution.browsers());
  const run = await startWizardRun(context, work);
  using _watch = run.watch;
  try {
    return await raceAbort(fillForm(run, execution, work), deadline.signal);
  } catch (error) {
    if (execution.signal.aborted) throw error;
    const failed = deadline.isExpired() ? timeoutError(work, run) : toRunError(error);
    const failure = run.submission?.hasSent() ? markAsMaybeSent(failed) : failed;
    const picture = await captureFailure(run, work).catch(() => undefined);
    const screenshot = picture ? execution.attachScreenshot(picture) : null;
    const kept = trace.keep(record.tracePath, { stored: work.stored, redactor: work.redactor });
    const isKept = await withinDeadline(kept, deadline).then(
      () => true,
      () => false,
    );
    const healed = healedForError(run);
    const details = {
      page_number: run.pageNumber,
      screenshot,
      ...(healed.length > 0 && { healed }),
      ...(isKept && { trace_file: record.traceFile }),
    };
    throw new Failure(
      failure.kind,
      failure.code,
      failure.message,
      { ...details, ...failure.details },
      { cause: error },
    );
  }
}

async function fillForm(
  run: WizardRun,
  execution: ExecutionContext,
  { stored, options }: ExecutionInput,
): Promise<ExecutionOutput> {
  const { pages } = stored.wizard;
  const steps = pages.length + 1;
  const screenshots: Screenshot[] = [];
  const mostBytes = Math.min(100_000, Math.round(MAX_SCREENSHOT_BYTES / steps));
  const shoot = async (page: Screenshot['page'], subject: PictureSubject, named?: string) => {
    if (!options.return_screenshots) return;
    // A slow browser must not fail a run that may already have sent the form.
    const title = named ?? run.redactor.pageText((await awaitWithin(run.page().title(), TITLE_MS)) ?? '');
    const jpeg = await captureRedactedScreenshot(run, options.screenshot_quality, mostBytes).catch(() => undefined);
    const picture = jpeg && (await run.record.keepPicture(subject, jpeg));
    if (picture) screenshots.push({ page, title, image: execution.attachScreenshot(picture) });
    else run.warnings.push(`The screenshot of page ${page} is missing: it could not be ${jpeg ? 'stored' : 'taken'}.`);
  };
  execution.progress(0, steps, 'opening the form');
  await openForm(run);
  let results: WizardResults = {};
  for (const [i, page] of pages.entries()) {
    run.pageNumber = page.page_number;
    execution.progress(i, steps, `page ${page.page_number} of ${pages.length}: ${page.page_title}`);
    await fillPage(run, page);
    await shoot(page.page_number, i + 1, page.page_title);
    const next = pages[i + 1];
    if (next) await advanceTo(run, page.continue_button, pageDestination(run, next));
    else results = await submitLastPage(run);
  }
  execution.progress(pages.length, steps, 'reading the results');
  await shoot('results', 'results');
  return { results, screenshots, healed: run.healed, warnings: run.warnings };
}

async function submitLastPage(run: WizardRun): Promise<WizardResults> {
  const last = run.stored.wizard.pages.at(-1);
  if (!last) throw runError('navigation_failed', 'The wizard has no pages.');
  const destination = resultsDestination(run);
  const begun = performance.now();
  await advanceTo(run, last.continue_button, destination);
  const results = await (await destination).read();
  run.record.step({
    step: 'results',
    ms: Math.round(performance.now() - begun),
    outcome: String(Object.keys(results).length),
  });
  if (Object.keys(results).length === 0)
    throw runError('navigation_failed', 'The form was submitted, but the next page has no results.');
  const isNamed = Object.keys(run.stored.wizard.results ?? {}).length > 0;
  if (!isNamed) run.warnings.push('The wizard names no results, so these are all labelled values of the last page.');
  const missing = Object.keys(run.stored.wizard.results ?? {}).filter((name) => !(name in results));
  if (missing.length > 0) run.warnings.push(`Not found on the results page: ${missing.join(', ')}`);
  return isNamed ? results : nameResultsByLabel(Object.entries(results).map(([label, value]) => ({ label, value })));
}

async function captureFailure(run: WizardRun, { options, deadline }: ExecutionInput): Promise<KeptPicture | undefined> {
  if (!canCapture(run)) return undefined;
  const within = { ...run, remainingMs: deadline.remainingTotalMs };
  const jpeg = await withinDeadline(
    captureRedactedScreenshot(within, options.screenshot_quality, 100_000, 2_000),
    deadline,
  );
  return run.record.keepPicture('error', jpeg);
}

/** Work after a failure must end within the caller's time limit. */
async function withinDeadline<Result>(work: Promise<Result>, deadline: Deadline): Promise<Result> {
  return raceAbort(work, AbortSignal.timeout(Math.min(2_500, deadline.remainingTotalMs())));
}

function timeoutError({ options }: ExecutionInput, run: WizardRun): Failure {
  return runError(
    'timeout',
    `The form was not complete after ${options.timeout_seconds} seconds; it was on page ${run.pageNumber}.`,
  );
}
