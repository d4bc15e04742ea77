import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Folder, newFolder } from '../../../test/support/folders.ts';
import { openTestStore } from '../../../test/support/open-store.ts';
import { type Keeper, keeperApart, keeperHere } from '../../../test/support/qa/script-keepers.ts';
import { startPostgres } from '../../../test/support/services/postgres.ts';
import type { Store } from '../../platform/store/store.ts';
import { readScriptDetails } from '../artifacts/script-details.ts';
import { createQaStore, type QaStore } from './qa-store.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());
const owner = 'me';
/** Enough that two that go through them side by side meet. */
const CASES = 40;

describe.each([
  ['a SQLite file', undefined],
  ['PostgreSQL', postgres.url],
])('two servers that save the same scripts at once in %s', (_, url) => {
  let folder: Folder;
  let opened: Store;
  let store: QaStore;
  let servers: [Keeper, Keeper];
  beforeAll(async () => {
    folder = await newFolder();
    const context = { home: folder.path, url };
    opened = await openTestStore(context);
    store = createQaStore(opened);
    servers = await Promise.all([keeperApart(context), keeperApart(context)]);
  });
  afterAll(async () => {
    for (const server of servers ?? []) await server[Symbol.asyncDispose]();
    await opened?.[Symbol.asyncDispose]();
    await folder?.[Symbol.asyncDispose]();
  });

  async function newCases(): Promise<{ testCaseIds: string[]; newRun(): Promise<string> }> {
    const { id: projectId } = await store.projects.insert({ owner, name: 'Shop' });
    const of = { owner, projectId };
    const useCase = await store.useCases.insert({
      ...{ ...of, status: 'APPROVED', source: 'scan', class: 'login', title: 'Log in', description: '' },
      ...{ priority: 'HIGH', breakdown: [], requirements: [], details: {} },
    });
    const cases = await store.testCases.insertAll(
      Array.from({ length: CASES }, (_, position) => ({
        ...{
          ...of,
          useCaseId: useCase.id,
          position,
          fingerprint: `${position}`,
          status: 'ACTIVE',
          source: 'generated',
        },
        ...{ title: `Case ${position}`, description: '', goal: '', steps: [], data: {}, expectedResult: '' },
        ...{ oracle: 'observed', url: 'http://shop.example/', priority: 'HIGH', category: 'Functional', tags: [] },
        details: {},
      })),
    );
    const runtime = await store.runtimes.insert({
      ...{ ...of, kind: 'qa.generation', status: 'active', payload: {}, inside: null },
    });
    return {
      testCaseIds: cases.map(({ id }) => id),
      async newRun() {
        const run = { ...of, runtimeId: runtime.id, kind: 'qa.generation', status: 'running', progress: 0 };
        return (await store.runs.insert({ ...run, result: null, checkpoint: null })).id;
      },
    };
  }

  test('leave one script per case with consecutive versions', async () => {
    const { testCaseIds, newRun } = await newCases();
    const [first, second] = [await newRun(), await newRun()];
    const [one, other] = servers;
    await Promise.all([
      one.keep({ what: 'proven script', runId: first, testCaseIds }),
      other.keep({ what: 'proven script', runId: second, testCaseIds }),
    ]);
    const scripts = await store.testScripts.list({ testCaseId: testCaseIds });
    expect(scripts.map(({ testCaseId }) => testCaseId).toSorted()).toEqual(testCaseIds.toSorted());
    expect(new Set(scripts.map(({ version, status }) => `${version} ${status}`))).toEqual(new Set(['2 active']));
  });

  test('keep both a replay verdict and a failed attempt', async () => {
    const { testCaseIds, newRun } = await newCases();
    const [first, attempt, replay] = [await newRun(), await newRun(), await newRun()];
    await using before = await keeperHere({ home: folder.path, url });
    await before.keep({ what: 'proven script', runId: first, testCaseIds });
    const [one, other] = servers;
    await Promise.all([
      one.keep({ what: 'failed attempt', runId: attempt, testCaseIds }),
      other.keep({ what: 'verdict', runId: replay, testCaseIds }),
    ]);
    const scripts = await store.testScripts.list({ testCaseId: testCaseIds });
    expect(scripts).toHaveLength(CASES);
    for (const script of scripts)
      expect(readScriptDetails(script)).toMatchObject({
        latest: { runId: replay, verdict: 'inconclusive' },
        lastAttempt: { failure: { reason: `Attempt of ${attempt}` } },
      });
  });
});
