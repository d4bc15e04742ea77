import type { Page } from 'playwright-core';
import { actAndSettle } from '../../../page/settle/settle.ts';
import { Failure } from '../../../platform/errors.ts';
import { unlessAborted } from '../../../platform/unless-aborted.ts';
import { isExpectation, type ScriptAction, type ScriptStep } from '../../scripts/model/script-steps.ts';
import { hasClosedItsTab } from '../session/closed-tab.ts';
import type { ReplaySession } from '../session/replay-session.ts';
import { captureSessionScreenshot } from '../session/session-screenshot.ts';
import { fillFieldsTogether } from './fill-fields.ts';
import { defaultLimits, type PerformedStep, performAction, type StepLimits } from './perform-action.ts';
import type { StepOutcome } from './step-outcome.ts';
import { verifyExpectation } from './verify-expectation.ts';

export interface PlayOptions {
  limits?: StepLimits;
  /** What counts instead before this step. */
  until?: { position: number; limits: StepLimits };
  /** Takes a picture after each step: a small one, unless the step failed. */
  pictures?: boolean;
  /** Fills consecutive fields in one action, with one picture. */
  together?: boolean;
  /** Continue after a failed expectation to check the others. */
  soft?: boolean;
  /** After which steps to wait until the page has settled. */
  settleAfter?(position: number): boolean;
  /** Called before a step and after the last one. */
  before?(position: number): Promise<void>;
  signal?: AbortSignal;
}

/** Plays the steps in order until one fails. Later steps are skipped. */
export async function playSteps(
  session: ReplaySession,
  steps: readonly ScriptStep[],
  options: PlayOptions = {},
): Promise<StepOutcome[]> {
  const { limits = defaultLimits, pictures = false, together = false, soft = false } = options;
  const { settleAfter, before, signal, until } = options;
  const outcomes: StepOutcome[] = [];
  let isOver = false;
  /** Steps that share the next picture, because the page has not changed. */
  let waiting: StepOutcome[] = [];
  const takeWaiting = async () => {
    if (!pictures || waiting.length === 0) return;
    // Screenshots of failures have full size so that their text is readable.
    const picture = await captureSessionScreenshot(session, {
      small: waiting.every(({ status }) => status === 'passed'),
    });
    for (const outcome of waiting) if (picture) outcome.picture = picture;
    waiting = [];
  };
  let current = session.page();
  const tabs = new Set<Page>([current]);
  /** A tab may take a moment to open or to close. */
  const noteTab = () => {
    const page = session.page();
    if (page === current) return;
    const by = outcomes.findLast(({ step }) => !isExpectation(step));
    if (by) by[tabs.has(page) ? 'closesTab' : 'opensTab'] = true;
    current = page;
    tabs.add(page);
  };

  for (const [position, step] of steps.entries()) {
    // An earlier step has done it too.
    if (position < outcomes.length) continue;
    noteTab();
    const description = session.describe(step);
    if (isOver) {
      outcomes.push({ step, description, status: 'skipped', durationMs: 0 });
      continue;
    }
    signal?.throwIfAborted();
    if (!isExpectation(step)) await takeWaiting();
    const entered = together ? await fillTogether(session, steps.slice(position)) : [];
    if (entered.length > 0) {
      outcomes.push(...entered);
      waiting.push(...entered);
      continue;
    }
    await before?.(position);
    const within = until && position < until.position ? until.limits : limits;
    const outcome = await playStep(session, step, description, within, settleAfter?.(position) ?? false);
    signal?.throwIfAborted();
    outcomes.push(outcome);
    waiting.push(outcome);
    isOver = outcome.status === 'failed' && !(soft && isExpectation(step));
  }
  noteTab();
  if (!isOver) await before?.(steps.length);
  await takeWaiting();
  return outcomes;
}

/** Divides the duration of fields that were filled in one action among their steps. */
async function fillTogether(session: ReplaySession, steps: readonly ScriptStep[]): Promise<StepOutcome[]> {
  const from = performance.now();
  const count = await fillFieldsTogether(session, steps);
  const durationMs = (performance.now() - from) / Math.max(1, count);
  return steps
    .slice(0, count)
    .map((step) => ({ step, description: session.describe(step), status: 'passed', durationMs }));
}

async function playStep(
  session: ReplaySession,
  step: ScriptStep,
  description: string,
  limits: StepLimits,
  settles: boolean,
): Promise<StepOutcome> {
  const from = performance.now();
  try {
    const work = isExpectation(step)
      ? verifyExpectation(session, step, limits)
      : performAndSettle(session, step, limits, settles);
    const { healedBy } = await withStepTimeout(work, limits);
    const durationMs = performance.now() - from;
    return { step, description, status: 'passed', durationMs, ...(healedBy !== undefined && { healedBy }) };
  } catch (error) {
    return { step, description, status: 'failed', error, durationMs: performance.now() - from };
  }
}

async function withStepTimeout<Result>(work: Promise<Result>, { stepMs }: StepLimits): Promise<Result> {
  const limit = AbortSignal.timeout(stepMs);
  try {
    return await unlessAborted(work, limit);
  } catch (error) {
    if (error !== limit.reason) throw error;
    throw new Failure('unavailable', 'NO_ANSWER', `The page or its browser did not respond within ${stepMs / 1000} s.`);
  }
}

async function performAndSettle(
  session: ReplaySession,
  step: ScriptAction,
  limits: StepLimits,
  settles: boolean,
): Promise<PerformedStep> {
  if (!settles) return performAction(session, step, limits);
  let performed: PerformedStep | undefined;
  const page = session.page();
  try {
    await actAndSettle(page, async () => {
      performed = await performAction(session, step, limits);
    });
  } catch (error) {
    // A step that closed its tab leaves no page to settle.
    if (!performed || !(await hasClosedItsTab(session, page, error))) throw error;
  }
  return performed ?? {};
}
