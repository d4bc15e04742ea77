import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Folder, newFolder } from '../../../test/support/folders.ts';
import { openTestStore } from '../../../test/support/open-store.ts';
import { startPostgres } from '../../../test/support/services/postgres.ts';
import { createSecretVault } from '../../platform/secrets/secret-vault.ts';
import type { Store } from '../../platform/store/store.ts';
import { secretBinding } from '../secrets/project-secrets.ts';
import { resealStoredSecrets } from '../secrets/reseal-secrets.ts';
import { createQaStore, type QaStore } from './qa-store.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());
const owner = 'me';

describe.each([
  ['a SQLite file', undefined],
  ['PostgreSQL', postgres.url],
])('QA tables in %s', (where, url) => {
  let folder: Folder;
  let store: Store;
  let qa: QaStore;
  beforeAll(async () => {
    folder = await newFolder();
    store = await openTestStore({ home: folder.path, url });
    qa = createQaStore(store);
  });
  afterAll(async () => {
    await store?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  const project = (name = 'Shop') => qa.projects.insert({ owner, name });
  const candidate = (projectId: string, fingerprint: string, rank = 1) =>
    qa.candidates.insert({
      ...{ owner, projectId, fingerprint, rank, status: 'draft', source: 'scan', class: 'login', title: 'Log in' },
      ...{ description: '', priority: 'HIGH', confidence: 0.75, breakdown: [], requirements: ['req_1'] },
      details: { fields: [{ name: 'user' }], none: null },
    });

  test('return inserted rows with an id and timestamps', async () => {
    const { id } = await project();
    const kept = await candidate(id, 'a');
    expect(kept.id).toMatch(/^cand_[a-z0-9]{12,}$/);
    expect(await qa.candidates.get(kept.id)).toEqual(kept);
    expect(kept).toMatchObject({
      confidence: 0.75,
      requirements: ['req_1'],
      details: { fields: [{ name: 'user' }], none: null },
      userStory: null,
      createdAt: expect.any(Number),
      updatedAt: kept.createdAt,
    });
  });

  test('report a row with damaged JSON as damage, and read the others', async () => {
    const { id: projectId } = await project();
    const [damaged, intact] = [await candidate(projectId, 'damaged'), await candidate(projectId, 'intact')];
    for (const requirements of ['{bad', '{"not":"a list"}']) {
      await sql`update qa_candidates set requirements = ${requirements} where id = ${damaged.id}`.execute(store.db);
      const failure = {
        ...{ kind: 'configuration', code: 'STORE_DAMAGED' },
        message: `Cannot use the row ${damaged.id} of the table qa_candidates: its column requirements is damaged. Restore the store from a backup, or delete the row.`,
        remoteMessage: expect.stringContaining(damaged.id),
      };
      await expect(qa.candidates.get(damaged.id)).rejects.toMatchObject(failure);
      await expect(qa.candidates.list({ projectId })).rejects.toMatchObject(failure);
    }
    expect(await qa.candidates.get(intact.id)).toEqual(intact);
  });

  // PostgreSQL accepts no value of another type.
  if (url === undefined)
    test('report a value of another type as damage', async () => {
      const { id } = await project();
      await sql`update qa_projects set created_at = 'x' where id = ${id}`.execute(store.db);
      const message = expect.stringContaining(`the row ${id} of the table qa_projects: its column created_at`);
      await expect(qa.projects.get(id)).rejects.toMatchObject({ code: 'STORE_DAMAGED', message });
      await qa.projects.remove(id);
    });

  test('update the given columns and the timestamp', async () => {
    const { id } = await project();
    const before = await candidate(id, 'b');
    const after = await qa.candidates.update(before.id, {
      title: 'Sign in',
      description: undefined,
      userStory: 'As a…',
    });
    expect(after).toEqual({ ...before, title: 'Sign in', userStory: 'As a…', updatedAt: expect.any(Number) });
    expect(after?.updatedAt).toBeGreaterThanOrEqual(before.updatedAt);
    expect(await qa.candidates.update('cand_none', { title: 'x' })).toBeUndefined();
  });

  test('filter by one value, several, null and an empty list', async () => {
    const { id: projectId } = await project();
    const [one, two] = [await candidate(projectId, 'c', 1), await candidate(projectId, 'd', 2)];
    await qa.candidates.update(two.id, { status: 'dropped' });
    const ids = async (match: Parameters<typeof qa.candidates.list>[0]) =>
      (await qa.candidates.list({ projectId, ...match })).map(({ id }) => id);
    expect(await ids({})).toEqual([two.id, one.id]);
    expect(await ids({ status: 'draft' })).toEqual([one.id]);
    expect(await ids({ status: ['draft', 'dropped'] })).toEqual([two.id, one.id]);
    expect(await ids({ status: [] })).toEqual([]);
    expect(await ids({ useCaseId: null, status: undefined })).toHaveLength(2);
    expect(await qa.candidates.count({ projectId, status: 'draft' })).toBe(1);
  });

  test('return pages that stay stable when rows are added', async () => {
    const mine = `pager-${where}`;
    for (const name of ['a', 'b', 'c']) await qa.projects.insert({ owner: mine, name });
    const page = (number: number) => qa.projects.page({ owner: mine }, { page: number, pageSize: 2 });
    const first = await page(1);
    expect(first).toMatchObject({ page: 1, pageSize: 2, totalCount: 3, totalPages: 2, hasMore: true });
    await qa.projects.insert({ owner: mine, name: 'd' });
    expect((await page(1)).data).toEqual(first.data);
    const rest = await page(2);
    expect(rest).toMatchObject({ hasMore: false, totalCount: 4 });
    expect(new Set([...first.data, ...rest.data].map(({ id }) => id)).size).toBe(4);
    expect(await page(9)).toMatchObject({ data: [], page: 9, totalCount: 4, hasMore: false });
    expect(await qa.projects.page({ owner: 'nobody' }, { page: 1, pageSize: 20 })).toMatchObject({
      data: [],
      totalPages: 0,
    });
  });

  test('keep insertion order within a millisecond', async () => {
    const mine = `hurried-${where}`;
    const names = Array.from({ length: 60 }, (_, index) => `project ${index}`);
    const made = await qa.projects.insertAll(names.map((name) => ({ owner: mine, name })));
    expect(new Set(made.map(({ createdAt }) => createdAt)).size).toBeLessThan(names.length);
    expect((await qa.projects.list({ owner: mine })).map(({ name }) => name)).toEqual(names);
    expect(await qa.projects.newest({ owner: mine })).toMatchObject({ name: names.at(-1) });
  });

  test('cascade deletes to dependent rows', async () => {
    const { id: projectId } = await project();
    const { id: candidateId } = await candidate(projectId, 'e');
    await qa.evidence.insert({
      owner,
      projectId,
      candidateId,
      position: 0,
      pageUrl: 'https://x.example',
      notes: 'seen',
    });
    await qa.secrets.insert({ owner, projectId, name: 'PW', source: 'user', sealed: 'x.y', keyId: 'x' });
    const runtime = await qa.runtimes.insert({
      owner,
      projectId,
      kind: 'qa.scan',
      status: 'active',
      payload: {},
      inside: null,
    });
    await qa.runs.insert({
      ...{ owner, projectId, runtimeId: runtime.id, kind: 'qa.scan', status: 'queued', progress: 0 },
      ...{ result: null, checkpoint: null },
    });
    expect(await qa.projects.remove(projectId)).toBe(true);
    for (const repository of [qa.candidates, qa.evidence, qa.secrets, qa.runtimes, qa.runs])
      expect(await repository.count({ projectId })).toBe(0);
    expect(await qa.projects.remove(projectId)).toBe(false);
  });

  test('enforce unique fingerprints, documents and names per project', async () => {
    const { id } = await project();
    await candidate(id, 'f');
    await expect(candidate(id, 'f')).rejects.toThrow(/unique/i);
    const { id: other } = await project();
    await candidate(other, 'f');
    const secret = { owner, projectId: id, name: 'PW', source: 'user', sealed: 'x.y', keyId: 'x' };
    await qa.secrets.insert(secret);
    await expect(qa.secrets.insert(secret)).rejects.toThrow(/unique/i);
  });

  test('roll back a failed transaction', async () => {
    const { id } = await project();
    const work = qa.transaction(async ({ secrets }) => {
      await secrets.insert({ owner, projectId: id, name: 'A', source: 'user', sealed: 'x.y', keyId: 'x' });
      throw new Error('stop');
    });
    await expect(work).rejects.toThrow('stop');
    expect(await qa.secrets.count({ projectId: id })).toBe(0);
  });

  test('accept bulk inserts and text with NUL characters', async () => {
    const { id: projectId } = await project('Zero\0 and ünïcode ’ 🦉');
    expect(await qa.projects.get(projectId)).toMatchObject({ name: 'Zero and ünïcode ’ 🦉' });
    const rows = Array.from({ length: 250 }, (_, position) => ({
      owner,
      projectId,
      position,
      text: `gap ${position}`,
      reason: '',
    }));
    await qa.gaps.insertAll(rows);
    const gaps = await qa.gaps.list({ projectId });
    expect(gaps.map(({ position }) => position)).toEqual(rows.map(({ position }) => position));
    expect(await qa.gaps.removeAll({ projectId })).toBe(250);
  });

  test('reseal all secrets with a new key or none', async () => {
    await qa.secrets.removeAll({});
    const [older, newer, foreign] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)];
    const vault = createSecretVault([older]);
    const { id: projectId } = await project();
    const add = async (name: string, key: Buffer) => {
      const { seal, keyId } = createSecretVault([key]);
      const { id } = await qa.secrets.insert({ owner, projectId, name, source: 'user', sealed: '', keyId });
      return qa.secrets.update(id, { sealed: seal(`value of ${name}`, secretBinding({ projectId, id })) });
    };
    await add('A', older);
    const stranger = await add('B', foreign);
    await expect(resealStoredSecrets(store, [newer, older])).rejects.toThrow(/encrypted with the key/);
    expect(await qa.secrets.count({ keyId: vault.keyId })).toBe(1);
    await qa.secrets.remove(stranger?.id ?? '');
    expect(await resealStoredSecrets(store, [newer, older])).toBe(1);
    const row = await qa.secrets.first({ projectId });
    expect(createSecretVault([newer]).open(row?.sealed ?? '', secretBinding({ projectId, id: row?.id ?? '' }))).toBe(
      'value of A',
    );
    expect(await resealStoredSecrets(store, [newer, older])).toBe(0);
  });
});
