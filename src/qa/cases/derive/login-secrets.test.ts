import { expect, test } from 'vitest';
import * as z from 'zod';
import { newFolder } from '../../../../test/support/folders.ts';
import { openTestStore } from '../../../../test/support/open-store.ts';
import type { FormField, UseCaseEvidence } from '../../scan/use-case-evidence.ts';
import { buildAssignment } from '../../scripts/case-assignment.ts';
import { projectSecretsFrom } from '../../secrets/project-secrets.ts';
import { createQaStore, type QaStore } from '../../store/qa-store.ts';
import { detectUseCase } from '../write/detect-cases.ts';

const field = (key: string, kind: string): FormField => ({
  ...{ key, label: key, kind, role: 'textbox', group: '', placeholder: '', required: true, readOnly: false },
  ...{ value: '', checked: null, options: [], hidden: false, ladder: [{ by: 'name', value: key }] },
});
const url = 'http://site.test/login';
const evidence: UseCaseEvidence = {
  ...{ class: 'login', identity: 'x', confidence: 1, entryUrl: url, everywhere: false, needsLogin: false },
  ...{ signIn: null, steps: [], controls: [], stages: [], expected: [], signals: [] },
  state: { template: '/login', url, title: 'Log in', heading: 'Log in', seen: 1 },
  form: { method: 'post', action: '/login', fields: [field('mail', 'email'), field('word', 'password')], submit: null },
};

const owner = 'me';

async function loginOf(qa: QaStore, known = evidence) {
  const { id: projectId } = await qa.projects.insert({ owner, name: 'Members', url: 'http://site.test' });
  const useCase = await qa.useCases.insert({
    ...{ owner, projectId, title: 'Log in', description: '', priority: 'HIGH', class: 'login', source: 'CRAWLER' },
    ...{ status: 'APPROVED', breakdown: [], requirements: [], url, details: z.json().parse(known) },
  });
  const position = { store: qa, secrets: projectSecretsFrom([], new Map()) };
  const happy = async () => {
    const found = await qa.testCases.first({ useCaseId: useCase.id, fingerprint: 'happy' });
    if (!found) throw new Error('no happy path');
    return found;
  };
  return {
    detect: () => detectUseCase({ owner, projectId }, position, useCase, [useCase]),
    data: async () => (await happy()).data,
    assign: async () => buildAssignment(position, await happy()),
    addSecrets: async () => {
      for (const name of ['TEST_EMAIL', 'TEST_PASSWORD'])
        await qa.secrets.insert({ owner, projectId, name, source: 'given', sealed: '', keyId: '' });
    },
    move: (to: string) => qa.projects.update(projectId, { url: to }),
  };
}

test('derives login cases with the secrets of the project, also newer ones', async () => {
  await using folder = await newFolder();
  await using store = await openTestStore({ home: folder.path });
  const login = await loginOf(createQaStore(store));
  await login.detect();
  // Without a known password the outcome says nothing about the site.
  const missing = { code: 'NO_SECRETS', message: expect.stringMatching(/qa_secret_create.*TEST_USER_PASSWORD/) };
  await expect(login.assign()).rejects.toMatchObject(missing);
  await login.addSecrets();
  const outdated = { code: 'NO_SECRETS', message: expect.stringMatching(/TEST_EMAIL and TEST_PASSWORD: detect/) };
  await expect(login.assign()).rejects.toMatchObject(outdated);
  expect(await login.detect()).toMatchObject({ added: 0 });
  expect(await login.data()).toEqual({ mail: 'secret TEST_EMAIL', word: 'secret TEST_PASSWORD' });
  expect((await login.assign()).plan.secrets).toEqual({ mail: 'TEST_EMAIL', word: 'TEST_PASSWORD' });
  await login.move('http://elsewhere.test');
  await login.detect();
  await expect(login.assign()).rejects.toMatchObject(missing);
});

test('gives no secret to a login form that leaves the origin', async () => {
  await using folder = await newFolder();
  await using store = await openTestStore({ home: folder.path });
  const form = evidence.form && { ...evidence.form, leaves: true as const };
  const login = await loginOf(createQaStore(store), { ...evidence, form });
  await login.addSecrets();
  await login.detect();
  await expect(login.assign()).rejects.toThrow('posts to another origin');
});
