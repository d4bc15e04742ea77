import type { Policy } from '../spec/policy.ts';
import type { GateMeasurement } from './criterion.ts';

/**
 * A gate that passes by a report needs a report from a recorded test run. Without one it is unknown, or passes with a remark if
 * the policy says `evidence.unattested: warn`. A failure needs no attestation.
 */
export function requireAttestation(measured: GateMeasurement, unattested: Policy['unattested']): GateMeasurement {
  if (measured.status !== 'passed' || unattested === 'accept') return measured;
  const source = measured.evidence?.find(({ state, attested }) => state === 'fresh' && attested !== true);
  if (!source) return measured;
  const why = `${source.path} is unattested: ${source.unattested_because ?? 'no recorded test run wrote it'}`;
  if (unattested === 'warn') return { ...measured, feedback: `${measured.feedback} (${why})` };
  return {
    ...measured,
    status: 'unknown',
    feedback: `Not known: ${why}; it says ${measured.feedback}`,
    action: 'Run the tests with caws_run_tests or "assay ci standards", which record what they see',
  };
}
