import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Json } from '../../../platform/json.ts';
import { withPatternBudget } from '../../../platform/text/pattern-time-limit.ts';
import type { QaRun, RunContext, RunHandler } from '../../runs/run-context.ts';
import { evidenceOfUseCase, formOfPage } from '../../scan/use-case-evidence.ts';
import type { QaRepositories, QaTestCase, UseCase } from '../../store/qa-store.ts';
import type { CasePlan, DerivedCase } from '../case-plan.ts';
import { deriveCases } from '../derive/derive-cases.ts';
import { loginSecretsFor } from '../derive/login-secrets.ts';
import { listOmissions } from '../derive/omissions.ts';
import { ANY_OPTION_TOKEN } from '../values/field-values.ts';

export const detectionPayload = z.object({ useCaseId: z.string().nullable() });

interface DetectedCases {
  useCaseId: string;
  title: string;
  added: number;
  kept: number;
  /** Why there are no cases. */
  reason?: string;
  /** What could be tested and is not. */
  leftOut?: string[];
}

/**
 * Derives the test cases of one use case or all. What is there already is brought up to date, never doubled. What an agent
 * has changed stays as the agent wrote it.
 */
export const detectTestCases: RunHandler = async (run, runContext) => {
  const { useCaseId } = detectionPayload.parse(run.runtime.payload);
  const all = await runContext.store.useCases.list({ projectId: run.projectId });
  const chosen = useCaseId === null ? all : all.filter(({ id }) => id === useCaseId);
  const detected: DetectedCases[] = [];
  for (const [i, useCase] of chosen.entries()) {
    runContext.signal.throwIfAborted();
    runContext.progress(i, chosen.length, useCase.title);
    detected.push(await detectUseCase(run, runContext, useCase, all));
  }
  const sum = (of: 'added' | 'kept') => detected.reduce((total, one) => total + one[of], 0);
  return {
    result: {
      useCases: detected.length,
      testCases: sum('added') + sum('kept'),
      added: sum('added'),
      kept: sum('kept'),
      detected: detected.slice(0, 100).map((one) => ({ ...one })),
    },
  };
};

/** Detects the cases of one use case in a transaction, so that concurrent detections do not duplicate cases. */
export async function detectUseCase(
  run: Pick<QaRun, 'owner' | 'projectId'>,
  { store }: Pick<RunContext, 'store'>,
  { id }: Pick<UseCase, 'id'>,
  others: readonly UseCase[],
): Promise<DetectedCases> {
  return store.transaction(async (tables) => {
    const useCase = await tables.useCases.get(id);
    if (!useCase) return { useCaseId: id, title: '', added: 0, kept: 0, reason: 'It was deleted meanwhile.' };
    return writeDerivedCases(run, tables, useCase, others);
  });
}

async function writeDerivedCases(
  run: Pick<QaRun, 'owner' | 'projectId'>,
  store: QaRepositories,
  useCase: UseCase,
  others: readonly UseCase[],
): Promise<DetectedCases> {
  const { id: useCaseId, title } = useCase;
  const evidence = evidenceOfUseCase(useCase);
  if (!evidence)
    return {
      useCaseId,
      title,
      added: 0,
      kept: 0,
      reason: 'It has no page: write its cases with qa_test_case_upsert, or scan the site.',
    };
  const account = await loginSecretsFor(store, run.projectId, evidence);
  const seen = { seen: await formSeenAt(store, useCase), laterSeen: new Date(useCase.updatedAt) };
  const known = { title, evidence, promised: quotedTexts(useCase), others, account, ...seen };
  // Patterns of the site are evaluated, several times for each field.
  const derived = withPatternBudget(() => deriveCases(known));
  const before = await store.testCases.list({ useCaseId });
  const earlier = new Map(before.map((testCase) => [testCase.fingerprint, testCase]));
  let added = 0;
  for (const [position, one] of derived.entries()) {
    const facts = caseColumns(one, useCase, position);
    const existing = earlier.get(facts.fingerprint);
    earlier.delete(facts.fingerprint);
    if (existing?.source === 'generated') await store.testCases.update(existing.id, facts);
    if (!existing) {
      await store.testCases.insert({ owner: run.owner, projectId: run.projectId, useCaseId, ...facts });
      added++;
    }
  }
  await deprecateCases(store, [...earlier.values()]);
  const kept = derived.length - added;
  const reason =
    derived.length === 0
      ? 'No case can be derived from its page alone: write cases with qa_test_case_upsert.'
      : undefined;
  const out = listOmissions(known, derived).slice(0, 20);
  return { useCaseId, title, added, kept, ...(reason && { reason }), ...(out.length > 0 && { leftOut: out }) };
}

/** Derived cases that no longer apply become deprecated and keep their history. Authored cases stay. */
async function deprecateCases({ testCases }: QaRepositories, gone: readonly QaTestCase[]): Promise<void> {
  for (const { id, source } of gone) if (source === 'generated') await testCases.update(id, { status: 'DEPRECATED' });
}

/** Time of the last scan before the approval; later scans do not change a use case. */
export async function formSeenAt(
  { candidates, runs }: QaRepositories,
  { candidateId, createdAt }: UseCase,
): Promise<Date> {
  const candidate = candidateId === null ? undefined : await candidates.get(candidateId);
  const scan = candidate?.runId ? await runs.get(candidate.runId) : undefined;
  return new Date(Math.min(createdAt, scan?.createdAt ?? createdAt));
}

/** Quoted texts in acceptance criteria are what the site must show. */
function quotedTexts({ breakdown }: UseCase): string[] {
  const texts = breakdown.flatMap(({ acceptanceCriteria }) => [
    ...acceptanceCriteria.matchAll(/["“]([^"”]{3,100})["”]/g),
  ]);
  return [...new Set(texts.flatMap(([, text]) => text ?? []))].slice(0, 5);
}

function caseColumns(derived: DerivedCase, useCase: UseCase, position: number) {
  const { plan, title, goal, precondition, expectedResult, oracle, priority, category, tags } = derived;
  const steps = describeSteps(plan, fieldLabels(useCase, plan));
  const details: Json = { plan: z.json().parse(plan) };
  return {
    fingerprint: caseFingerprint(derived.key),
    position,
    status: 'ACTIVE',
    source: 'generated',
    ...{
      title: title.slice(0, 300),
      goal,
      precondition,
      expectedResult,
      oracle,
      priority,
      category,
      tags,
      details,
    },
    ...toInstructions(steps),
    description: `${goal}.`,
    data: {
      ...plan.values,
      ...Object.fromEntries(Object.entries(plan.secrets).map(([key, name]) => [key, `secret ${name}`])),
    },
    url: plan.entry,
  };
}

/** Steps, and the same as numbered instructions. */
export function toInstructions(steps: string[]): Pick<QaTestCase, 'steps'> & { instructions: string } {
  return { steps, instructions: steps.map((step, i) => `${i + 1}. ${step}`).join('\n') };
}

/** Labels of the fields by key. */
export function fieldLabels(useCase: UseCase, { page }: Pick<CasePlan, 'page'>): Map<string, string> {
  const evidence = evidenceOfUseCase(useCase);
  const form = evidence && formOfPage(evidence, page);
  return new Map(form?.fields.map(({ key, label }) => [key, label]) ?? []);
}

export function caseFingerprint(key: string): string {
  return key.length <= 120 ? key : createHash('sha256').update(key).digest('hex');
}

function describeSending({ send, unchecked }: CasePlan): string {
  if (unchecked) return 'Send the form past the page’s own check';
  return send === 'twice' ? 'Send the form with a double click' : 'Send the form';
}

export function describeSteps(plan: CasePlan, labels: ReadonlyMap<string, string> = new Map()): string[] {
  const name = (key: string) => labels.get(key) ?? key;
  return [
    ...(plan.signIn ? ['Sign in'] : []),
    ...(plan.before.length > 0 ? ['Do what comes first'] : []),
    plan.stays ? 'Stay with what was just made' : `Open ${plan.entry}`,
    ...(plan.control === null ? [] : ['Use the control']),
    ...(plan.page > 0
      ? [`Fill in and send ${plan.page === 1 ? 'the first page' : `the first ${plan.page} pages`}`]
      : []),
    ...Object.entries(plan.secrets).map(([key, secret]) => `Enter the secret ${secret} in ${name(key)}`),
    ...Object.entries(plan.values).map(([key, value]) =>
      value === ANY_OPTION_TOKEN
        ? `Choose what ${name(key)} offers`
        : value === ''
          ? `Leave ${name(key)} empty`
          : `Enter “${value}” in ${name(key)}`,
    ),
    ...(plan.send === 'none' ? [] : [describeSending(plan)]),
    ...(plan.goesOn ? ['Fill in and send each page that follows'] : []),
    ...plan.after.map((what) => (what === 'reload' ? 'Reload the page' : 'Go back')),
  ];
}
