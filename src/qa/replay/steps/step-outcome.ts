import type { ScriptStep } from '../../scripts/model/script-steps.ts';

/** The result of one played step. */
export interface StepOutcome {
  step: ScriptStep;
  description: string;
  status: 'passed' | 'failed' | 'skipped';
  /** Index of the rung that found the element, if not the best one. */
  healedBy?: number;
  error?: unknown;
  /** The step opened a tab. */
  opensTab?: true;
  /** The step closed its own tab. */
  closesTab?: true;
  durationMs: number;
  /** The page after the step. Expectations about one page share the picture. */
  picture?: Uint8Array;
}
