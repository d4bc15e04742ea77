import { type Dirent, lstatSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createPathMatcher } from '../spec/scope.ts';
import type { EvidenceFile } from './evidence-source.ts';

export type ReportKind = 'junit' | 'jest' | 'tap' | 'lcov' | 'cobertura' | 'mutation';

export interface FoundReport extends EvidenceFile {
  kind: ReportKind;
}

/** Folders where tools of any language write reports, with the search depth. */
const reportFolders: readonly [folder: string, depth: number][] = [
  ['', 0],
  ['coverage', 2],
  ['reports', 3],
  ['report', 2],
  ['test-results', 3],
  ['test-reports', 3],
  ['test_results', 2],
  ['junit', 1],
  ['artifacts', 2],
  ['out', 1],
  ['target/surefire-reports', 0],
  ['target/failsafe-reports', 0],
  ['target/nextest', 2],
  ['target/coverage', 1],
  ['target/llvm-cov', 1],
  ['target/site', 2],
  ['build/test-results', 3],
  ['build/reports', 4],
  ['StrykerOutput', 3],
];
/** Parent folders of monorepo packages, which have reports of their own. */
const packageFolders = ['packages', 'apps', 'crates', 'services', 'modules'];
const MAX_PACKAGES = 200;
const MAX_FILES = 5000;
const reportExtension = /\.(?:xml|json|info|lcov|tap)$/i;
/** At the top of a project most XML and JSON files are not reports, so the name must match. */
const topLevelReportName =
  /\.(?:info|lcov|tap)$|(?:test|junit|report|result|coverage|cobertura|mutation|vitest|jest|pytest|TEST-)[^/]*\.(?:xml|json)$/i;
const SAMPLE_BYTES = 64 * 1024;

export interface ReportGlobs {
  tests: readonly string[];
  coverage: readonly string[];
  mutation: readonly string[];
}

/** Describes where reports are searched, for messages about a missing one. */
export function describeSearchedFolders(kind: keyof ReportGlobs): string {
  return `in the usual folders (the top folder, reports/, test-results/, coverage/ …) or at reports.${kind} of .caws/policy.yaml`;
}

/** Finds the reports of a project in the usual folders and at the globs of its policy, and detects their kind by content. */
export async function findEvidenceReports(
  root: string,
  globs: ReportGlobs,
  signal?: AbortSignal,
): Promise<FoundReport[]> {
  const named = [...globs.tests, ...globs.coverage, ...globs.mutation];
  const paths = new Set<string>();
  for (const base of ['', ...(await listPackages(root))]) {
    for (const [folder, depth] of reportFolders) {
      const inside = [base, folder].filter((part) => part !== '').join('/');
      await collectPaths(root, inside, depth, folder === '' ? topLevelReportName : reportExtension, paths);
    }
  }
  const isNamed = createPathMatcher(named);
  for (const glob of named) {
    const folder = literalFolder(glob);
    if (folder !== undefined) await collectPaths(root, folder, 6, { test: isNamed }, paths);
  }
  signal?.throwIfAborted();
  const found = await Promise.all([...paths].sort().map((path) => detectReport(root, path)));
  return found.filter((report) => report !== undefined);
}

async function listPackages(root: string): Promise<string[]> {
  const lists = await Promise.all(
    packageFolders.map(async (folder) =>
      (await listEntries(root, folder)).filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}`),
    ),
  );
  return lists.flat().slice(0, MAX_PACKAGES);
}

async function collectPaths(
  root: string,
  folder: string,
  depth: number,
  wanted: { test(path: string): boolean },
  into: Set<string>,
): Promise<void> {
  if (into.size >= MAX_FILES) return;
  for (const entry of await listEntries(root, folder)) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isFile() && wanted.test(path)) into.add(path);
    else if (depth > 0 && entry.isDirectory() && entry.name !== 'node_modules' && entry.name !== '.git') {
      await collectPaths(root, path, depth - 1, wanted, into);
    }
  }
}

/** Lists a folder without following links. */
async function listEntries(root: string, folder: string): Promise<Dirent[]> {
  if (
    folder
      .split('/')
      .some((part, index, parts) => part !== '' && !isRealFolder(join(root, ...parts.slice(0, index + 1))))
  )
    return [];
  return readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
}

function isRealFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The folder of a glob before its first wildcard; undefined if it leads out of the project. */
function literalFolder(glob: string): string | undefined {
  const parts = glob.replace(/^\.\//, '').split('/');
  const wild = parts.findIndex((part) => /[*?[\]{}]/.test(part));
  const fixed = parts.slice(0, wild < 0 ? parts.length - 1 : wild);
  return fixed.includes('..') || glob.startsWith('/') || glob.includes('\0') ? undefined : fixed.join('/');
}

async function detectReport(root: string, path: string): Promise<FoundReport | undefined> {
  try {
    await using file = await open(join(root, path), 'r');
    const stats = await file.stat();
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(SAMPLE_BYTES, stats.size)), 0);
    const kind = detectReportKind(path, buffer.toString('utf8', 0, bytesRead));
    return kind && { path, bytes: stats.size, modifiedMs: stats.mtimeMs, kind };
  } catch {
    return undefined;
  }
}

/** Detects the kind of a report from its first bytes. */
export function detectReportKind(path: string, start: string): ReportKind | undefined {
  const text = start.replace(/^\uFEFF/, '').trimStart();
  if (text.startsWith('<')) {
    const root = /<([A-Za-z][\w:.-]*)/.exec(text.replace(/<!--.*?-->/gs, '').replace(/<[?!][^>]*>/g, ''))?.[1];
    if (root === 'testsuites' || root === 'testsuite') return 'junit';
    return root === 'coverage' ? 'cobertura' : undefined;
  }
  if (text.startsWith('{')) {
    if (/"numTotalTests"|"numTotalTestSuites"|"testResults"/.test(text)) return 'jest';
    return /"schemaVersion"|"mutants"|"mutationScore"/.test(text) && /mutation|stryker/i.test(`${path}${text}`)
      ? 'mutation'
      : undefined;
  }
  if (/^(?:TN|SF|KF):/m.test(text.slice(0, 4096)) && !/\.tap$/.test(path)) return 'lcov';
  return /^(?:TAP version \d+|1\.\.\d+|(?:not )?ok\b)/m.test(text.slice(0, 4096)) ? 'tap' : undefined;
}
