import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Folder, newFolder } from '../../../test/support/folders.ts';
import { openTestStore } from '../../../test/support/open-store.ts';
import type { Store } from '../../platform/store/store.ts';
import { archiveUnapprovedCandidates } from '../scan/save/save-candidates.ts';
import { type Candidate, createQaStore, type QaStore } from '../store/qa-store.ts';
import { dropCandidates } from './decide-candidates.ts';
import { proposeCandidate } from './propose-candidate.ts';

let folder: Folder;
let store: Store;
let qa: QaStore;
beforeAll(async () => {
  folder = await newFolder();
  store = await openTestStore({ home: folder.path });
  qa = createQaStore(store);
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

const owner = 'me';

/** A candidate that was approved after it was read. */
async function approvedMeanwhile(): Promise<Candidate> {
  const { id: projectId } = await qa.projects.insert({ owner, name: 'Shop' });
  const read = await qa.candidates.insert({
    ...{ owner, projectId, fingerprint: 'a', rank: 1, status: 'candidate', source: 'scan', class: 'login' },
    ...{ title: 'Log in', description: '', priority: 'HIGH', confidence: 0.9, breakdown: [], requirements: [] },
    details: null,
  });
  await qa.candidates.update(read.id, { status: 'graduated', useCaseId: 'uc_1' });
  return read;
}

const statusOf = async ({ id }: Candidate) => (await qa.candidates.get(id))?.status;

test('does not archive a candidate that was approved concurrently', async () => {
  const read = await approvedMeanwhile();
  const late = { ...qa, candidates: { ...qa.candidates, list: async () => [read] } };
  expect(await archiveUnapprovedCandidates({ store: late }, read.projectId)).toBe(0);
  expect(await statusOf(read)).toBe('graduated');
});

test('rejects dropping a candidate that was approved concurrently', async () => {
  const read = await approvedMeanwhile();
  let reads = 0;
  const get = async (id: string) => (reads++ === 0 ? read : qa.candidates.get(id));
  const late = { ...qa, candidates: { ...qa.candidates, get } };
  const dropping = dropCandidates({ store: late, owner }, read.projectId, [read.id]);
  await expect(dropping).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', details: { useCaseId: 'uc_1' } });
  expect(await statusOf(read)).toBe('graduated');
});

test('creates one candidate for concurrent equal proposals', async () => {
  const { id: projectId } = await qa.projects.insert({ owner, name: 'Shop' });
  const vault = () => Promise.reject(new Error('there are no secrets to open'));
  const proposal = { title: 'Reset the password', description: 'By mail' };
  const propose = () => proposeCandidate({ store: qa, owner, vault }, projectId, proposal);
  const made = await Promise.all([propose(), propose(), propose()]);
  expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  expect(await qa.candidates.count({ projectId })).toBe(1);
});

test('serialises read-then-write transactions across processes', async () => {
  const { id } = await qa.projects.insert({ owner, name: 'Shop' });
  await using other = await openTestStore({ home: folder.path });
  await qa.transaction(async ({ projects }) => {
    await projects.get(id);
    await expect(createQaStore(other).projects.update(id, { name: 'Theirs' })).rejects.toThrow('locked');
    await projects.update(id, { name: 'Ours' });
  });
  expect(await qa.projects.get(id)).toMatchObject({ name: 'Ours' });
});
