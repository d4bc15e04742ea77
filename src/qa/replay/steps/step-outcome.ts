import type { ScriptStep } from '../../scripts/model/script-steps.ts';

/** The result of one played step. */
export interface StepOutcome {
  step: ScriptStep;
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
