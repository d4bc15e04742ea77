import type { Page } from 'playwright-core';
import { Failure } from '../../platform/errors.ts';
import { settled } from '../../platform/page/settle.ts';
import { type Action, isExpectation, type Step } from '../scripts/model.ts';
import { hasClosedItsTab } from './closed-tab.ts';
import { enterTogether } from './enter.ts';
import { type Limits, type Performed, perform, usualLimits } from './perform.ts';
import type { Stage } from './stage.ts';
import { pictureOf } from './stage-picture.ts';
import { unlessAborted } from './unless-aborted.ts';
import { verify } from './verify.ts';

export interface StepOutcome {
  step: Step;
  description: string;
  status: 'passed' | 'failed' | 'skipped';
  /** Found by another rung than the best: which, from 0. */
  healedBy?: number;
  error?: unknown;
  /** A tab was opened by it. */
  opensTab?: true;
  /** Its own tab was closed by it. */
  closesTab?: true;
  durationMs: number;
  /** The page as the step left it. Expectations share the picture of what they look at. */
  picture?: Uint8Array;
}

export interface PlayOptions {
  limits?: Limits;
  /** What counts instead before this step. */
  until?: { position: number; limits: Limits };
  /** A picture after each step: a small one, unless it failed. */
  pictures?: boolean;
  /** Fields that follow each other are filled in one go, and share a picture. */
  together?: boolean;
  /** Go on after an expectation that does not hold, to see which of the others do. */
  soft?: boolean;
  /** After which steps to wait until the page has come to rest. */
  settleAfter?(position: number): boolean;
  /** Called before a step and after the last one. */
  before?(position: number): Promise<void>;
  signal?: AbortSignal;
}

/** Plays the steps in order. It ends at the first that fails; what comes after it is skipped. */
export async function play(stage: Stage, steps: readonly Step[], options: PlayOptions = {}): Promise<StepOutcome[]> {
  const { limits = usualLimits, pictures = false, together = false, soft = false } = options;
  const { settleAfter, before, signal, until } = options;
  const outcomes: StepOutcome[] = [];
  let isOver = false;
  /** Steps whose picture is still to be taken: all see the same page. */
  let waiting: StepOutcome[] = [];
  const takeWaiting = async () => {
    if (!pictures || waiting.length === 0) return;
    // Whoever looks into a failure wants to read what the page says.
    const picture = await pictureOf(stage, { small: waiting.every(({ status }) => status === 'passed') });
    for (const outcome of waiting) if (picture) outcome.picture = picture;
    waiting = [];
  };
  let current = stage.page();
  const tabs = new Set<Page>([current]);
  /** A tab may take a moment to open or to close. */
  const noteTab = () => {
    const page = stage.page();
    if (page === current) return;
    const by = outcomes.findLast(({ step }) => !isExpectation(step));
    if (by) by[tabs.has(page) ? 'closesTab' : 'opensTab'] = true;
    current = page;
    tabs.add(page);
  };

  for (const [position, step] of steps.entries()) {
    // Done together with one before it.
    if (position < outcomes.length) continue;
    noteTab();
    const description = stage.describe(step);
    if (isOver) {
      outcomes.push({ step, description, status: 'skipped', durationMs: 0 });
      continue;
    }
    signal?.throwIfAborted();
    if (!isExpectation(step)) await takeWaiting();
    const entered = together ? await enterAll(stage, steps.slice(position)) : [];
    if (entered.length > 0) {
      outcomes.push(...entered);
      waiting.push(...entered);
      continue;
    }
    await before?.(position);
    const within = until && position < until.position ? until.limits : limits;
    const outcome = await one(stage, step, description, within, settleAfter?.(position) ?? false);
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

/** What was entered in one go took as long as a step as it took in all, by its share. */
async function enterAll(stage: Stage, steps: readonly Step[]): Promise<StepOutcome[]> {
  const from = performance.now();
  const count = await enterTogether(stage, steps);
  const durationMs = (performance.now() - from) / Math.max(1, count);
  return steps
    .slice(0, count)
    .map((step) => ({ step, description: stage.describe(step), status: 'passed', durationMs }));
}

async function one(
  stage: Stage,
  step: Step,
  description: string,
  limits: Limits,
  settles: boolean,
): Promise<StepOutcome> {
  const from = performance.now();
  try {
    const work = isExpectation(step) ? verify(stage, step, limits) : act(stage, step, limits, settles);
    const { healedBy } = await inTime(work, limits);
    const durationMs = performance.now() - from;
    return { step, description, status: 'passed', durationMs, ...(healedBy !== undefined && { healedBy }) };
  } catch (error) {
    return { step, description, status: 'failed', error, durationMs: performance.now() - from };
  }
}

async function inTime<Result>(work: Promise<Result>, { stepMs }: Limits): Promise<Result> {
  const limit = AbortSignal.timeout(stepMs);
  try {
    return await unlessAborted(work, limit);
  } catch (error) {
    if (error !== limit.reason) throw error;
    throw new Failure('unavailable', 'NO_ANSWER', `The page or its browser did not answer for ${stepMs / 1000} s.`);
  }
}

async function act(stage: Stage, step: Action, limits: Limits, settles: boolean): Promise<Performed> {
  if (!settles) return perform(stage, step, limits);
  let performed: Performed | undefined;
  const page = stage.page();
  try {
    await settled(page, async () => {
      performed = await perform(stage, step, limits);
    });
  } catch (error) {
    // What has closed its tab leaves nothing to settle.
    if (!performed || !(await hasClosedItsTab(stage, page, error))) throw error;
  }
  return performed ?? {};
}
