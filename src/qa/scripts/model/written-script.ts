import { errorMessage } from '../../replay/replay-script.ts';
import { openSession, type ReplaySession, type SessionOptions } from '../../replay/session/replay-session.ts';
import { captureSessionScreenshot } from '../../replay/session/session-screenshot.ts';
import { playSteps } from '../../replay/steps/play-steps.ts';
import type { StepOutcome } from '../../replay/steps/step-outcome.ts';
import type { FormEvidence } from '../../scan/use-case-evidence.ts';
import type { ScriptExpectation, ScriptStep } from './script-steps.ts';

/** A mutant, the number of expectations that detected it, and those that did not, in words. */
export type MutantResult = { name: string; noticed: number; unnoticedBy: string[] };

/** The result of writing a script: a script to be confirmed, or a failure with its reason. */
export interface WrittenScript {
  steps: ScriptStep[];
  /** Undefined if there is no objection. */
  failure?: { reason: string; kind: 'not carried out' | 'site contradicts' | 'too weak' | 'not repeatable' };
  mutants: MutantResult[];
  picture?: Uint8Array;
  /** Observations of the pages that follow the first page of the form. */
  laterPages?: FormEvidence[];
}

/** The expectations at the end of a script, or why there are none. */
export interface ExpectationChoice {
  expectations: ScriptExpectation[];
  failure?: NonNullable<WrittenScript['failure']>;
}

/** The site contradicts its own constraints or a requirement. */
export function siteContradiction(reason: string): ExpectationChoice {
  return { expectations: [], failure: { kind: 'site contradicts', reason } };
}

export function notRepeatable(reason: string): ExpectationChoice {
  return { expectations: [], failure: { kind: 'not repeatable', reason } };
}

/** The case contains an action that is impossible. */
export function notCarriedOut(reason: string): ExpectationChoice {
  return { expectations: [], failure: { kind: 'not carried out', reason } };
}

/** The observations do not decide the outcome. */
export function outcomeUnknown(reason: string): ExpectationChoice {
  return { expectations: [], failure: { kind: 'too weak', reason } };
}

export type WriterOptions = SessionOptions & { isPrivate(text: string): boolean };

export function failedScript(
  steps: ScriptStep[],
  kind: NonNullable<WrittenScript['failure']>['kind'],
  reason: string,
  picture?: Uint8Array,
): WrittenScript {
  return { steps, mutants: [], failure: { kind, reason }, ...(picture && { picture }) };
}

/** Why the recording stopped, and a picture of the page. */
export interface Interruption {
  reason: string;
  picture?: Uint8Array;
}

export async function describeInterruption(
  session: ReplaySession,
  error: unknown,
  at?: Pick<StepOutcome, 'description'>,
): Promise<Interruption> {
  const picture = await captureSessionScreenshot(session);
  const why = error === undefined ? 'found by another locator than when it was recorded' : errorMessage(error);
  const reason = at ? `${at.description}: ${why}` : why;
  return { reason, ...(picture && { picture }) };
}

/** Replays the script without pictures, and continues after expectations that do not hold. */
export async function trialReplay(
  options: WriterOptions,
  steps: readonly ScriptStep[],
): Promise<{ outcomes: StepOutcome[]; durationMs: number; picture?: Uint8Array }> {
  const from = performance.now();
  await using session = await openSession(options);
  const outcomes = await playSteps(session, steps, { soft: true, ...(options.signal && { signal: options.signal }) });
  const durationMs = performance.now() - from;
  const isFine = outcomes.every(({ status, healedBy }) => status === 'passed' && healedBy === undefined);
  const picture = isFine ? undefined : await captureSessionScreenshot(session);
  return { outcomes, durationMs, ...(picture && { picture }) };
}
