import { resolve } from 'node:path';
import { isCodeFile, isSourceFile, isTestFile, testStem } from '../evidence/code-files.ts';
import { readSourceClock } from '../evidence/freshness.ts';
import { findEvidenceReports } from '../evidence/report-files.ts';
import { findSuspiciousLines } from '../evidence/suspicious-lines.ts';
import { readTestEvidence } from '../evidence/test-evidence.ts';
import type { NoChangeSet } from '../git/branch-point.ts';
import type { ChangeSet } from '../git/change-set.ts';
import { readChangedLines } from '../git/changed-lines.ts';
import { listProjectFiles } from '../git/file-list.ts';
import { computeBudget, loadPolicy, type Policy } from '../spec/policy.ts';
import type { GovernedProject } from '../spec/project.ts';
import { isInside, quoteIfUnsafe, readProjectFileIfExists, relativePath } from '../spec/project-file.ts';
import { createPathMatcher, createScopeMatcher } from '../spec/scope.ts';
import { checkWorkingSpec, defaultSpecFile, type RiskTier, type WorkingSpec } from '../spec/working-spec.ts';
import { countChange } from './gates.ts';
import { readChanges } from './project-evidence.ts';

type RiskLevel = 'low' | 'medium' | 'high';

interface RiskReason {
  kind: string;
  level: RiskLevel;
  file?: string;
  line?: number;
  message: string;
  /** What to do about it. */
  advice: string;
}

export interface MonitoredAction {
  action: 'file_saved' | 'code_edited' | 'test_run';
  files: readonly string[] | undefined;
  /** From the caller's context. */
  tier: number | undefined;
  changeSize: number | undefined;
}

export interface QualityImpact {
  files: string[];
  reasons: RiskReason[];
  risk: RiskLevel;
}

interface MonitorContext {
  project: GovernedProject;
  policy: Policy;
  spec: WorkingSpec | undefined;
  changes: ChangeSet | NoChangeSet;
  /** Tracked files, to find tests among them. */
  tracked: string[];
}

const MAX_FILES = 500;
const levels: readonly RiskLevel[] = ['low', 'medium', 'high'];

/** Assesses the impact of an action on quality from the files; runs no test. */
export async function assessImpact(
  watched: MonitoredAction,
  project: GovernedProject,
  folder: string,
  signal: AbortSignal,
): Promise<QualityImpact> {
  const { root, repository } = project;
  const { policy } = await loadPolicy(root);
  const listing = repository && listProjectFiles(repository, root);
  const [specText, changes, list] = await Promise.all([
    readProjectFileIfExists(root, defaultSpecFile),
    readChanges(project, policy, listing),
    listing,
  ]);
  const spec = specText && checkWorkingSpec(specText.text).spec;
  const monitored: MonitorContext = { project, policy, spec, changes, tracked: list?.tracked ?? [] };
  const named = watched.files?.slice(0, MAX_FILES).map((given) => ({ given, path: resolve(folder, given) })) ?? [];
  const outside = named
    .filter(({ path }) => !isInside(root, path))
    .map(({ given }) =>
      createReason(
        'outside',
        'high',
        `${quoteIfUnsafe(given)} is outside of the project`,
        'Change only files of the project',
        given,
      ),
    );
  const files = watched.files
    ? named.filter(({ path }) => isInside(root, path)).map(({ path }) => relativePath(root, path))
    : changedPaths(changes).slice(0, MAX_FILES);
  const reasons = [
    ...outside,
    ...files.flatMap((path) => scopeReasons(path, monitored)),
    ...files.flatMap((path) => testReasons(path, monitored)),
    ...budgetReasons(monitored, watched),
    ...(await lineReasons(files, monitored, signal)),
    ...(watched.action === 'test_run'
      ? await testRunReasons(monitored, signal)
      : tierReasons(files, monitored, watched)),
  ];
  const risk = levels[Math.max(0, ...reasons.map(({ level }) => levels.indexOf(level)))] ?? 'low';
  return { files, reasons, risk };
}

function changedPaths(changes: ChangeSet | NoChangeSet): string[] {
  return 'files' in changes ? changes.files.map(({ path }) => path) : [];
}

function createReason(
  kind: string,
  level: RiskLevel,
  message: string,
  advice: string,
  file?: string,
  line?: number,
): RiskReason {
  return { kind, level, message, advice, ...(file !== undefined && { file }), ...(line !== undefined && { line }) };
}

/** Risks of the location of a file: out of scope, protected, or the spec itself. */
function scopeReasons(path: string, { spec, policy }: MonitorContext): RiskReason[] {
  const found: RiskReason[] = [];
  const where = spec ? createScopeMatcher(spec.scope, policy.ungoverned)(path) : 'in';
  if (where === 'out')
    found.push(
      createReason(
        'out_of_scope',
        'high',
        `${quoteIfUnsafe(path)} is excluded by scope.out`,
        'Undo the change, or change the spec first',
        path,
      ),
    );
  if (where === 'beyond')
    found.push(
      createReason(
        'out_of_scope',
        'high',
        `${quoteIfUnsafe(path)} is not in scope.in`,
        'Undo the change, or widen the scope in the spec first',
        path,
      ),
    );
  if (createPathMatcher(policy.protectedPaths)(path))
    found.push(
      createReason(
        'protected',
        'high',
        `${quoteIfUnsafe(path)} is protected`,
        'Ask an owner of this file for a review',
        path,
      ),
    );
  if (path === defaultSpecFile)
    found.push(
      createReason('spec_changed', 'medium', 'The working spec itself changed', 'Check it with caws_validate', path),
    );
  return found;
}

function testReasons(path: string, { changes, tracked }: MonitorContext): RiskReason[] {
  const change = 'files' in changes ? changes.files.find((one) => one.path === path) : undefined;
  if (isTestFile(path) && change?.kind === 'deleted')
    return [
      createReason(
        'test_deleted',
        'high',
        `${quoteIfUnsafe(path)}: tests were deleted`,
        'Explain in the spec why they are not needed',
        path,
      ),
    ];
  if (!isSourceFile(path) || change?.kind === 'deleted') return [];
  const stem = testStem(path);
  const isItsTest = (other: string) => isTestFile(other) && testStem(other) === stem;
  if (changedPaths(changes).some(isItsTest)) return [];
  const test = tracked.find(isItsTest);
  return test
    ? [
        createReason(
          'test_unchanged',
          'low',
          `${quoteIfUnsafe(path)} changed, its test ${quoteIfUnsafe(test)} did not`,
          `See whether ${quoteIfUnsafe(test)} still covers the change`,
          path,
        ),
      ]
    : [
        createReason(
          'source_without_test',
          'medium',
          `${quoteIfUnsafe(path)} has no test with its name`,
          `Write a test for ${quoteIfUnsafe(path)}`,
          path,
        ),
      ];
}

function budgetReasons({ spec, policy, changes }: MonitorContext, { changeSize }: MonitoredAction): RiskReason[] {
  if (!spec || 'reason' in changes) return [];
  const budget = computeBudget(policy, spec);
  const { files, lines } = countChange(changes);
  const share = Math.round(Math.max(files.length / budget.files, lines / budget.lines) * 100);
  const usage = `The change takes ${share} % of its budget: ${files.length} of ${budget.files} files, ${lines} of ${budget.lines} lines`;
  const found: RiskReason[] = [];
  if (share > 100) found.push(createReason('budget', 'high', usage, 'Split the change'));
  else if (share >= 80)
    found.push(createReason('budget', 'medium', usage, 'Finish this part before you start another'));
  if (changeSize !== undefined && changeSize > budget.lines)
    found.push(
      createReason(
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
  { project, changes }: MonitorContext,
  signal: AbortSignal,
): Promise<RiskReason[]> {
  const { root, repository } = project;
  const named = new Set(files);
  const lines =
    repository && 'files' in changes
      ? await readChangedLines(repository, root, changes, ({ path }) => named.has(path))
      : files.map((path) => ({ path, ranges: [[1, Number.POSITIVE_INFINITY]] as const }));
  const table = {
    secret: ['high', 'Remove the secret and revoke it: it may have been read already'],
    stub: ['medium', 'Finish it, or exclude it in the spec'],
    skipped_test: ['medium', 'Enable the test, or remove it with a reason'],
  } as const;
  return (await findSuspiciousLines(root, lines, signal)).map(({ kind, what, path, line }) =>
    createReason(kind, table[kind][0], `${quoteIfUnsafe(path)}:${line} holds ${what}`, table[kind][1], path, line),
  );
}

/** Reasons from the last test run, if it is newer than the last change. */
async function testRunReasons({ project, policy }: MonitorContext, signal: AbortSignal): Promise<RiskReason[]> {
  const { root, repository } = project;
  const [reports, clock] = await Promise.all([
    findEvidenceReports(root, policy.reports, signal),
    readSourceClock(root, repository && listProjectFiles(repository, root), signal),
  ]);
  const { cases, reason: why } = await readTestEvidence(reports, { root, clock, nowMs: Date.now() });
  if (!cases)
    return [
      createReason(
        'no_evidence',
        'medium',
        `The test run left no evidence: ${why}`,
        'Configure a test report (JUnit XML, Vitest or Jest JSON, TAP)',
      ),
    ];
  const failed = cases.filter(({ status }) => status === 'failed');
  const skipped = cases.filter(({ status }) => status === 'skipped').length;
  return [
    ...failed
      .slice(0, 20)
      .map(({ name }) =>
        createReason('test_failed', 'high', `Failed: ${quoteIfUnsafe(name)}`, 'Fix failing tests before anything else'),
      ),
    ...(skipped > 0
      ? [
          createReason(
            'tests_skipped',
            'low',
            `${skipped} of ${cases.length} tests were skipped`,
            'Check whether they must be skipped',
          ),
        ]
      : []),
  ];
}

function tierReasons(
  files: readonly string[],
  { spec, project }: MonitorContext,
  { tier }: MonitoredAction,
): RiskReason[] {
  const effective: RiskTier | number | undefined = spec?.risk_tier ?? tier;
  const code = files.filter(isCodeFile);
  const found: RiskReason[] = [];
  if (effective !== undefined && effective <= 2 && code.length > 0) {
    found.push(
      createReason(
        'tier',
        'medium',
        `Code of a tier ${effective} project changed`,
        'Run the tests with coverage, then caws_evaluate',
      ),
    );
  }
  if (spec && tier !== undefined && tier !== spec.risk_tier) {
    found.push(
      createReason(
        'tier_claim',
        'low',
        `context.project_tier is ${tier}, the spec says ${spec.risk_tier}`,
        'Use the tier of the spec',
      ),
    );
  }
  if (!spec)
    found.push(
      createReason(
        'no_spec',
        'medium',
        'No valid working spec found',
        'Create one with caws_init, or check it with caws_validate',
      ),
    );
  if (!project.repository)
    found.push(
      createReason(
        'no_git',
        'medium',
        'Not a git repository, so changes cannot be compared',
        'Run "git init" and commit',
      ),
    );
  return found;
}
