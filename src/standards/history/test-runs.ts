import { findReports } from '../evidence/report-files.ts';
import { fromJest, fromJunit, fromTap, readTestReport, type TestCase } from '../evidence/test-reports.ts';
import { loadPolicy } from '../spec/policy.ts';
import type { Project } from '../spec/project.ts';

const MOST_VERSIONS = 20;
const readers = { junit: fromJunit, jest: fromJest, tap: fromTap };

/** Every run of the tests that is on record: the reports that lie there, and the earlier ones where they are committed. */
export async function testRuns(project: Project, signal: AbortSignal): Promise<TestCase[][]> {
  const { policy } = await loadPolicy(project.root);
  const runs: TestCase[][] = [];
  for (const report of await findReports(project.root, policy.reports, signal)) {
    const { kind } = report;
    if (kind !== 'junit' && kind !== 'jest' && kind !== 'tap') continue;
    for (const text of await earlier(project, report.path)) runs.push(await attempt(() => readers[kind](text)));
    runs.push(await readTestReport(project.root, report).catch(() => []));
  }
  return runs.filter((cases) => cases.length > 0);
}

/** Oldest first; without the version that lies there now. */
async function earlier({ repository, root }: Project, path: string): Promise<string[]> {
  if (repository?.head === undefined) return [];
  const args = [`--max-count=${MOST_VERSIONS}`, '--format=%H', 'HEAD', '--', path];
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

async function attempt(read: () => TestCase[] | Promise<TestCase[]>): Promise<TestCase[]> {
  try {
    return await read();
  } catch {
    return [];
  }
}
