import { join } from 'node:path';
import { Failure, quote, systemCode } from '../../platform/errors.ts';
import { ProgramLimitError, runProgram } from '../../platform/process/run-program.ts';
import { isInPipeline, testEnvironment } from '../../platform/process/test-environment.ts';
import { hashFile } from '../evidence/evidence-source.ts';
import { type FoundReport, findEvidenceReports } from '../evidence/report-files.ts';
import { listProjectFiles } from '../git/file-list.ts';
import { readBaseRules } from '../integrity/base-rules.ts';
import { choosePolicy } from '../integrity/effective-rules.ts';
import { loadPolicy } from '../spec/policy.ts';
import type { GovernedProject } from '../spec/project.ts';
import { defaultSpecFile } from '../spec/working-spec.ts';
import type { EvidenceKeys } from './evidence-keys.ts';
import { digestSources } from './judge-reports.ts';
import { type RecordedRun, writeRunRecord } from './run-record.ts';
import { type DeclaredCommand, findTestCommand } from './test-command.ts';

export interface AttestedRun {
  run: RecordedRun;
  /** Where the command is declared. */
  source: string;
  /** The record, relative to the project. */
  file: string;
  /** The end of what the command printed. */
  output: string;
  seconds: number;
}

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const SHOWN_CHARACTERS = 4000;

/** Finds the command that the rules at the base declare; undefined without one. */
export async function findDeclaredCommand(project: GovernedProject): Promise<DeclaredCommand | undefined> {
  return findTestCommand(project.root, await readEffectivePolicy(project));
}

async function readEffectivePolicy(project: GovernedProject) {
  const { policy } = await loadPolicy(project.root);
  return choosePolicy(await readBaseRules(project, defaultSpecFile, policy.base), policy);
}

/**
 * Runs the declared test command in a process with a clean environment and records command, times, files before and after, and
 * the reports that it wrote. Throws if the run changed files, because its reports then belong to no state of the project.
 */
export async function runAttestedTests(
  project: GovernedProject,
  { keys, signal }: { keys: EvidenceKeys; signal: AbortSignal },
): Promise<AttestedRun> {
  const { root, repository } = project;
  if (!repository)
    throw new Failure(
      'not_found',
      'ENOENT',
      'Not a git repository, so files before and after the run cannot be compared; run "git init" and commit',
    );
  const policy = await readEffectivePolicy(project);
  const declared = await findTestCommand(root, policy);
  if (!declared)
    throw new Failure(
      'not_found',
      'ENOENT',
      'No test command is declared; write tests: { command: [program, argument] } in .caws/policy.yaml',
    );
  const snapshot = async () => {
    const [listing, reports] = await Promise.all([
      listProjectFiles(repository, root),
      findEvidenceReports(root, policy.reports, signal),
    ]);
    return { listing, reports, tree: await digestSources(root, listing, reports, signal) };
  };
  const before = await snapshot();
  const startedMs = Date.now();
  const finished = await startCommand(root, declared.command, {
    env: testEnvironment(policy.tests.environment),
    timeoutMs: policy.tests.timeoutSeconds * 1000,
    signal,
  });
  const endedMs = Date.now();
  const after = await snapshot();
  if (before.tree !== after.tree) throw changedFilesFailure(before.listing.untracked, after.listing.untracked);
  const run: RecordedRun = {
    command: [...declared.command],
    exitCode: finished.code,
    startedAt: new Date(startedMs).toISOString(),
    endedAt: new Date(endedMs).toISOString(),
    treeBefore: before.tree,
    treeAfter: after.tree,
    reports: await hashNewReports(root, after.reports, startedMs),
    isPipeline: isInPipeline(),
  };
  const file = await writeRunRecord(root, run, await keys.signer());
  const output = `${finished.stdout.toString('utf8')}${finished.stderr}`.slice(-SHOWN_CHARACTERS);
  return { run, source: declared.source, file, output, seconds: Math.round((endedMs - startedMs) / 1000) };
}

async function startCommand(
  cwd: string,
  [program = '', ...args]: readonly string[],
  options: { env: NodeJS.ProcessEnv; timeoutMs: number; signal: AbortSignal },
) {
  try {
    return await runProgram(program, args, { cwd, maxOutputBytes: MAX_OUTPUT_BYTES, ...options });
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof ProgramLimitError) {
      const advice =
        error.limit === 'time' ? 'raise tests.timeout_seconds in .caws/policy.yaml' : 'make the tests print less';
      throw new Failure(
        'unavailable',
        'ETIMEDOUT',
        `The test command was ended: ${error.message}; ${advice}`,
        {},
        { cause: error },
      );
    }
    if (systemCode(error) !== 'ENOENT') throw error;
    const message = `The test command starts ${quote(program)}, which was not found; install it, or correct tests.command in .caws/policy.yaml`;
    throw new Failure('not_found', 'ENOENT', message, {}, { cause: error });
  }
}

/** The reports that the run wrote. The time of some file systems has a resolution of a second. */
async function hashNewReports(
  root: string,
  reports: readonly FoundReport[],
  startedMs: number,
): Promise<RecordedRun['reports']> {
  const written = reports.filter(({ modifiedMs }) => modifiedMs >= Math.floor(startedMs / 1000) * 1000);
  return Promise.all(written.map(async ({ path }) => ({ path, sha256: await hashFile(join(root, path)) })));
}

function changedFilesFailure(before: readonly string[], after: readonly string[]): Failure {
  const added = after.filter((path) => !before.includes(path)).slice(0, 5);
  const what =
    added.length > 0 ? `it left ${added.map((path) => quote(path)).join(', ')}` : 'it changed files of the project';
  return new Failure(
    'conflict',
    'EINVAL',
    `The test run proves nothing, because ${what}; write results to an ignored folder (.gitignore), and run it again`,
  );
}
