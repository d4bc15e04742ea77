import type { BrowserContext, Frame } from 'playwright-core';
import type { BrowserPool } from '../../../platform/browser/browser-pool.ts';
import { Failure } from '../../../platform/errors.ts';
import type { KeptPicture } from '../../../platform/files/kept-picture.ts';
import { trackClosedShadowRoots } from '../../../platform/page/capture/private-text.ts';
import { type PageEventWatch, watchPageEvents } from '../../../platform/page/settle/page-events.ts';
import { requestFrame } from '../../../platform/page/settle/request-frame.ts';
import { watchNetwork } from '../../../platform/page/settle/settle.ts';
import type { StoredWizard } from '../../files/wizard-folder.ts';
import { foldText } from '../../validation/read-values.ts';
import type { SchemaCompiler } from '../../validation/schema-compiler.ts';
import type { UserDataValidation } from '../../validation/validate-user-data.ts';
import type { RunRecord } from '../record/run-record.ts';
import type { RunRedactor } from '../redaction/run-redactor.ts';
import { watchSentValues } from '../submit/sent-values.ts';
import { type Deadline, raceAbort } from './deadline.ts';
import type { ExecutionSlots } from './execution-slots.ts';
import type { WizardRun } from './wizard-run.ts';

/** The services that an execution uses on behalf of its caller. */
export interface ExecutionContext {
  browsers(): Promise<BrowserPool>;
  slots: ExecutionSlots;
  allowedAddresses: readonly string[] | undefined;
  checkAddress(url: string): Promise<void>;
  /** Caches compiled schemas between executions. */
  schemas?: SchemaCompiler;
  /** The folder for the records of runs. */
  runs: string;
  signal: AbortSignal;
  progress(done: number, total: number, message: string): void;
  /** Shows a picture with the result. Returns what the result contains for it. */
  attachScreenshot(picture: KeptPicture): string;
}

/** What is known before the browser context opens. */
export interface RunPreparation {
  stored: StoredWizard;
  data: Readonly<Record<string, unknown>>;
  validated: UserDataValidation;
  record: RunRecord;
  deadline: Deadline;
  redactor: RunRedactor;
}

/** Tries twice: the first attempt fails if the browser has just crashed, and the pool then starts another one. */
export async function openBrowserContext(execution: ExecutionContext, { signal }: Deadline) {
  const browsers = await execution.browsers();
  const options = { viewport: { width: 1280, height: 1024 }, acceptDownloads: false };
  const open = () => {
    const opening = browsers.open({
      allowedPrivateAddresses: execution.allowedAddresses,
      options,
      signal: execution.signal,
    });
    return raceAbort(opening, signal).catch((error: unknown) => {
      // The context may open after the deadline, so it is closed then.
      opening.then((late) => late[Symbol.asyncDispose]()).catch(() => {});
      throw error;
    });
  };
  return open().catch((error: unknown) => {
    if (error instanceof Failure || signal.aborted) throw error;
    return open();
  });
}

export async function startWizardRun(
  context: BrowserContext,
  { stored, data, validated, record, deadline, redactor }: RunPreparation,
): Promise<WizardRun> {
  await context.addInitScript(trackClosedShadowRoots);
  const first = await context.newPage();
  const listed = stored.wizard.accept_dialogs ?? [];
  const acceptDialogs = (message: string) => listed.some((words) => foldText(message).includes(foldText(words)));
  const watching = watchPageEvents(context, first, { followTabs: true, acceptDialogs });
  const network = watchNetwork(context);
  const status = watchStatus(context, watching, JSON.stringify(stored.wizard).includes('enter-frame'));
  return {
    stored,
    data,
    answers: validated.answers,
    redactor,
    watch: watching,
    page: () => watching.page(),
    signal: deadline.signal,
    remainingMs: deadline.remainingMs,
    record,
    healed: [],
    privateHeals: new Set(),
    warnings: validated.warnings.map(({ field_id, message }) => `${field_id}: ${message}`),
    pageNumber: 1,
    pendingRequests: network.pending,
    activeRequests: network.asking,
    hangingRequests: network.hanging,
    isHangingRequest: network.isHanging,
    markFillStart: network.remember,
    sentValues: watchSentValues(context),
    documentStatus: status,
  };
}

/** The HTTP status of the last document; for a form in frames of the same site, the worst status of all. */
function watchStatus(context: BrowserContext, watching: PageEventWatch, isFramed: boolean): () => number | undefined {
  const statuses = new WeakMap<Frame, number>();
  context.on('response', (response) => {
    const request = response.request();
    const frame = request.isNavigationRequest() ? requestFrame(request) : undefined;
    if (frame && (isFramed || frame === watching.page().mainFrame())) statuses.set(frame, response.status());
  });
  return () => {
    const page = watching.page();
    const own = statuses.get(page.mainFrame());
    const host = URL.parse(page.url())?.host;
    const inner = isFramed ? page.frames().filter((frame) => URL.parse(frame.url())?.host === host) : [];
    const worst = Math.max(...inner.flatMap((frame) => statuses.get(frame) ?? []), 0);
    return worst >= 400 ? worst : own;
  };
}
