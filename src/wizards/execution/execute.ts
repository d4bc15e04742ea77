import { Failure } from '../../platform/errors.ts';
import { startAddress } from '../files/base-url.ts';
import type { StoredWizard } from '../files/folder.ts';
import { fileNameOf } from '../files/ids.ts';
import type { Schemas } from '../validation/schemas.ts';
import { type Validated, validate } from '../validation/validate.ts';
import { advance } from './advance.ts';
import { type Deadline, orAborted, startDeadline } from './deadline.ts';
import { pageDestination } from './destination.ts';
import { discreetFor, discreetly } from './discreet.ts';
import { asRunError, missingData, perhapsSent, refusedBeforehand, runError } from './failures.ts';
import { fillPage } from './fill.ts';
import { type Healed, healedInError } from './healed.ts';
import { hasPicture, picture, type Screenshot } from './pictures.ts';
import { namedByLabel, type Results } from './read-results.ts';
import { resultsDestination } from './results-destination.ts';
import type { Run } from './run.ts';
import { startRecord } from './run-record.ts';
import { type ExecutionRoom, openContext, type Preparation, startRun } from './start-run.ts';
import { startTrace } from './trace.ts';
import { openForm } from './walk.ts';

export type { ExecutionRoom };

export interface ExecutionOptions {
  return_screenshots: boolean;
  screenshot_quality: number;
  timeout_seconds: number;
}

export interface Execution {
  status: 'success';
  wizard_id: string;
  execution_time_ms: number;
  results: Results;
  screenshots: Screenshot[];
  pages_completed: number;
  healed: Healed[];
  warnings: string[];
  run_id: string;
  timestamp: string;
}

/** All pictures of a run together; a client cuts off or refuses more. */
const PICTURES_BYTES = 480_000;

/** Validates everything, then fills in the form in a context of its own, and reads the results. */
export async function executeWizard(
  room: ExecutionRoom,
  stored: StoredWizard,
  data: Readonly<Record<string, unknown>>,
  options: ExecutionOptions,
): Promise<Execution> {
  const begun = performance.now();
  const wizardId = stored.wizard.wizard_id;
  using deadline = startDeadline(options.timeout_seconds, room.signal);
  const validated = validatedData(stored, data, room.schemas);
  const discreet = discreetFor(stored.wizard, validated.answers, data);
  const url = startAddress(stored.wizard);
  await room.checkAddress(url);
  await using record = await startRecord(room.runs, wizardId);
  const work = { stored, data, validated, record, deadline, options, discreet };
  try {
    using _slot = await room.slots.take(new URL(url).host, deadline.signal).catch((error: unknown) => {
      throw deadline.isOver()
        ? runError('timeout', 'All places for executions were taken until the time was up.')
        : error;
    });
    const done = await inContext(room, work);
    record.step({ step: 'end', outcome: 'success' });
    return {
      status: 'success',
      wizard_id: fileNameOf(wizardId),
      execution_time_ms: Math.round(performance.now() - begun),
      ...done,
      pages_completed: stored.wizard.pages.length,
      run_id: record.id,
      timestamp: new Date().toISOString(),
    };
  } catch (error) {
    if (room.signal.aborted) throw error;
    const failure = discreetly(asRunError(error), discreet);
    record.step({ step: 'end', outcome: failure.code });
    const details = { wizard_id: fileNameOf(wizardId), page_number: null, run_id: record.id, ...failure.details };
    throw new Failure(failure.kind, failure.code, failure.message, details, { cause: error });
  }
}

function validatedData(
  stored: StoredWizard,
  data: Readonly<Record<string, unknown>>,
  schemas: Schemas | undefined,
): Validated {
  const validated = validate(stored, data, schemas);
  const { wizard } = stored;
  if (validated.valid) return validated;
  const complaints = validated.invalid_fields.map(({ field_id, error, provided_value }) => {
    const page = wizard.pages.find(({ fields }) => fields.some((field) => field.field_id === field_id));
    const field = page?.fields.find((one) => one.field_id === field_id)?.label ?? field_id;
    return { field, message: error, provided_value, page: page?.page_number ?? 1 };
  });
  if (validated.missing_fields.length > 0) throw missingData(wizard.wizard_id, validated.missing_fields, complaints);
  const refused = refusedBeforehand(complaints);
  throw new Failure(refused.kind, refused.code, refused.message, {
    wizard_id: fileNameOf(wizard.wizard_id),
    ...refused.details,
  });
}

interface Work extends Preparation {
  options: ExecutionOptions;
}

type Done = Pick<Execution, 'results' | 'screenshots' | 'healed' | 'warnings'>;

async function inContext(room: ExecutionRoom, work: Work): Promise<Done> {
  const { deadline, record } = work;
  await using opened = await openContext(room, deadline);
  const { context } = opened;
  await using trace = await startTrace(context, await room.browsers());
  const run = await startRun(context, work);
  using _watch = run.watch;
  try {
    return await orAborted(fillIn(run, room, work), deadline.signal);
  } catch (error) {
    if (room.signal.aborted) throw error;
    const failed = deadline.isOver() ? timeUp(work, run) : asRunError(error);
    const failure = run.sent.perhaps() ? perhapsSent(failed) : failed;
    const jpeg = await lastPicture(run, work).catch(() => undefined);
    if (jpeg) room.showPicture(jpeg);
    const kept = trace.keep(record.tracePath, { stored: work.stored, discreet: work.discreet });
    const isKept = await within(kept, deadline).then(
      () => true,
      () => false,
    );
    const screenshot = jpeg?.toString('base64') ?? null;
    const healed = healedInError(run);
    const details = {
      page_number: run.at,
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

async function fillIn(run: Run, room: ExecutionRoom, { stored, options }: Work): Promise<Done> {
  const { pages } = stored.wizard;
  const steps = pages.length + 1;
  const screenshots: Screenshot[] = [];
  const mostBytes = Math.min(100_000, Math.round(PICTURES_BYTES / steps));
  const shoot = async (page: Screenshot['page'], named?: string) => {
    if (!options.return_screenshots) return;
    const title = named ?? run.discreet.said(await run.page().title());
    const jpeg = await picture(run, options.screenshot_quality, mostBytes);
    room.showPicture(jpeg);
    screenshots.push({ page, title, image: jpeg.toString('base64') });
  };
  room.progress(0, steps, 'opening the form');
  await openForm(run);
  let results: Results = {};
  for (const [i, page] of pages.entries()) {
    run.at = page.page_number;
    room.progress(i, steps, `page ${page.page_number} of ${pages.length}: ${page.page_title}`);
    await fillPage(run, page);
    await shoot(page.page_number, page.page_title);
    const next = pages[i + 1];
    if (next) await advance(run, page.continue_button, pageDestination(run, next));
    else results = await toResults(run);
  }
  room.progress(pages.length, steps, 'reading the results');
  await shoot('results');
  return { results, screenshots, healed: run.healed, warnings: run.notes };
}

async function toResults(run: Run): Promise<Results> {
  const last = run.stored.wizard.pages.at(-1);
  if (!last) throw runError('navigation_failed', 'The wizard has no pages.');
  const destination = resultsDestination(run);
  const begun = performance.now();
  await advance(run, last.continue_button, destination);
  const results = await (await destination).read();
  run.record.step({
    step: 'results',
    ms: Math.round(performance.now() - begun),
    outcome: String(Object.keys(results).length),
  });
  if (Object.keys(results).length === 0)
    throw runError('navigation_failed', 'The form was sent, but no results were found on the page after it.');
  const isNamed = Object.keys(run.stored.wizard.results ?? {}).length > 0;
  if (!isNamed) run.notes.push('The file names no results: these are all labels that the last page shows.');
  const missing = Object.keys(run.stored.wizard.results ?? {}).filter((name) => !(name in results));
  if (missing.length > 0) run.notes.push(`Not found on the results page: ${missing.join(', ')}`);
  return isNamed ? results : namedByLabel(Object.entries(results).map(([label, value]) => ({ label, value })));
}

async function lastPicture(run: Run, { options, deadline }: Work): Promise<Buffer | undefined> {
  if (!hasPicture(run)) return undefined;
  return within(picture({ ...run, left: deadline.leftAtAll }, options.screenshot_quality, 100_000, 2_000), deadline);
}

/** Nothing that is done after a failure may outlast the caller's time. */
async function within<Result>(work: Promise<Result>, deadline: Deadline): Promise<Result> {
  return orAborted(work, AbortSignal.timeout(Math.min(2_500, deadline.leftAtAll())));
}

function timeUp({ options }: Work, run: Run): Failure {
  return runError(
    'timeout',
    `The form was not through after ${options.timeout_seconds} seconds; it was on page ${run.at}.`,
  );
}
