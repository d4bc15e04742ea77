import { play, type StepOutcome } from '../replay/play.ts';
import { wordsOf } from '../replay/replay.ts';
import { openStage, type Stage, type StageWishes } from '../replay/stage.ts';
import { pictureOf } from '../replay/stage-picture.ts';
import type { FormEvidence } from '../scan/evidence.ts';
import type { Expectation, Step } from './model.ts';

/** A way in which the page was broken, how many expectations noticed, and which did not, in words. */
export type Tried = { name: string; noticed: number; unnoticedBy: string[] };

/** What came of writing a script: it may still have to prove itself, or it has failed, with the reason. */
export interface Written {
  steps: Step[];
  /** Undefined where nothing speaks against it. */
  failure?: { reason: string; kind: 'not carried out' | 'site contradicts' | 'too weak' | 'not repeatable' };
  mutants: Tried[];
  picture?: Uint8Array;
  /** What was seen of the pages that follow the first one of its form. */
  laterPages?: FormEvidence[];
}

/** What a script expects at its end; or why there is nothing that it could. */
export interface Chosen {
  expectations: Expectation[];
  failure?: NonNullable<Written['failure']>;
}

/** The site does not do what it should: there is nothing to expect, and something to tell. */
export function contradiction(reason: string): Chosen {
  return { expectations: [], failure: { kind: 'site contradicts', reason } };
}

export function notRepeatable(reason: string): Chosen {
  return { expectations: [], failure: { kind: 'not repeatable', reason } };
}

/** The case itself asks for what cannot be done. */
export function notCarriedOut(reason: string): Chosen {
  return { expectations: [], failure: { kind: 'not carried out', reason } };
}

/** Nothing that was seen decides it, so nobody is blamed. */
export function notTold(reason: string): Chosen {
  return { expectations: [], failure: { kind: 'too weak', reason } };
}

export type Wishes = StageWishes & { isPrivate(text: string): boolean };

export function failed(
  steps: Step[],
  kind: NonNullable<Written['failure']>['kind'],
  reason: string,
  picture?: Uint8Array,
): Written {
  return { steps, mutants: [], failure: { kind, reason }, ...(picture && { picture }) };
}

/** Why it did not go on, and what the page looked like. */
export interface Stuck {
  reason: string;
  picture?: Uint8Array;
}

export async function stuck(stage: Stage, error: unknown, at?: Pick<StepOutcome, 'description'>): Promise<Stuck> {
  const picture = await pictureOf(stage);
  const why = error === undefined ? 'found in another way than when it was written' : wordsOf(error);
  const reason = at ? `${at.description}: ${why}` : why;
  return { reason, ...(picture && { picture }) };
}

/** Plays the script as it would be played for good, without pictures; past expectations that do not hold. */
export async function tryOut(
  wishes: Wishes,
  steps: readonly Step[],
): Promise<{ outcomes: StepOutcome[]; durationMs: number; picture?: Uint8Array }> {
  const from = performance.now();
  await using stage = await openStage(wishes);
  const outcomes = await play(stage, steps, { soft: true, ...(wishes.signal && { signal: wishes.signal }) });
  const durationMs = performance.now() - from;
  const isFine = outcomes.every(({ status, healedBy }) => status === 'passed' && healedBy === undefined);
  const picture = isFine ? undefined : await pictureOf(stage);
  return { outcomes, durationMs, ...(picture && { picture }) };
}
