import { realpath } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Failure, quote } from '../../platform/errors.ts';
import { evaluateProject } from '../evaluation/evaluate.ts';
import { budgetOf, countedChange } from '../evaluation/gates.ts';
import { type Governance, loadGovernance } from '../spec/governance.ts';
import type { GateName } from '../spec/policy.ts';
import type { Project } from '../spec/project.ts';
import { isInside, readProjectFile, statsOf } from '../spec/project-file.ts';
import { scopeOf } from '../spec/scope.ts';
import { problemLine } from '../spec/spec-problems.ts';
import { inForce } from '../spec/waivers.ts';
import { defaultSpecFile, type WorkingSpec } from '../spec/working-spec.ts';
import { messageProblems } from './commit-message.ts';
import type { HookName } from './hook-script.ts';
import { type Staged, stagedChanges } from './staged.ts';

export interface HookCheck {
  hook: HookName;
  passed: boolean;
  reasons: string[];
  notes: string[];
}

export interface CheckWishes {
  /** `GIT_INDEX_FILE`, as git set it for the hook. */
  index: string | undefined;
  messageFile: string | undefined;
  signal: AbortSignal;
  nowMs: number;
}

const SHOWN = 20;

/** What the hook of this name has to say right now. */
export async function checkHook(hook: HookName, project: Project, wishes: CheckWishes): Promise<HookCheck> {
  const answer = (reasons: string[], notes: string[] = []) => ({
    hook,
    passed: reasons.length === 0,
    reasons: reasons.slice(0, SHOWN),
    notes,
  });
  const away = await specIsAway(project);
  if (away)
    return away.removed
      ? answer([`${defaultSpecFile} was taken away; put it back, or remove the hooks`])
      : answer([], ['no working spec here, so nothing to be held to']);
  if (hook === 'post-commit') return answer([], ['records the commit; it holds nothing up']);
  if (hook === 'pre-push') return answer(...(await pushReasons(project, wishes)));
  const governance = await loadGovernance(project.root, defaultSpecFile, wishes.nowMs);
  const { spec } = governance.loaded;
  const errors = governance.problems.filter(({ severity }) => severity === 'error');
  if (!spec || errors.length > 0) return answer(errors.map(problemLine));
  if (hook === 'commit-msg') return answer(messageProblems(await messageText(project, wishes), spec.id));
  return answer(...(await commitReasons(project, governance, spec, wishes)));
}

/** A project that never had a spec is nobody's to judge; one whose spec is gone is. */
async function specIsAway({ root, repository }: Project): Promise<{ removed: boolean } | undefined> {
  if (await statsOf(resolve(root, defaultSpecFile))) return undefined;
  const committed = await repository?.git('cat-file', ['-e', `HEAD:./${defaultSpecFile}`], { cwd: root });
  return { removed: committed?.code === 0 };
}

async function commitReasons(
  project: Project,
  governance: Governance,
  spec: WorkingSpec,
  { index }: CheckWishes,
): Promise<[reasons: string[], notes: string[]]> {
  const { repository, root } = project;
  if (!repository) throw new Failure('not_found', 'ENOENT', 'There is no git repository here');
  const { policy } = governance.policy;
  const staged = await stagedChanges(repository, root, { base: policy.base, index });
  const found: [GateName, string[]][] = [
    ['scope_boundary', outOfScope(staged, spec, policy.ungoverned)],
    ['budget_limit', overBudget(staged, governance, spec)],
    ['security_scan', signs(staged, 'secret')],
    ['todo_detection', [...signs(staged, 'stub'), ...signs(staged, 'skipped_test')]],
    ['provenance_chain', cutChain(staged)],
  ];
  const holds = (gate: GateName) => policy.gates[gate] === 'block' && inForce(governance.waivers, gate).length === 0;
  const some = (wanted: boolean) =>
    found.flatMap(([gate, lines]) => (holds(gate) === wanted && policy.gates[gate] !== 'skip' ? lines : []));
  return [some(true), some(false)];
}

function outOfScope({ files }: Staged, spec: WorkingSpec, ungoverned: readonly string[]): string[] {
  const where = scopeOf(spec.scope, ungoverned);
  return files
    .flatMap(({ path, from }) => [path, ...(from === undefined ? [] : [from])])
    .filter((path) => where(path) !== 'in')
    .map(
      (path) =>
        `${quote(path)} is ${where(path) === 'out' ? 'taken out of the scope' : 'not in the scope'} of ${spec.id}: unstage it (git restore --staged), or ${where(path) === 'out' ? 'change scope.out' : 'add it to scope.in'} in ${defaultSpecFile}`,
    );
}

function overBudget({ work }: Staged, governance: Governance, spec: WorkingSpec): string[] {
  if ('reason' in work) return [];
  const { files, lines } = budgetOf(governance, spec);
  const taken = countedChange(work);
  return [
    ...(taken.files.length > files ? [`the work would take ${taken.files.length} files of ${files}`] : []),
    ...(taken.lines > lines ? [`the work would take ${taken.lines} lines of ${lines}`] : []),
  ];
}

function signs(staged: Staged, kind: Staged['signs'][number]['kind']): string[] {
  return staged.signs
    .filter((sign) => sign.kind === kind)
    .map(({ path, line, what }) => `${quote(path)} line ${line} looks like ${what}`);
}

/** Lines of the chain are only ever added. */
function cutChain({ files }: Staged): string[] {
  const chain = files.find(({ path }) => path === '.caws/provenance/chain.jsonl');
  return chain && (chain.removed > 0 || chain.kind === 'deleted')
    ? ['the commit would take lines away from the provenance chain']
    : [];
}

async function pushReasons(
  project: Project,
  { nowMs, signal }: CheckWishes,
): Promise<[reasons: string[], notes: string[]]> {
  const { evaluation } = await evaluateProject(project, defaultSpecFile, { nowMs, signal });
  if (evaluation.overall_status === 'quality_passed') return [[], [evaluation.message]];
  const blocking = evaluation.criteria.filter((criterion) => criterion.blocking);
  return [blocking.map(({ id, feedback }) => `${id}: ${feedback}`), evaluation.next_actions];
}

/** Git gives the hook a file of its own folder. */
async function messageText({ repository, root }: Project, { messageFile }: CheckWishes): Promise<string> {
  if (messageFile === undefined || !repository)
    throw new Failure('bad_input', 'EINVAL', 'check commit-msg needs messageFile, the file that git gives the hook');
  const path = resolve(repository.root, messageFile);
  const folder = await realpath(dirname(path)).catch(() => dirname(path));
  const home = [await realpath(repository.gitDir), root].find((place) => isInside(place, folder));
  if (home === undefined)
    throw new Failure('bad_input', 'EINVAL', `messageFile ${quote(messageFile)} lies outside of the project`);
  return (await readProjectFile(home, path, { what: 'messageFile' })).text;
}
