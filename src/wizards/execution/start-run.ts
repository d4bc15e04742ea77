import type { BrowserContext, Frame } from 'playwright-core';
import type { BrowserPool } from '../../platform/browser/browser-pool.ts';
import { Failure } from '../../platform/errors.ts';
import { frameOf } from '../../platform/page/frame-of.ts';
import { rememberClosedRoots } from '../../platform/page/private-text.ts';
import { watchNetwork } from '../../platform/page/settle.ts';
import { type Watch, watch } from '../../platform/page/watch.ts';
import type { StoredWizard } from '../files/folder.ts';
import type { Schemas } from '../validation/schemas.ts';
import type { Validated } from '../validation/validate.ts';
import { folded } from '../validation/words.ts';
import { watchAsSent } from './as-sent.ts';
import { type Deadline, orAborted } from './deadline.ts';
import type { Discreet } from './discreet.ts';
import type { Run } from './run.ts';
import type { RunRecord } from './run-record.ts';
import { watchSent } from './sent.ts';
import type { Slots } from './slots.ts';

/** What an execution needs of its surroundings, on behalf of its caller. */
export interface ExecutionRoom {
  browsers(): Promise<BrowserPool>;
  slots: Slots;
  inside: readonly string[] | undefined;
  checkAddress(url: string): Promise<void>;
  /** Keeps compiled schemas from one execution to the next. */
  schemas?: Schemas;
  /** The folder for the records of runs. */
  runs: string;
  signal: AbortSignal;
  progress(done: number, total: number, message: string): void;
  showPicture(jpeg: Uint8Array): void;
}

/** What is known before a browser is asked for. */
export interface Preparation {
  stored: StoredWizard;
  data: Readonly<Record<string, unknown>>;
  validated: Validated;
  record: RunRecord;
  deadline: Deadline;
  discreet: Discreet;
}

/** A browser that has just died takes the first attempt with it; the room starts another. */
export async function openContext(room: ExecutionRoom, { signal }: Deadline) {
  const browsers = await room.browsers();
  const options = { viewport: { width: 1280, height: 1024 }, acceptDownloads: false };
  const open = () => {
    const opening = browsers.open({ inside: room.inside, options, signal: room.signal });
    return orAborted(opening, signal).catch((error: unknown) => {
      // It may yet open, when nobody waits for it any more.
      opening.then((late) => late[Symbol.asyncDispose]()).catch(() => {});
      throw error;
    });
  };
  return open().catch((error: unknown) => {
    if (error instanceof Failure || signal.aborted) throw error;
    return open();
  });
}

export async function startRun(
  context: BrowserContext,
  { stored, data, validated, record, deadline, discreet }: Preparation,
): Promise<Run> {
  await context.addInitScript(rememberClosedRoots);
  const first = await context.newPage();
  const listed = stored.wizard.accept_dialogs ?? [];
  const acceptDialogs = (message: string) => listed.some((words) => folded(message).includes(folded(words)));
  const watching = watch(context, first, { followTabs: true, acceptDialogs });
  const network = watchNetwork(context);
  const status = watchStatus(context, watching, JSON.stringify(stored.wizard).includes('enter-frame'));
  return {
    stored,
    data,
    answers: validated.answers,
    discreet,
    watch: watching,
    page: () => watching.page(),
    signal: deadline.signal,
    left: deadline.left,
    record,
    healed: [],
    telling: new Set(),
    notes: validated.warnings.map(({ field_id, message }) => `${field_id}: ${message}`),
    at: 1,
    pending: network.pending,
    asking: network.asking,
    hanging: network.hanging,
    isHanging: network.isHanging,
    begins: network.remember,
    sent: watchSent(context),
    asSent: watchAsSent(context),
    status,
  };
}

/** The status of the last document of the page; of a form in frames of the same site, the worst among theirs too. */
function watchStatus(context: BrowserContext, watching: Watch, isFramed: boolean): () => number | undefined {
  const statuses = new WeakMap<Frame, number>();
  context.on('response', (response) => {
    const request = response.request();
    const frame = request.isNavigationRequest() ? frameOf(request) : undefined;
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
