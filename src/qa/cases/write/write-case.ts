import { createHash } from 'node:crypto';
import * as z from 'zod';
import { quote } from '../../../platform/errors.ts';
import type { Json } from '../../../platform/json.ts';
import { invalidArgument, requireOwnedInProject, requireProject } from '../../owned-rows.ts';
import { secretInUrl } from '../../projects/projects.ts';
import type { QaContext } from '../../qa-context.ts';
import { evidenceOfUseCase, type FormField, formOfPage } from '../../scan/use-case-evidence.ts';
import { openProjectSecrets, type ProjectSecrets } from '../../secrets/project-secrets.ts';
import { mapStrings } from '../../secrets/secret-placeholders.ts';
import type { QaTestCase, UseCase } from '../../store/qa-store.ts';
import { type CasePlan, type LoginSecrets, readCasePlan } from '../case-plan.ts';
import { basePlan } from '../derive/base-plan.ts';
import { happyValues } from '../derive/derive-cases.ts';
import { loginSecretsFor } from '../derive/login-secrets.ts';
import { checkCaseSite } from './case-site.ts';
import { caseFingerprint, describeSteps, fieldLabels, formSeenAt, toInstructions } from './detect-cases.ts';

export const casePriorities = ['HIGH', 'MEDIUM', 'LOW'] as const;

/** Outcomes that a caller can expect. */
export const expectableOutcomes = ['accepted', 'rejected', 'observed'] as const;
type ExpectableOutcome = (typeof expectableOutcomes)[number];

export interface CaseInput {
  projectId: string;
  testCaseId?: string | undefined;
  useCaseId?: string | undefined;
  title?: string | undefined;
  goal?: string | undefined;
  expectedResult?: string | undefined;
  precondition?: string | undefined;
  instructions?: string | undefined;
  url?: string | undefined;
  priority?: (typeof casePriorities)[number] | undefined;
  tags?: string[] | undefined;
  /** Values by name or label of the field that differ from a correctly filled form. */
  data?: Record<string, unknown> | undefined;
  outcome?: ExpectableOutcome | undefined;
}

type CaseContext = Pick<QaContext, 'store' | 'owner' | 'vault' | 'checkAddress'>;

/** Creates or updates a test case. */
export async function writeCase(qa: CaseContext, given: CaseInput): Promise<QaTestCase> {
  const { store } = qa;
  const project = await requireProject(qa, given.projectId);
  const secrets = await openProjectSecrets(store, qa.vault, given.projectId);
  const request = trimTexts(replaceSecrets(given, secrets));
  const { existing, useCase } = await findSubject(qa, request);
  const url = request.url ?? existing?.url ?? useCase.url ?? project.url;
  if (!url) throw invalidArgument('url', 'Neither the use case nor the project has a URL: give url.');
  await qa.checkAddress(url);
  if (!existing || request.url !== undefined) await checkCaseSite(qa, project, url);
  const others = await store.useCases.list({ projectId: request.projectId });
  const evidence = evidenceOfUseCase(useCase);
  const account = evidence && (await loginSecretsFor(store, request.projectId, evidence));
  const seen = await formSeenAt(store, useCase);
  const factsFor = (before: QaTestCase | undefined) =>
    caseChanges(request, { useCase, others, url, existing: before, account, seen });
  if (existing) return updateCase(qa, existing, factsFor(existing));
  const { title, goal, expectedResult } = request;
  if (!title || !goal || !expectedResult) {
    const missing = requiredTexts.find((field) => !request[field]) ?? 'title';
    throw invalidArgument(missing, `A new test case needs title, goal and expectedResult: pass ${missing} too.`);
  }
  // The same title is the same case.
  const fingerprint = caseFingerprint(`authored:${createHash('sha256').update(title).digest('hex')}`);
  const { id: useCaseId, owner, projectId } = useCase;
  const same = await store.testCases.first({ useCaseId, fingerprint });
  if (same) return updateCase(qa, same, factsFor(same));
  const facts = factsFor(undefined);
  const position = 1000 + (await store.testCases.count({ useCaseId }));
  const fresh = { owner, projectId, useCaseId, fingerprint, position, status: 'ACTIVE', source: 'authored' };
  const usual = {
    title,
    goal,
    expectedResult,
    description: `${goal}.`,
    priority: 'MEDIUM',
    category: 'Functional',
    oracle: 'specified',
  };
  return store.testCases.insert({ ...fresh, steps: [], data: {}, tags: [], details: {}, url, ...usual, ...facts });
}

/** The case to update, if any, and its use case. */
async function findSubject(qa: CaseContext, { projectId, testCaseId, useCaseId }: CaseInput) {
  const { testCases, useCases } = qa.store;
  const useCaseOf = (id: string) => requireOwnedInProject(qa, projectId, useCases, 'useCaseId', id);
  if (testCaseId === undefined) {
    if (useCaseId !== undefined) return { existing: undefined, useCase: await useCaseOf(useCaseId) };
    throw invalidArgument(
      'useCaseId',
      'A new test case needs the useCaseId that it belongs to. Call qa_use_case_list for the ids.',
    );
  }
  const existing = await requireOwnedInProject(qa, projectId, testCases, 'testCaseId', testCaseId);
  const useCase = await useCaseOf(useCaseId ?? existing.useCaseId);
  if (useCase.id === existing.useCaseId) return { existing, useCase };
  throw invalidArgument(
    'useCaseId',
    `The test case belongs to ${existing.useCaseId}: omit useCaseId, or create a new case.`,
  );
}

/** A changed case becomes authored, so that the next detection does not overwrite it. */
async function updateCase({ store }: CaseContext, before: QaTestCase, facts: Partial<QaTestCase>): Promise<QaTestCase> {
  const now = JSON.stringify({ ...before, ...facts });
  if (now === JSON.stringify(before)) return before;
  return (await store.testCases.update(before.id, { ...facts, source: 'authored' })) ?? before;
}

/** Replaces secret values by placeholders in data and redacts them in texts. */
function replaceSecrets(given: CaseInput, { redactor, placeholders, holdsCredential }: ProjectSecrets): CaseInput {
  const { title, goal, expectedResult, precondition, instructions, tags, url, data } = given;
  if (url !== undefined && holdsCredential(url)) throw secretInUrl('url');
  const texts = mapStrings({ title, goal, expectedResult, precondition, instructions, tags }, redactor.text);
  // The input may contain placeholders already.
  return { ...given, ...texts, data: placeholders.hide(placeholders.restore(data)) };
}

/** Texts that every case needs. */
const requiredTexts = ['title', 'goal', 'expectedResult'] as const;

/** Trims texts. A blank required text is rejected; a blank optional one clears the stored text. */
function trimTexts(given: CaseInput): CaseInput {
  const { title, goal, expectedResult, precondition, instructions, tags } = given;
  const texts = mapStrings({ title, goal, expectedResult, precondition, instructions, tags }, (text) => text.trim());
  const blank = requiredTexts.find((field) => texts[field] === '') ?? (texts.tags?.includes('') ? 'tags' : undefined);
  if (blank === undefined) return { ...given, ...texts };
  const fix =
    given.testCaseId === undefined ? 'write it out' : 'write it out, or leave it out to keep what the case has';
  throw invalidArgument(blank, `${blank} is ${quote(given[blank], 200)}, and must not be blank: ${fix}.`, {
    value: given[blank],
  });
}

/** What a case is written from, besides the input. */
interface CaseSources {
  useCase: UseCase;
  others: readonly UseCase[];
  url: string;
  existing: QaTestCase | undefined;
  account: LoginSecrets | undefined;
  seen: Date;
}

function caseChanges(request: CaseInput, setting: CaseSources): Partial<QaTestCase> {
  const { title, goal, expectedResult, precondition, instructions, priority, tags, data, outcome } = request;
  const { useCase, url, existing } = setting;
  const plan = planFor(request, setting);
  const isJudged = data !== undefined || outcome !== undefined;
  return {
    ...(title !== undefined && { title }),
    ...(goal !== undefined && { goal, description: `${goal}.` }),
    ...(expectedResult !== undefined && { expectedResult }),
    ...(precondition !== undefined && { precondition: precondition || null }),
    ...(plan &&
      hasGeneratedSteps(existing, useCase) &&
      toInstructions(describeSteps(plan, fieldLabels(useCase, plan)))),
    ...(instructions !== undefined && {
      instructions: instructions || null,
      steps: instructions.split('\n').filter((line) => line.trim() !== ''),
    }),
    ...(priority !== undefined && { priority }),
    ...(tags !== undefined && { tags }),
    ...(data !== undefined && { data: z.json().parse(data) }),
    ...(plan && { details: asDetails(plan) }),
    ...(plan && isJudged && { oracle: plan.expected.outcome === 'observed' ? 'observed' : 'specified' }),
    url,
  };
}

/** Whether the steps of a case still follow from its plan. */
function hasGeneratedSteps(existing: QaTestCase | undefined, useCase: UseCase): boolean {
  const plan = existing && readCasePlan(existing);
  if (!existing?.instructions || !plan) return !existing?.instructions;
  return existing.instructions === toInstructions(describeSteps(plan, fieldLabels(useCase, plan))).instructions;
}

function asDetails(plan: CasePlan): Json {
  return { plan: z.json().parse(plan) };
}

/** The plan of a case; undefined without form data: then its script is written by hand. */
function planFor(request: CaseInput, setting: CaseSources): CasePlan | undefined {
  const { url, existing } = setting;
  const before = existing && readCasePlan(existing);
  if (request.data !== undefined) return planWithData(request.data, request, before, setting);
  if (request.outcome !== undefined) {
    if (!before || before.send === 'none')
      throw invalidArgument('outcome', 'outcome needs data: give data for the form of the use case too.');
    return {
      ...before,
      entry: url,
      expected: expectOutcome(request.outcome, before.expected.field, before.expected.says),
    };
  }
  return before && existing.url !== url ? { ...before, entry: url } : undefined;
}

function expectOutcome(
  outcome: ExpectableOutcome,
  field: string | undefined,
  says: string[] = [],
): CasePlan['expected'] {
  return { outcome, ...(field !== undefined && { field }), says };
}

function planWithData(
  data: Record<string, unknown>,
  { outcome }: CaseInput,
  before: CasePlan | undefined,
  { useCase, others, url, account, seen }: CaseSources,
): CasePlan {
  const evidence = evidenceOfUseCase(useCase);
  const form = evidence && formOfPage(evidence, before?.page ?? 0);
  if (!form)
    throw invalidArgument(
      'data',
      'The use case has no form for data. Describe the case in instructions, and write its script with qa_test_script_upsert.',
    );
  const { fields } = form;
  const { values, secrets } = happyValues(
    { evidence, account, seen },
    fields.filter(({ readOnly, hidden }) => !readOnly && !hidden),
  );
  const given = Object.entries(data).map(([name, value]) => ({
    field: findField(fields, name),
    value: toScalar(name, value),
  }));
  for (const { field, value } of given) {
    const named = /^\[secret:([^\]]+)\]$/.exec(value)?.[1];
    if (named === undefined) {
      values[field.key] = value;
      delete secrets[field.key];
    } else {
      secrets[field.key] = named;
      delete values[field.key];
    }
  }
  const base =
    before && before.send !== 'none' ? before : basePlan({ title: useCase.title, evidence, promised: [], others });
  const usual = expectableOutcomes.find((known) => known === before?.expected.outcome) ?? 'observed';
  const expected = expectOutcome(outcome ?? usual, given[0]?.field.key);
  return { ...base, kind: 'authored', entry: url, values, secrets, typed: [], expected };
}

function findField(fields: readonly FormField[], name: string): FormField {
  const field = fields.find(({ key, label }) => key === name || label === name);
  if (field) return field;
  const names = fields.map(({ key }) => key).join(', ');
  throw invalidArgument('data', `The form has no field ${JSON.stringify(name)}; use one of ${names}.`);
}

function toScalar(name: string, value: unknown): string {
  if (['string', 'number', 'boolean'].includes(typeof value)) return String(value);
  throw invalidArgument('data', `The value of ${JSON.stringify(name)} must be a text, a number, true or false.`);
}
