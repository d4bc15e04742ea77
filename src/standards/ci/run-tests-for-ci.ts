import type { EvidenceKeys } from '../attestation/evidence-keys.ts';
import { findDeclaredCommand, runAttestedTests } from '../attestation/run-attested-tests.ts';
import { pluralize } from '../pluralize.ts';
import { openProject } from '../spec/project.ts';

/** Runs and records the declared test command of a project. Returns lines for the log of the pipeline. */
export async function runTestsForCi({
  cwd,
  keys,
  signal,
}: {
  cwd: string;
  keys: EvidenceKeys;
  signal: AbortSignal;
}): Promise<string[]> {
  const project = await openProject(undefined, { cwd, signal, checkPath: async () => {} });
  const declared = project.repository && (await findDeclaredCommand(project));
  if (!declared)
    return ['No test command is declared (tests.command in .caws/policy.yaml), so no test run is recorded.'];
  const { run, output, seconds, file } = await runAttestedTests(project, { keys, signal });
  const shown = run.exitCode === 0 ? [] : output.split('\n');
  const line = `Tests: "${run.command.join(' ')}" ended with code ${run.exitCode ?? 'none'} after ${seconds} s and wrote ${pluralize(run.reports.length, 'report')} (${file}).`;
  return [...shown, line];
}
