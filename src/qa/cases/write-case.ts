import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Json } from '../../platform/json.ts';
import { invalid, ownItemOf, ownProject } from '../access.ts';
import { secretInAddress } from '../projects/projects.ts';
import type { QaRoom } from '../room.ts';
import { everyString } from '../secrets/places.ts';
import { openProjectSecrets, type ProjectSecrets } from '../secrets/project-secrets.ts';
import type { TestCase, UseCase } from '../store/store.ts';
import { basePlan } from './base-plan.ts';
import { happyValues } from './derive.ts';
import { evidenceOf, fingerprintOf } from './detect.ts';
import type { CasePlan } from './model.ts';

export const casePriorities = ['HIGH', 'MEDIUM', 'LOW'] as const;

export interface CaseWish {
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
  /** By name or label of the field: what differs from a form filled in correctly. */
  data?: Record<string, unknown> | undefined;
  outcome?: 'accepted' | 'rejected' | 'observed' | undefined;
}

/** Adds a case that no rule derives, or changes one. */
export async function writeCase(room: QaRoom, given: CaseWish): Promise<TestCase> {
  const { store } = room;
  const project = await ownProject(room, given.projectId);
  const secrets = await openProjectSecrets(store, room.vault, given.projectId);
  const wish = withoutSecrets(given, secrets);
  const existing =
    wish.testCaseId === undefined
      ? undefined
      : await ownItemOf(room, wish.projectId, store.testCases, 'testCaseId', wish.testCaseId);
  const useCaseId = existing?.useCaseId ?? wish.useCaseId;
  if (useCaseId === undefined) throw invalid('useCaseId', 'A new test case needs the useCaseId that it belongs to.');
  const useCase = await ownItemOf(room, wish.projectId, store.useCases, 'useCaseId', useCaseId);
  const url = wish.url ?? existing?.url ?? useCase.url ?? project.url;
  if (!url) throw invalid('url', 'Neither the use case nor the project has a URL: say where the case begins.');
  await room.checkAddress(url);
  const facts = factsOf(wish, useCase, url, existing);
  if (existing) return (await store.testCases.update(existing.id, facts)) ?? existing;
  const { title, goal, expectedResult } = wish;
  if (!title || !goal || !expectedResult)
    throw invalid('title', 'A new test case needs title, goal and expectedResult.');
  // Written twice with the same title it is the same case.
  const fingerprint = fingerprintOf(`authored:${createHash('sha256').update(title).digest('hex')}`);
  const same = await store.testCases.first({ useCaseId, fingerprint });
  if (same) return (await store.testCases.update(same.id, facts)) ?? same;
  const { owner, projectId } = useCase;
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

/** Whoever writes the value of a secret means the secret: in the data it is kept by its name, in words it is left out. */
function withoutSecrets(given: CaseWish, { words, places, isKey }: ProjectSecrets): CaseWish {
  const { title, goal, expectedResult, precondition, instructions, tags, url, data } = given;
  if (url !== undefined && isKey(url)) throw secretInAddress('url');
  const texts = everyString({ title, goal, expectedResult, precondition, instructions, tags }, words.text);
  // Its author may have written the name already.
  return { ...given, ...texts, data: places.hide(places.restore(data)) };
}

function factsOf(wish: CaseWish, useCase: UseCase, url: string, existing: TestCase | undefined): Partial<TestCase> {
  const { title, goal, expectedResult, precondition, instructions, priority, tags, data } = wish;
  const plan = planFor(wish, useCase, url);
  const steps = instructions?.split('\n').filter((line) => line.trim() !== '');
  return {
    ...(title !== undefined && { title }),
    ...(goal !== undefined && { goal, description: `${goal}.` }),
    ...(expectedResult !== undefined && { expectedResult }),
    ...(precondition !== undefined && { precondition }),
    ...(instructions !== undefined && { instructions, steps: steps ?? [] }),
    ...(priority !== undefined && { priority }),
    ...(tags !== undefined && { tags }),
    ...(data !== undefined && { data: z.json().parse(data) }),
    ...(plan && { details: asDetails(plan) }),
    url,
    ...(existing?.source === 'generated' && plan && { source: 'authored' }),
  };
}

function asDetails(plan: CasePlan): Json {
  return { plan: z.json().parse(plan) };
}

/** With data for the form of the use case, the generator can carry the case out; without, its script is written by hand. */
function planFor({ data, outcome }: CaseWish, useCase: UseCase, url: string): CasePlan | undefined {
  const evidence = evidenceOf(useCase);
  if (data === undefined || !evidence?.form) return undefined;
  const { fields } = evidence.form;
  const { values, secrets } = happyValues(
    evidence,
    fields.filter(({ readOnly, hidden }) => !readOnly && !hidden),
  );
  let decisive: string | undefined;
  for (const [name, value] of Object.entries(data)) {
    const field = fields.find(({ key, label }) => key === name || label === name);
    if (!field)
      throw invalid(
        'data',
        `The form has no field ${JSON.stringify(name)}; it has ${fields.map(({ key }) => key).join(', ')}.`,
      );
    const named = /^\[secret:([^\]]+)\]$/.exec(String(value))?.[1];
    if (named === undefined) {
      values[field.key] = String(value);
      delete secrets[field.key];
    } else {
      secrets[field.key] = named;
      delete values[field.key];
    }
    decisive ??= field.key;
  }
  const base = basePlan({ title: useCase.title, evidence, promised: [], others: [] });
  const expected = { outcome: outcome ?? ('observed' as const), ...(decisive && { field: decisive }), says: [] };
  return { ...base, kind: 'authored', entry: url, values, secrets, expected };
}
