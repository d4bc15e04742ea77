import { findEvidenceReports } from '../evidence/report-files.ts';
import { parseJest, parseJunit, parseTap, readTestReport, type TestReportCase } from '../evidence/test-reports.ts';
import { loadPolicy } from '../spec/policy.ts';
import type { GovernedProject } from '../spec/project.ts';

const MAX_VERSIONS = 20;
const reportParsers = { junit: parseJunit, jest: parseJest, tap: parseTap };

/** Reads every recorded test run: the current reports, and earlier versions that are committed. */
export async function readTestRuns(project: GovernedProject, signal: AbortSignal): Promise<TestReportCase[][]> {
  const { policy } = await loadPolicy(project.root);
  const runs: TestReportCase[][] = [];
  for (const report of await findEvidenceReports(project.root, policy.reports, signal)) {
    const { kind } = report;
    if (kind !== 'junit' && kind !== 'jest' && kind !== 'tap') continue;
    for (const text of await readCommittedVersions(project, report.path))
      runs.push(await parseOrEmpty(() => reportParsers[kind](text)));
    runs.push(await readTestReport(project.root, report).catch(() => []));
  }
  return runs.filter((cases) => cases.length > 0);
}

/** Oldest first, without the current version. */
async function readCommittedVersions({ repository, root }: GovernedProject, path: string): Promise<string[]> {
  if (repository?.head === undefined) return [];
  const args = [`--max-count=${MAX_VERSIONS}`, '--format=%H', 'HEAD', '--', path];
  const options = { cwd: root, literalPathspecs: true };
  const commits = (await repository.git('log', args, options)).stdout
    .toString('utf8')
    .split('\n')
    .filter((id) => id !== '')
    .reverse();
  const unchanged =
    commits.length > 0 && (await repository.git('diff', ['--quiet', 'HEAD', '--', path], options)).code === 0;
  const versions: string[] = [];
  for (const commit of unchanged ? commits.slice(0, -1) : commits) {
    const { code, stdout } = await repository.git('cat-file', ['blob', `${commit}:./${path}`], options);
    if (code === 0) versions.push(stdout.toString('utf8'));
  }
  return versions;
}

async function parseOrEmpty(read: () => TestReportCase[] | Promise<TestReportCase[]>): Promise<TestReportCase[]> {
  try {
    return await read();
  } catch {
    return [];
  }
}
