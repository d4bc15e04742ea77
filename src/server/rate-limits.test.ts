import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../test/support/folders.ts';
import { openTestStore } from '../../test/support/open-store.ts';
import { type Postgres, startPostgres } from '../../test/support/services/postgres.ts';
import { type CallLog, createStoredCallLog } from '../platform/store/call-log.ts';
import { createCallLimiter, createMemoryCallLog } from './rate-limits.ts';

const postgres = await startPostgres();
afterAll(() => postgres[Symbol.asyncDispose]());

const logs: [string, () => Promise<{ calls: CallLog; another: CallLog; close(): Promise<void> }>][] = [
  [
    'in memory',
    async () => {
      const calls = createMemoryCallLog();
      return { calls, another: calls, close: async () => {} };
    },
  ],
  ['in a SQLite file', () => shared()],
  ['in PostgreSQL', () => shared(postgres)],
];

/** Two connections, as two processes would have them. */
async function shared(server?: Postgres) {
  const folder = await newFolder();
  const location = { home: folder.path, url: server?.url };
  const [one, two] = await Promise.all([openTestStore(location), openTestStore(location)]);
  return {
    calls: createStoredCallLog(one),
    another: createStoredCallLog(two),
    async close() {
      await Promise.all([one[Symbol.asyncDispose](), two[Symbol.asyncDispose]()]);
      await folder[Symbol.asyncDispose]();
    },
  };
}

const hour = 3_600_000;
const start = Date.UTC(2026, 0, 15, 14, 0, 0);
const alice = { issuer: 'https://issuer.example', subject: 'u1', client: 'alice' };
const bob = { ...alice, client: 'bob' };

describe.each(logs)('a call limit kept %s', (_, open) => {
  let now = start;
  let kept: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    kept = await open();
  });
  afterAll(() => kept?.close());
  const limiter = (prefix: string, calls = kept.calls) => {
    const inner = createCallLimiter({ calls, perHour: (tool) => (tool.endsWith('run') ? 3 : 100), now: () => now });
    return (principal: typeof alice, tool: string) => inner.admit(principal, `${prefix}_${tool}`);
  };

  test('admits the limit per hour, rejects the next call as specified, and slides', async () => {
    const admit = limiter('slide');
    now = start;
    for (const minute of [0, 10, 20]) {
      now = start + minute * 60_000;
      expect(await admit(alice, 'run')).toBeUndefined();
    }
    now = start + 30 * 60_000;
    expect(await admit(alice, 'run')).toEqual({
      status: 'error',
      error: 'rate_limit_exceeded',
      message: 'Rate limit exceeded for slide_run',
      retry_after_seconds: 1800,
      limit: 3,
      reset_at: '2026-01-15T15:00:00Z',
      timestamp: '2026-01-15T14:30:00.000Z',
    });
    now = start + hour - 1;
    expect(await admit(alice, 'run')).toMatchObject({ retry_after_seconds: 1 });
    now = start + hour;
    expect(await admit(alice, 'run')).toBeUndefined();
    expect(await admit(alice, 'run')).toMatchObject({ retry_after_seconds: 600 });
  });

  test('counts each client and tool separately', async () => {
    const admit = limiter('apart');
    for (let i = 0; i < 3; i++) await admit(alice, 'run');
    expect(await admit(alice, 'run')).toBeDefined();
    expect(await admit(bob, 'run')).toBeUndefined();
    expect(await admit(alice, 'other')).toBeUndefined();
    expect(await admit({ ...alice, issuer: 'https://another.example' }, 'run')).toBeUndefined();
  });

  test('holds for concurrent calls', async () => {
    const [one, two] = [limiter('race'), limiter('race', kept.another)];
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => (i % 2 ? one : two)(alice, 'run')));
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(3);
  });
});

test('removes expired calls from the store', async () => {
  await using folder = await newFolder();
  await using store = await openTestStore({ home: folder.path });
  let now = start;
  const limiter = createCallLimiter({ calls: createStoredCallLog(store), perHour: () => 10, now: () => now });
  for (let i = 0; i < 5; i++) await limiter.admit({ ...alice, client: `passer-by-${i}` }, 'run');
  now = start + 2 * hour;
  await limiter.admit(bob, 'run');
  expect(await store.db.selectFrom('calls').select('at').execute()).toEqual([{ at: now }]);
});

test('names a store that cannot be opened, without its password', async () => {
  const url = 'postgres://me:s3cret@127.0.0.1:1/none';
  await expect(openTestStore({ home: '/nowhere', url })).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    message: expect.stringMatching(/^(?!.*s3cret).*ASSAY_DATABASE_URL.*ECONNREFUSED/),
  });
});
