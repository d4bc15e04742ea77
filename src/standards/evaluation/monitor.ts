import { resolve } from 'node:path';
import { isCode, isSource, isTestFile } from '../evidence/code-files.ts';
import { sourceClock } from '../evidence/freshness.ts';
import { lineSigns } from '../evidence/line-signs.ts';
import { findReports } from '../evidence/report-files.ts';
import { testEvidence } from '../evidence/tests.ts';
import type { ChangeSet, NoChangeSet } from '../git/change-set.ts';
import { changedLines } from '../git/changed-lines.ts';
import { fileList } from '../git/file-list.ts';
import { budgetFor, loadPolicy, type Policy } from '../spec/policy.ts';
import type { Project } from '../spec/project.ts';
import { isInside, pathFrom, readIfThere, shown } from '../spec/project-file.ts';
import { pathMatcher, scopeOf } from '../spec/scope.ts';
import { checkWorkingSpec, defaultSpecFile, type RiskTier, type WorkingSpec } from '../spec/working-spec.ts';
import { changesOf } from './facts.ts';
import { countedChange } from './gates.ts';

type RiskLevel = 'low' | 'medium' | 'high';

interface Reason {
  kind: string;
  level: RiskLevel;
  file?: string;
  line?: number;
  message: string;
  /** What to do about it. */
  advice: string;
}

export interface Watched {
  action: 'file_saved' | 'code_edited' | 'test_run';
  files: readonly string[] | undefined;
  /** What the caller knows of the action. */
  tier: number | undefined;
  changeSize: number | undefined;
}

export interface Impact {
  files: string[];
  reasons: Reason[];
  risk: RiskLevel;
}

interface Seen {
  project: Project;
  policy: Policy;
  spec: WorkingSpec | undefined;
  changes: ChangeSet | NoChangeSet;
  /** What git knows, to find tests among it. */
  tracked: string[];
}

const MOST_FILES = 500;
const levels: readonly RiskLevel[] = ['low', 'medium', 'high'];

/** What an action means for quality, from the files themselves; no test is run. */
export async function watch(watched: Watched, project: Project, folder: string, signal: AbortSignal): Promise<Impact> {
  const { root, repository } = project;
  const { policy } = await loadPolicy(root);
  const listing = repository && fileList(repository, root);
  const [specText, changes, list] = await Promise.all([
    readIfThere(root, defaultSpecFile),
    changesOf(project, policy, listing),
    listing,
  ]);
  const spec = specText && checkWorkingSpec(specText.text).spec;
  const seen: Seen = { project, policy, spec, changes, tracked: list?.tracked ?? [] };
  const named = watched.files?.slice(0, MOST_FILES).map((given) => ({ given, path: resolve(folder, given) })) ?? [];
  const outside = named
    .filter(({ path }) => !isInside(root, path))
    .map(({ given }) =>
      reason('outside', 'high', `${shown(given)} lies outside of the project`, 'Keep to the project', given),
    );
  const files = watched.files
    ? named.filter(({ path }) => isInside(root, path)).map(({ path }) => pathFrom(root, path))
    : changedPaths(changes).slice(0, MOST_FILES);
  const reasons = [
    ...outside,
    ...files.flatMap((path) => placeReasons(path, seen)),
    ...files.flatMap((path) => testReasons(path, seen)),
    ...sizeReasons(seen, watched),
    ...(await lineReasons(files, seen, signal)),
    ...(watched.action === 'test_run' ? await runReasons(seen, signal) : tierReasons(files, seen, watched)),
  ];
  const risk = levels[Math.max(0, ...reasons.map(({ level }) => levels.indexOf(level)))] ?? 'low';
  return { files, reasons, risk };
}

function changedPaths(changes: ChangeSet | NoChangeSet): string[] {
  return 'files' in changes ? changes.files.map(({ path }) => path) : [];
}

function reason(kind: string, level: RiskLevel, message: string, advice: string, file?: string, line?: number): Reason {
  return { kind, level, message, advice, ...(file !== undefined && { file }), ...(line !== undefined && { line }) };
}

/** Where a file lies: in scope, and not among those that nobody changes in passing. */
function placeReasons(path: string, { spec, policy }: Seen): Reason[] {
  const found: Reason[] = [];
  const where = spec ? scopeOf(spec.scope, policy.ungoverned)(path) : 'in';
  if (where === 'out')
    found.push(
      reason(
        'out_of_scope',
        'high',
        `${shown(path)} is taken out by scope.out`,
        'Take the change back, or change the spec first',
        path,
      ),
    );
  if (where === 'beyond')
    found.push(
      reason(
        'out_of_scope',
        'high',
        `${shown(path)} is not in scope.in`,
        'Take the change back, or widen the scope in the spec first',
        path,
      ),
    );
  if (pathMatcher(policy.protectedPaths)(path))
    found.push(
      reason('protected', 'high', `${shown(path)} is protected`, 'Have somebody look at it who may decide this', path),
    );
  if (path === defaultSpecFile)
    found.push(
      reason('spec_changed', 'medium', 'The working spec itself changed', 'Check it with caws_validate', path),
    );
  return found;
}

function testReasons(path: string, { changes, tracked }: Seen): Reason[] {
  const change = 'files' in changes ? changes.files.find((one) => one.path === path) : undefined;
  if (isTestFile(path) && change?.kind === 'deleted')
    return [
      reason(
        'test_deleted',
        'high',
        `${shown(path)}: tests were deleted`,
        'Say in the spec why they are not needed',
        path,
      ),
    ];
  if (!isSource(path) || change?.kind === 'deleted') return [];
  const stem = stemOf(path);
  const isItsTest = (other: string) => isTestFile(other) && stemOf(other) === stem;
  if (changedPaths(changes).some(isItsTest)) return [];
  const test = tracked.find(isItsTest);
  return test
    ? [
        reason(
          'test_unchanged',
          'low',
          `${shown(path)} changed, its test ${shown(test)} did not`,
          `See whether ${shown(test)} still says all of it`,
          path,
        ),
      ]
    : [
        reason(
          'source_without_test',
          'medium',
          `${shown(path)} has no test of its name`,
          `Write a test for ${shown(path)}`,
          path,
        ),
      ];
}

/** The name of a file without folder, endings and the marks of a test. */
function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, '');
  return name
    .replace(/^test_/, '')
    .replace(/(?:[._-](?:test|spec|e2e)|Tests?)$/, '')
    .toLowerCase();
}

function sizeReasons({ spec, policy, changes }: Seen, { changeSize }: Watched): Reason[] {
  if (!spec || 'reason' in changes) return [];
  const budget = budgetFor(policy, spec);
  const { files, lines } = countedChange(changes);
  const share = Math.round(Math.max(files.length / budget.files, lines / budget.lines) * 100);
  const said = `The change takes ${share} % of its budget: ${files.length} of ${budget.files} files, ${lines} of ${budget.lines} lines`;
  const found: Reason[] = [];
  if (share > 100) found.push(reason('budget', 'high', said, 'Split the change'));
  else if (share >= 80) found.push(reason('budget', 'medium', said, 'Finish this part before you begin another'));
  if (changeSize !== undefined && changeSize > budget.lines)
    found.push(
      reason(
        'change_size',
        'high',
        `A change of ${changeSize} lines is more than the budget of ${budget.lines}`,
        'Split the change',
      ),
    );
  return found;
}

async function lineReasons(
  files: readonly string[],
  { project, changes }: Seen,
  signal: AbortSignal,
): Promise<Reason[]> {
  const { root, repository } = project;
  const named = new Set(files);
  const lines =
    repository && 'files' in changes
      ? await changedLines(repository, root, changes, ({ path }) => named.has(path))
      : files.map((path) => ({ path, ranges: [[1, Number.POSITIVE_INFINITY]] as const }));
  const table = {
    secret: ['high', 'Take it out, and revoke it: it may have been read already'],
    stub: ['medium', 'Finish it, or say in the spec that it is not part of this change'],
    skipped_test: ['medium', 'Run the test again, or take it out with a reason'],
  } as const;
  return (await lineSigns(root, lines, signal)).map(({ kind, what, path, line }) =>
    reason(kind, table[kind][0], `${shown(path)}:${line} holds ${what}`, table[kind][1], path, line),
  );
}

/** What the last run of the tests says, if it was after the last change. */
async function runReasons({ project, policy }: Seen, signal: AbortSignal): Promise<Reason[]> {
  const { root, repository } = project;
  const [reports, clock] = await Promise.all([
    findReports(root, policy.reports, signal),
    sourceClock(root, repository && fileList(repository, root), signal),
  ]);
  const { cases, reason: why } = await testEvidence(reports, { root, clock, nowMs: Date.now() });
  if (!cases)
    return [
      reason(
        'no_evidence',
        'medium',
        `The run left no evidence: ${why}`,
        'Have the tests write a report (JUnit XML, Vitest or Jest JSON, TAP)',
      ),
    ];
  const failed = cases.filter(({ status }) => status === 'failed');
  const skipped = cases.filter(({ status }) => status === 'skipped').length;
  return [
    ...failed
      .slice(0, 20)
      .map(({ name }) =>
        reason('test_failed', 'high', `Failed: ${shown(name)}`, 'Mend what fails before anything else'),
      ),
    ...(skipped > 0
      ? [
          reason(
            'tests_skipped',
            'low',
            `${skipped} of ${cases.length} tests were skipped`,
            'See whether they need to be',
          ),
        ]
      : []),
  ];
}

function tierReasons(files: readonly string[], { spec, project }: Seen, { tier }: Watched): Reason[] {
  const effective: RiskTier | number | undefined = spec?.risk_tier ?? tier;
  const code = files.filter(isCode);
  const found: Reason[] = [];
  if (effective !== undefined && effective <= 2 && code.length > 0) {
    found.push(
      reason(
        'tier',
        'medium',
        `Code of a tier ${effective} project changed`,
        'Run the tests with coverage, then caws_evaluate',
      ),
    );
  }
  if (spec && tier !== undefined && tier !== spec.risk_tier) {
    found.push(
      reason('tier_claim', 'low', `context.project_tier is ${tier}, the spec says ${spec.risk_tier}`, 'Go by the spec'),
    );
  }
  if (!spec)
    found.push(
      reason(
        'no_spec',
        'medium',
        'There is no valid working spec to hold this to',
        'Make one with caws_init, or mend it with caws_validate',
      ),
    );
  if (!project.repository)
    found.push(
      reason('no_git', 'medium', 'This is no git repository, so nothing can be compared', 'Run "git init", and commit'),
    );
  return found;
}
