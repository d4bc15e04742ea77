import type { Dialog, Page } from 'playwright-core';
import { readSnapshot } from '../snapshot/read-snapshot.ts';
import { callInPage } from '../world/isolated-world.ts';
import { recordRequests } from './caused-requests.ts';
import { judgeOutcome } from './judge-outcome.ts';
import type { CausedRequest, OutcomeView, SubmissionOutcome } from './outcome-model.ts';

/** A watch on what a site does with what is sent. */
export interface OutcomeWatch extends Disposable {
  /** What is known by now. Wait until the page is ready first. */
  verdict(): Promise<SubmissionOutcome>;
}

export interface OutcomeOptions {
  /** The page before its form was filled, so that complaints which it made meanwhile are known as such. */
  unfilled?: OutcomeView;
}

const READ_MS = 5_000;
const NO_STATE: OutcomeView['state'] = {
  document: 0,
  lines: [],
  warnings: [],
  refused: [],
  notes: [],
  postButtons: [],
  asksPassword: false,
};

/**
 * Begins to watch what becomes of a form that is filled. Begin it before the action that sends it.
 *
 * @example
 * using watch = await watchOutcome(page);
 * await actAndSettle(page, () => page.click('#send'));
 * const { verdict, fields, evidence } = await watch.verdict();
 */
export async function watchOutcome(page: Page, { unfilled }: OutcomeOptions = {}): Promise<OutcomeWatch> {
  const context = page.context();
  const before = await readOutcomeView(page);
  const requests = recordRequests(context);
  const dialogs: string[] = [];
  const hear = (dialog: Dialog) => {
    if (dialog.type() === 'alert') dialogs.push(dialog.message());
  };
  context.on('dialog', hear);
  return {
    async verdict() {
      const caused = await requests.list();
      // A page that waits for its next document does not answer.
      const after = caused.some(isUnanswered) ? before : await readOutcomeView(page);
      return judgeOutcome({ unfilled: unfilled ?? before, before, after, requests: caused, dialogs });
    },
    [Symbol.dispose]() {
      context.off('dialog', hear);
      requests[Symbol.dispose]();
    },
  };
}

const isUnanswered = ({ opensPage, status, hasFailed }: CausedRequest) => opensPage && status === 0 && !hasFailed;

/** What is known of a page now. */
export async function readOutcomeView(page: Page): Promise<OutcomeView> {
  const [snapshot, state] = await Promise.all([
    readSnapshot(page),
    callInPage(page, 'readSubmissionState', null, READ_MS),
  ]);
  return { snapshot, state: state ?? NO_STATE };
}
