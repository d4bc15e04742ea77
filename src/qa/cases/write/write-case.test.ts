import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { type Folder, newFolder } from '../../../../test/support/folders.ts';
import { openTestStore } from '../../../../test/support/open-store.ts';
import type { Store } from '../../../platform/store/store.ts';
import type { FormField, UseCaseEvidence } from '../../scan/use-case-evidence.ts';
import { createQaStore, type QaStore, type UseCase } from '../../store/qa-store.ts';
import { readCasePlan } from '../case-plan.ts';
import { detectUseCase } from './detect-cases.ts';
import { type CaseInput, writeCase } from './write-case.ts';

let folder: Folder;
let store: Store;
let qa: QaStore;
let projectId: string;
const owner = 'me';
beforeAll(async () => {
  folder = await newFolder();
  store = await openTestStore({ home: folder.path });
  qa = createQaStore(store);
  ({ id: projectId } = await qa.projects.insert({ owner, name: 'Site' }));
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const name: FormField = {
  ...{ key: 'name', label: 'Name', kind: 'text', role: 'textbox', group: '', placeholder: '', required: true },
  ...{ readOnly: false, value: '', checked: null, options: [], hidden: false, ladder: [{ by: 'name', value: 'name' }] },
};

const evidence = (form: UseCaseEvidence['form']): UseCaseEvidence => ({
  ...{ class: 'contact', identity: 'x', confidence: 1, entryUrl: 'http://site.test/x', everywhere: false },
  ...{ needsLogin: false, signIn: null, steps: [], controls: [], stages: [], expected: [], signals: [] },
  state: { template: '/x', url: 'http://site.test/x', title: 'X', heading: 'X', seen: 1 },
  form,
});

async function useCaseWith(form: UseCaseEvidence['form']): Promise<UseCase> {
  return qa.useCases.insert({
    ...{ owner, projectId, title: 'Write', description: '', priority: 'HIGH', class: 'contact', source: 'scan' },
    ...{
      status: 'ACTIVE',
      breakdown: [],
      requirements: [],
      url: 'http://site.test/x',
      details: z.json().parse(evidence(form)),
    },
  });
}
const withForm = () => useCaseWith({ method: 'post', action: '/x', fields: [name], submit: null });

const write = (request: Omit<CaseInput, 'projectId'>) =>
  writeCase(
    {
      ...{ store: qa, owner, checkAddress: async () => {} },
      vault: () => Promise.reject(new Error('there are no secrets to open')),
    },
    { projectId, ...request },
  );
const detect = (useCase: UseCase) => detectUseCase({ owner, projectId }, { store: qa }, useCase, [useCase]);

async function generated(useCase: UseCase) {
  await detect(useCase);
  const [first, second] = await qa.testCases.list({ useCaseId: useCase.id });
  if (!first || !second) throw new Error('nothing was derived');
  return [first, second] as const;
}

test('keeps the changes of an agent to a derived case at the next detection', async () => {
  const useCase = await withForm();
  const [happy, empty] = await generated(useCase);
  await write({ testCaseId: happy.id, title: 'Mine' });
  await write({ testCaseId: empty.id, priority: 'HIGH', data: { Name: 'Grace' }, outcome: 'accepted' });
  const count = await qa.testCases.count({ useCaseId: useCase.id });
  expect(await detect(useCase)).toMatchObject({ added: 0, kept: count });
  expect(await qa.testCases.get(happy.id)).toMatchObject({ title: 'Mine', source: 'authored' });
  const kept = await qa.testCases.get(empty.id);
  expect(kept).toMatchObject({ priority: 'HIGH', data: { Name: 'Grace' }, source: 'authored', status: 'ACTIVE' });
  expect(kept && readCasePlan(kept)?.values).toEqual({ name: 'Grace' });
});

test('derives each case once when two detections run concurrently', async () => {
  const useCase = await withForm();
  const both = await Promise.all([detect(useCase), detect(useCase)]);
  const count = await qa.testCases.count({ useCaseId: useCase.id });
  expect(both.map(({ added }) => added).toSorted((a, b) => a - b)).toEqual([0, count]);
  const form = {
    method: 'post' as const,
    action: '/y',
    fields: [{ ...name, label: 'Name of your child' }],
    submit: null,
  };
  const known = { ...evidence({ ...form, fields: [name] }), class: 'wizard', laterPages: [form] };
  await qa.useCases.update(useCase.id, { details: z.json().parse(known) });
  expect((await detect(useCase)).added).toBeGreaterThan(0);
  const cases = await qa.testCases.list({ useCaseId: useCase.id, status: 'ACTIVE' });
  const [later, first] = [1, 0].map((page) => cases.filter((one) => readCasePlan(one)?.page === page));
  expect(JSON.stringify(later?.map(({ steps }) => steps))).toContain('Name of your child');
  expect(JSON.stringify(first?.map(({ steps }) => steps))).not.toContain('Name of your child');
  const changed = await write({ testCaseId: later?.[0]?.id, data: { 'Name of your child': 'Grace' } });
  expect(readCasePlan(changed)).toMatchObject({ page: 1, values: { name: 'Grace' } });
});

test('keeps a case generated when an update changes nothing', async () => {
  const [happy] = await generated(await withForm());
  expect(await write({ testCaseId: happy.id, title: happy.title })).toMatchObject({ source: 'generated' });
});

test('updates the plan for a new outcome or URL alone', async () => {
  const [happy] = await generated(await withForm());
  const refused = await write({ testCaseId: happy.id, outcome: 'rejected' });
  expect(readCasePlan(refused)).toMatchObject({
    values: readCasePlan(happy)?.values,
    expected: { outcome: 'rejected' },
  });
  const moved = await write({ testCaseId: happy.id, url: 'http://site.test/y' });
  expect(readCasePlan(moved)).toMatchObject({ entry: 'http://site.test/y', expected: { outcome: 'rejected' } });
  expect(moved.instructions).toContain('http://site.test/y');
});

test('rejects input that could have no effect', async () => {
  const useCase = await withForm();
  const without = await useCaseWith(null);
  const words = { title: 'T', goal: 'G', expectedResult: 'R' };
  const refusal = (field: string) => ({ code: 'INVALID_ARGUMENT', details: { field } });
  await expect(write({ ...words, useCaseId: without.id, data: { name: 'x' } })).rejects.toMatchObject(refusal('data'));
  await expect(write({ ...words, useCaseId: useCase.id, outcome: 'accepted' })).rejects.toMatchObject(
    refusal('outcome'),
  );
  const nested = write({ ...words, useCaseId: useCase.id, data: { name: { first: 'Ada' } } });
  await expect(nested).rejects.toMatchObject(refusal('data'));
  const [happy] = await generated(useCase);
  await expect(write({ testCaseId: happy.id, useCaseId: 'uc_none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(write({ testCaseId: happy.id, useCaseId: without.id })).rejects.toMatchObject(refusal('useCaseId'));
});

test('records the oracle of a new case', async () => {
  const { id: useCaseId } = await withForm();
  const words = { useCaseId, goal: 'G', expectedResult: 'R', data: { name: 'x' } };
  expect(await write({ ...words, title: 'A', outcome: 'observed' })).toMatchObject({ oracle: 'observed' });
  expect(await write({ ...words, title: 'B' })).toMatchObject({ oracle: 'observed' });
  const accepted = await write({ ...words, title: 'C', outcome: 'accepted' });
  expect(accepted).toMatchObject({ oracle: 'specified', steps: expect.arrayContaining(['Enter “x” in Name']) });
});

test('rejects blank required texts and clears blank optional ones', async () => {
  const useCase = await withForm();
  const texts = {
    title: ' Mine ',
    goal: 'g',
    expectedResult: 'e',
    precondition: 'p',
    instructions: 'i\n j',
    tags: [' a'],
  };
  const mine = await write({ useCaseId: useCase.id, ...texts });
  expect(mine).toMatchObject({ title: 'Mine', precondition: 'p', instructions: 'i\n j', tags: ['a'] });
  const blanks = { title: '  ', goal: '', expectedResult: '\n', tags: ['a', ' '] };
  for (const [field, value] of Object.entries(blanks)) {
    const reported = JSON.stringify(value);
    const message = `${field} is ${reported}, and must not be blank: write it out.`;
    const fresh = write({ useCaseId: useCase.id, ...texts, title: 'Other', [field]: value });
    await expect(fresh).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', message, details: { field, value } });
    await expect(write({ testCaseId: mine.id, [field]: value })).rejects.toThrow(
      'leave it out to keep what the case has',
    );
  }
  await expect(write({ useCaseId: useCase.id, title: 'Other', goal: 'g' })).rejects.toMatchObject({
    message: 'A new test case needs title, goal and expectedResult: pass expectedResult too.',
    details: { field: 'expectedResult' },
  });
  const less = await write({ testCaseId: mine.id, precondition: ' ', instructions: ' ' });
  expect(less).toMatchObject({ precondition: null, instructions: null, steps: [] });
});
