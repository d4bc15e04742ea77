import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Failure, quote } from '../../platform/errors.ts';
import { type EvaluationOptions, evaluateProject } from '../evaluation/evaluate.ts';
import { budgetWithWaivers, countChange } from '../evaluation/gates.ts';
import { type Governance, loadGovernance } from '../spec/governance.ts';
import type { GateName } from '../spec/policy.ts';
import type { GovernedProject } from '../spec/project.ts';
import { isInside, lstatIfExists, readProjectFile } from '../spec/project-file.ts';
import { createScopeMatcher } from '../spec/scope.ts';
import { formatProblem } from '../spec/spec-problems.ts';
import { waiversInForce } from '../spec/waivers.ts';
import { defaultSpecFile, type WorkingSpec } from '../spec/working-spec.ts';
import { findMessageProblems } from './commit-message.ts';
import { findConventionProblems } from './conventional-commit.ts';
import type { HookName } from './hook-script.ts';
import { readStagedChanges, type StagedChanges } from './staged-changes.ts';

export interface HookCheck {
  hook: HookName;
  passed: boolean;
  reasons: string[];
  notes: string[];
}

export interface HookCheckOptions extends EvaluationOptions {
  /** `GIT_INDEX_FILE`, as git set it for the hook. */
  index: string | undefined;
  messageFile: string | undefined;
}

const MAX_REASONS = 20;

/** Runs the checks of a hook on the current state of the repository. */
export async function checkHook(
  hook: HookName,
  project: GovernedProject,
  options: HookCheckOptions,
): Promise<HookCheck> {
  const answer = (reasons: string[], notes: string[] = []) => ({
    hook,
    passed: reasons.length === 0,
    reasons: reasons.slice(0, MAX_REASONS),
    notes,
  });
  const missingSpec = await findMissingSpec(project);
  if (missingSpec)
    return missingSpec.removed
      ? answer([`${defaultSpecFile} was removed; restore it, or remove the hooks`])
      : answer([], ['no working spec found, so nothing is checked']);
  if (hook === 'post-commit') return answer([], ['records the commit; never blocks']);
  if (hook === 'pre-push') return answer(...(await prePushReasons(project, options)));
  const governance = await loadGovernance(project.root, defaultSpecFile, options.nowMs);
  const { spec } = governance.loaded;
  const errors = governance.problems.filter(({ severity }) => severity === 'error');
  if (!spec || errors.length > 0) return answer(errors.map(formatProblem));
  if (hook === 'commit-msg') return answer(await commitMessageReasons(project, governance, spec, options));
  return answer(...(await preCommitReasons(project, governance, spec, options)));
}

/** A project that never had a spec is not checked; removing a committed spec is a violation. */
async function findMissingSpec({ root, repository }: GovernedProject): Promise<{ removed: boolean } | undefined> {
  if (await lstatIfExists(resolve(root, defaultSpecFile))) return undefined;
  const committed = await repository?.git('cat-file', ['-e', `HEAD:./${defaultSpecFile}`], { cwd: root });
  return { removed: committed?.code === 0 };
}

async function commitMessageReasons(
  project: GovernedProject,
  { policy }: Governance,
  spec: WorkingSpec,
  options: HookCheckOptions,
): Promise<string[]> {
  const text = await readMessageFile(project, options);
  return [...findMessageProblems(text, spec.id), ...(await findConventionProblems(text, policy.policy.commits))];
}

async function preCommitReasons(
  project: GovernedProject,
  governance: Governance,
  spec: WorkingSpec,
  { index }: HookCheckOptions,
): Promise<[reasons: string[], notes: string[]]> {
  const { repository, root } = project;
  if (!repository) throw new Failure('not_found', 'ENOENT', 'Not a git repository; run "git init" first');
  const { policy } = governance.policy;
  const staged = await readStagedChanges(repository, root, { base: policy.base, index });
  const found: [GateName, string[]][] = [
    ['scope_boundary', describeOutOfScope(staged, spec, policy.ungoverned)],
    ['budget_limit', describeBudgetExcess(staged, governance, spec)],
    ['security_scan', describeSuspiciousLines(staged, 'secret')],
    [
      'todo_detection',
      [...describeSuspiciousLines(staged, 'stub'), ...describeSuspiciousLines(staged, 'skipped_test')],
    ],
    ['provenance_chain', describeRemovedChainLines(staged)],
  ];
  const isBlocking = (gate: GateName) =>
    policy.gates[gate] === 'block' && waiversInForce(governance.waivers, gate).length === 0;
  const collectLines = (wanted: boolean) =>
    found.flatMap(([gate, lines]) => (isBlocking(gate) === wanted && policy.gates[gate] !== 'skip' ? lines : []));
  return [collectLines(true), collectLines(false)];
}

function describeOutOfScope({ files }: StagedChanges, spec: WorkingSpec, ungoverned: readonly string[]): string[] {
  const where = createScopeMatcher(spec.scope, ungoverned);
  return files
    .flatMap(({ path, from }) => [path, ...(from === undefined ? [] : [from])])
    .filter((path) => where(path) !== 'in')
    .map(
      (path) =>
        `${quote(path)} is ${where(path) === 'out' ? 'excluded from the scope' : 'not in the scope'} of ${spec.id}: unstage it (git restore --staged), or ${where(path) === 'out' ? 'change scope.out' : 'add it to scope.in'} in ${defaultSpecFile}`,
    );
}

function describeBudgetExcess({ work }: StagedChanges, governance: Governance, spec: WorkingSpec): string[] {
  if ('reason' in work) return [];
  const { files, lines } = budgetWithWaivers(governance, spec);
  const taken = countChange(work);
  return [
    ...(taken.files.length > files
      ? [`the change would take ${taken.files.length} of ${files} files of its budget`]
      : []),
    ...(taken.lines > lines ? [`the change would take ${taken.lines} of ${lines} lines of its budget`] : []),
  ];
}

function describeSuspiciousLines(
  staged: StagedChanges,
  kind: StagedChanges['suspiciousLines'][number]['kind'],
): string[] {
  return staged.suspiciousLines
    .filter((sign) => sign.kind === kind)
    .map(({ path, line, what }) => `${quote(path)} line ${line} looks like ${what}`);
}

/** The chain is append-only. */
function describeRemovedChainLines({ files }: StagedChanges): string[] {
  const chain = files.find(({ path }) => path === '.caws/provenance/chain.jsonl');
  return chain && (chain.removed > 0 || chain.kind === 'deleted')
    ? ['the commit would remove lines from the provenance chain']
    : [];
}

async function prePushReasons(
  project: GovernedProject,
  options: HookCheckOptions,
): Promise<[reasons: string[], notes: string[]]> {
  const { evaluation } = await evaluateProject(project, defaultSpecFile, options);
  if (evaluation.overall_status === 'quality_passed') return [[], [evaluation.message]];
  const blocking = evaluation.criteria.filter((criterion) => criterion.blocking);
  return [blocking.map(({ id, feedback }) => `${id}: ${feedback}`), evaluation.next_actions];
}

/** Reads the message file, which git creates in its own folder. */
async function readMessageFile(
  { repository, root }: GovernedProject,
  { messageFile }: HookCheckOptions,
): Promise<string> {
  if (messageFile === undefined || !repository)
    throw new Failure(
      'bad_input',
      'EINVAL',
      'check commit-msg needs messageFile, the file that git passes to the hook',
    );
  const path = resolve(repository.root, messageFile);
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  const messageFolder = [await realpath(repository.gitDir), root].find((allowed) => isInside(allowed, folder));
  if (messageFolder === undefined)
    throw new Failure(
      'bad_input',
      'EINVAL',
      `messageFile ${quote(messageFile)} is outside of the project; pass the file that git passes to the hook`,
    );
  return (await readProjectFile(messageFolder, path, { what: 'messageFile' })).text;
}
