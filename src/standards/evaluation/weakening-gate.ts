import type { ComparedChange } from '../integrity/compare-change.ts';
import { listUnapproved, type Weakening } from '../integrity/weakening.ts';
import { pluralize } from '../pluralize.ts';
import { quoteIfUnsafe } from '../spec/project-file.ts';
import type { GateMeasurement } from './criterion.ts';

const MAX_DETAILS = 20;

/** Measures whether a change keeps the rules and tests that were there before it. */
export function measureWeakeningGate({ weakenings, reason }: ComparedChange): GateMeasurement {
  const unit = 'weakenings without an approval';
  const open = listUnapproved(weakenings);
  const details = [...open, ...weakenings.filter((one) => !open.includes(one))]
    .slice(0, MAX_DETAILS)
    .map(formatWeakening);
  if (open.length === 0 && reason !== undefined) {
    const action = `Make the change comparable with its base: ${reason}`;
    return {
      status: 'unknown',
      score: 0,
      actual: null,
      threshold: 0,
      unit,
      feedback: `Not known: ${reason}`,
      details,
      action,
    };
  }
  const passed = open.length === 0;
  const notes = weakenings.length - open.length;
  return {
    status: passed ? 'passed' : 'failed',
    score: 1 / (1 + open.length),
    actual: open.length,
    threshold: 0,
    unit,
    feedback: `${passed ? 'The change weakens no rule and no test' : `The change weakens ${pluralize(open.length, 'rule or test', 'rules or tests')}`}${notes > 0 ? `; ${pluralize(notes, 'point')} for reviewers` : ''}`,
    details,
    ...(!passed && {
      action: `Undo it, or get it approved by an approver of the policy at the base (assay approve): ${open.slice(0, 3).map(formatWeakening).join('; ')}`,
    }),
  };
}

export function formatWeakening({ file, line, what, severity, approvedBy }: Weakening): string {
  const where = `${quoteIfUnsafe(file)}${line === undefined ? '' : `:${line}`}`;
  const state =
    severity === 'note' ? ' (note)' : approvedBy === undefined ? '' : ` (approved by ${quoteIfUnsafe(approvedBy)})`;
  return `${where}: ${what}${state}`;
}
