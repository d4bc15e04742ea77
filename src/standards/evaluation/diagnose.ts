import { Failure } from '../../platform/errors.ts';
import { readChainEvidence } from '../evidence/chain-evidence.ts';
import { isTestFile } from '../evidence/code-files.ts';
import { readSourceClock } from '../evidence/freshness.ts';
import { findEvidenceReports } from '../evidence/report-files.ts';
import { readTestEvidence } from '../evidence/test-evidence.ts';
import { listProjectFiles } from '../git/file-list.ts';
import { installHooks, readHooksStatus } from '../hooks/installed-hooks.ts';
import { gateNames, loadPolicy, policyFile } from '../spec/policy.ts';
import type { GovernedProject } from '../spec/project.ts';
import { formatProblem } from '../spec/spec-problems.ts';
import { loadWaivers } from '../spec/waivers.ts';
import { loadWorkingSpec } from '../spec/working-spec.ts';
import { readChanges } from './project-evidence.ts';
import {
  type AppliedFix,
  addToGitignore,
  createSpecRepair,
  findReportFolders,
  markWaiverExpired,
  writeDefaultPolicy,
} from './setup-fixes.ts';

interface SetupFinding {
  check: string;
  severity: 'high' | 'medium' | 'low';
  message: string;
  advice: string;
  /** Repairs the finding, if that is safe; returns what it changed. */
  fix?: () => Promise<AppliedFix[]>;
}

export interface Diagnosis {
  checks: string[];
  findings: Omit<SetupFinding, 'fix'>[];
  /** Number of findings that `fix` can repair. */
  fixable: number;
  fixes: AppliedFix[];
}

interface DiagnosisContext {
  project: GovernedProject;
  nowMs: number;
  signal: AbortSignal;
  program: readonly string[];
  /** Throws if the caller may not use the path. */
  checkPath(path: string): Promise<void>;
}

type SetupCheck = (context: DiagnosisContext) => Promise<SetupFinding[]>;

const setupChecks: Readonly<Record<string, SetupCheck>> = {
  'working spec': checkSpec,
  policy: checkPolicyFile,
  'git repository': checkGit,
  'git hooks': checkHooks,
  waivers: checkWaivers,
  provenance: checkProvenance,
  tests: checkTests,
  'ignored reports': checkIgnoredReports,
};

/** Checks the setup of a project. With `fix`, repairs what is safe to repair and checks again. */
export async function diagnose(context: DiagnosisContext, fix: boolean): Promise<Diagnosis> {
  const found = await runChecks(context);
  const fixes: AppliedFix[] = [];
  // Sequential, because two repairs may change the same file.
  if (fix) for (const { fix: repair } of found) fixes.push(...((await repair?.()) ?? []));
  const findings = fixes.length > 0 ? await runChecks(context) : found;
  return {
    checks: Object.keys(setupChecks),
    findings: findings.map(({ fix: _, ...finding }) => finding),
    fixable: findings.filter((finding) => finding.fix).length,
    fixes,
  };
}

async function runChecks(context: DiagnosisContext): Promise<SetupFinding[]> {
  return (await Promise.all(Object.values(setupChecks).map((check) => check(context)))).flat();
}

async function checkSpec({ project: { root } }: DiagnosisContext): Promise<SetupFinding[]> {
  const check = 'working spec';
  try {
    const loaded = await loadWorkingSpec(root);
    const repairSpecFile = createSpecRepair(root, loaded);
    const findings = loaded.problems.map<SetupFinding>((problem) => ({
      check,
      severity: problem.severity === 'error' ? 'high' : 'low',
      message: formatProblem({ ...problem, suggestion: undefined }),
      advice: problem.suggestion ?? 'See caws_validate',
    }));
    return findings.map((finding, index) =>
      index === 0 && repairSpecFile ? { ...finding, fix: repairSpecFile } : finding,
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [{ check, severity: 'high', message: error.message, advice: 'Create a working spec with caws_init' }];
  }
}

async function checkPolicyFile({ project: { root } }: DiagnosisContext): Promise<SetupFinding[]> {
  const check = 'policy';
  try {
    const { file, problems } = await loadPolicy(root);
    if (file === undefined) {
      const advice = 'Write the defaults to the file, so that they can be seen and changed';
      return [
        {
          check,
          severity: 'low',
          message: `${policyFile} not found; the defaults apply`,
          advice,
          fix: () => writeDefaultPolicy(root),
        },
      ];
    }
    return problems.map((problem) => ({
      check,
      severity: problem.severity === 'error' ? 'high' : 'low',
      message: formatProblem({ ...problem, suggestion: undefined }),
      advice: problem.suggestion ?? 'See caws_validate',
    }));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [{ check, severity: 'high', message: error.message, advice: `Put a regular file at ${policyFile}` }];
  }
}

async function checkGit({ project }: DiagnosisContext): Promise<SetupFinding[]> {
  const check = 'git repository';
  const { repository } = project;
  if (!repository)
    return [{ check, severity: 'medium', message: 'Not a git repository', advice: 'Run "git init", and commit' }];
  if (repository.head === undefined)
    return [
      {
        check,
        severity: 'medium',
        message: 'The repository has no commit yet',
        advice: 'Commit, so that changes can be compared',
      },
    ];
  const { policy } = await loadPolicy(project.root).catch(() => ({ policy: undefined }));
  const changes = policy && (await readChanges(project, policy));
  if (changes && 'reason' in changes)
    return [
      {
        check,
        severity: 'medium',
        message: `Changes cannot be counted: ${changes.reason}`,
        advice: 'Fix this; until then budget and scope are unknown',
      },
    ];
  return [];
}

async function checkHooks({ project, program, checkPath }: DiagnosisContext): Promise<SetupFinding[]> {
  if (!project.repository) return [];
  const check = 'git hooks';
  try {
    const { hooks, folder } = await readHooksStatus(project, program);
    // The hooks of a work tree are in the folder of the main repository.
    await checkPath(folder);
    const inactive = hooks.filter(({ state }) => state !== 'active');
    if (inactive.length === 0) return [];
    const message = `${hooks.length - inactive.length} of ${hooks.length} hooks run: ${inactive.map(({ hook, state }) => `${hook} ${state}`).join(', ')}`;
    const install = async (): Promise<AppliedFix[]> => {
      const done = await installHooks(project, { force: false, backup: true, program });
      const changed = done.hooks.filter(({ state }, index) => state !== hooks[index]?.state);
      return changed.map(({ hook, state }) => ({
        what: 'hook installed',
        file: `${done.folder}/${hook}`,
        before: hooks.find((one) => one.hook === hook)?.state ?? '',
        after: state,
      }));
    };
    const severity = inactive.length === hooks.length ? 'low' : 'medium';
    return [
      { check, severity, message, advice: 'Install them with caws_hooks', ...(program.length > 0 && { fix: install }) },
    ];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [{ check, severity: 'medium', message: error.message, advice: 'See caws_hooks status' }];
  }
}

async function checkWaivers({ project: { root }, nowMs }: DiagnosisContext): Promise<SetupFinding[]> {
  const check = 'waivers';
  const { waivers, problems } = await loadWaivers(root, nowMs);
  const known: readonly string[] = gateNames;
  return [
    ...problems.map<SetupFinding>((problem) => ({
      check,
      severity: 'medium',
      message: formatProblem(problem),
      advice: 'It waives nothing: fix or delete it',
    })),
    ...waivers.flatMap<SetupFinding>((loaded) => {
      const { waiver, state } = loaded;
      if (state === 'expired' && waiver.status === 'active') {
        return [
          {
            check,
            severity: 'low',
            message: `${waiver.id} expired at ${waiver.expires_at} but its status is still active`,
            advice: 'Mark it as expired',
            fix: () => markWaiverExpired(root, loaded, nowMs),
          },
        ];
      }
      const unknown = state === 'active' ? waiver.gates.filter((gate) => !known.includes(gate)) : [];
      const soon = state === 'active' && Date.parse(waiver.expires_at) - nowMs < 7 * 86_400_000;
      return [
        ...(unknown.length > 0
          ? [
              {
                check,
                severity: 'low' as const,
                message: `${waiver.id} names unknown gates: ${unknown.join(', ')}`,
                advice: `Known gates: ${known.join(', ')}`,
              },
            ]
          : []),
        ...(soon
          ? [
              {
                check,
                severity: 'low' as const,
                message: `${waiver.id} expires at ${waiver.expires_at}`,
                advice: 'Fix what it waives before then',
              },
            ]
          : []),
      ];
    }),
  ];
}

async function checkProvenance({ project: { root } }: DiagnosisContext): Promise<SetupFinding[]> {
  const chain = await readChainEvidence(root);
  return (chain?.problems ?? []).map((message) => ({
    check: 'provenance',
    severity: 'high',
    message,
    advice: 'Run caws_provenance verify; a broken chain cannot be repaired',
  }));
}

async function checkTests({ project: { root, repository }, nowMs, signal }: DiagnosisContext): Promise<SetupFinding[]> {
  const check = 'tests';
  const { policy } = await loadPolicy(root).catch(() => ({ policy: undefined }));
  const listing = repository && listProjectFiles(repository, root);
  const [list, reports, clock] = await Promise.all([
    listing,
    findEvidenceReports(root, policy?.reports ?? { tests: [], coverage: [], mutation: [] }, signal),
    readSourceClock(root, listing, signal),
  ]);
  const findings: SetupFinding[] = [];
  if (list && ![...list.tracked, ...list.untracked].some(isTestFile))
    findings.push({
      check,
      severity: 'medium',
      message: 'No test file found',
      advice: 'Write tests in files with a usual test name',
    });
  const { cases, reason } = await readTestEvidence(reports, { root, clock, nowMs });
  if (!cases)
    findings.push({
      check,
      severity: 'medium',
      message: `No test evidence: ${reason}`,
      advice: 'Configure a test report and run the tests',
    });
  return findings;
}

/** Untracked reports that git does not ignore count against the budget. */
async function checkIgnoredReports({ project }: DiagnosisContext): Promise<SetupFinding[]> {
  if (!project.repository) return [];
  const { untracked } = await listProjectFiles(project.repository, project.root);
  const folders = findReportFolders(untracked);
  if (folders.length === 0) return [];
  const message = `Git does not ignore these reports, so they count as changes: ${folders.join(', ')}`;
  return [
    {
      check: 'ignored reports',
      severity: 'low',
      message,
      advice: 'Add them to .gitignore',
      fix: () => addToGitignore(project.root, folders),
    },
  ];
}
