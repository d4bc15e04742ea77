import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { discoveryError } from './discovery-error.ts';
import type { DiscoverySession } from './discovery-session.ts';
import { createSessionRegistry, type SessionRegistry } from './session-registry.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A session with the parts that a registry uses. */
function session(id: string, owner = 'me', partialFile?: string): DiscoverySession & { closed(): boolean } {
  let closed = false;
  // biome-ignore lint/suspicious/noExplicitAny: there is no browser here
  const nothing: any = {};
  return {
    id,
    owner,
    url: 'http://127.0.0.1/',
    startedAt: '',
    open: {
      context: nothing,
      async [Symbol.asyncDispose]() {
        closed = true;
      },
    },
    watch: { page: () => nothing, take: () => [], [Symbol.dispose]() {} },
    clicks: [],
    pages: new Map(),
    proposals: new Map(),
    reveals: new Map(),
    questionsByAnswer: new Map(),
    answers: new Map(),
    sentNames: { recordTyped: () => {}, addTo: (page) => page },
    secrets: [],
    rowGroups: new Map(),
    partialFile,
    closed: () => closed,
  };
}

const nothing = async () => {};
const put = (registry: SessionRegistry, one: DiscoverySession) => registry.reserve(one.owner).put(one);

test('closes an idle session with its browser and tells only its owner', async () => {
  const registry = createSessionRegistry({ idleMs: 1_000 });
  const mine = session('a', 'me', '/partial/a.json');
  put(registry, mine);
  vi.advanceTimersByTime(900);
  await registry.use('a', 'me', nothing);
  vi.advanceTimersByTime(900);
  expect(mine.closed()).toBe(false);
  vi.advanceTimersByTime(200);
  await expect.poll(() => mine.closed()).toBe(true);
  await expect(registry.use('a', 'me', nothing)).rejects.toMatchObject({
    code: 'session_expired',
    details: { partial_file: '/partial/a.json' },
  });
  await expect(registry.use('a', 'stranger', nothing)).rejects.toMatchObject({ code: 'invalid_session' });
});

test('rejects a session of another owner', async () => {
  const registry = createSessionRegistry();
  put(registry, session('a'));
  await expect(registry.use('a', 'stranger', nothing)).rejects.toMatchObject({ code: 'invalid_session' });
  expect(await registry.use('a', 'me', async ({ id }) => id)).toBe('a');
});

test('keeps a session that is in use and runs its calls one by one', async () => {
  const registry = createSessionRegistry({ idleMs: 1_000 });
  const mine = session('a');
  put(registry, mine);
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = registry.use('a', 'me', async () => {
    await gate.promise;
    order.push('first');
  });
  const second = registry.use('a', 'me', async () => void order.push('second'));
  vi.advanceTimersByTime(5_000);
  expect(mine.closed()).toBe(false);
  gate.resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second']);
});

test('ends the session of a page that no longer responds, and the next call says so', async () => {
  const registry = createSessionRegistry({ stuckMs: 3_000 });
  const mine = session('a', 'me', '/partial/a.json');
  Object.assign(mine.watch.page(), { evaluate: () => new Promise(() => {}) });
  put(registry, mine);
  const asked = expect(registry.use('a', 'me', () => new Promise(() => {}))).rejects.toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('no longer responds'),
    details: { success: false, screenshot: null, partial_file: '/partial/a.json' },
  });
  await vi.advanceTimersByTimeAsync(4_000);
  await asked;
  await expect.poll(() => mine.closed()).toBe(true);
  await expect(registry.use('a', 'me', nothing)).rejects.toMatchObject({
    code: 'session_expired',
    message: expect.stringContaining('no longer responded'),
  });
});

test('lets long work finish while the page responds', async () => {
  const registry = createSessionRegistry({ stuckMs: 3_000 });
  const mine = session('a');
  Object.assign(mine.watch.page(), { evaluate: async () => 1 });
  put(registry, mine);
  const gate = Promise.withResolvers<string>();
  const asked = registry.use('a', 'me', () => gate.promise);
  await vi.advanceTimersByTimeAsync(60_000);
  gate.resolve('done');
  expect(await asked).toBe('done');
});

describe('a session beyond the limit', () => {
  test('replaces the session of the same owner that was idle longest', async () => {
    const registry = createSessionRegistry({ most: 2 });
    const old = session('old');
    put(registry, old);
    put(registry, session('new'));
    registry.reserve('me');
    await expect.poll(() => old.closed()).toBe(true);
    expect(registry.ids()).toEqual(['new']);
  });

  test('replaces an idle session of the owner who holds more than a fair share', async () => {
    const registry = createSessionRegistry({ most: 3 });
    const oldest = session('oldest');
    put(registry, session('other', 'other'));
    put(registry, oldest);
    put(registry, session('newer'));
    registry.reserve('third');
    await expect.poll(() => oldest.closed()).toBe(true);
    expect(registry.ids()).toEqual(['other', 'newer']);
  });

  test('is allowed once for an owner without a session, and refused where every owner holds a fair share', () => {
    const registry = createSessionRegistry({ most: 2 });
    put(registry, session('mine'));
    put(registry, session('other', 'other'));
    put(registry, session('third', 'third'));
    expect(() => registry.reserve('fourth')).toThrow(/2 discoveries/);
    expect(registry.ids()).toEqual(['mine', 'other', 'third']);
  });

  test('is refused while the sessions up to the limit are being started', () => {
    const registry = createSessionRegistry({ most: 2 });
    const [first, second] = [registry.reserve('me'), registry.reserve('me')];
    expect(() => registry.reserve('me')).toThrow(/2 discoveries/);
    first.put(session('a'));
    // What has been put is not counted twice, nor released with its reservation.
    first[Symbol.dispose]();
    second[Symbol.dispose]();
    put(registry, session('b'));
    expect(registry.ids()).toEqual(['a', 'b']);
  });

  test('replaces an idle session of an owner whose sessions being started are more than a fair share', async () => {
    const registry = createSessionRegistry({ most: 3 });
    const idle = session('idle');
    put(registry, idle);
    registry.reserve('me');
    registry.reserve('me');
    registry.reserve('other');
    await expect.poll(() => idle.closed()).toBe(true);
  });
});

test('closes all browsers when the server stops', async () => {
  const registry = createSessionRegistry();
  const both = [session('a'), session('b', 'stranger')];
  for (const each of both) put(registry, each);
  await registry[Symbol.asyncDispose]();
  expect(both.map((each) => each.closed())).toEqual([true, true]);
});

test.each([
  new Error('page.screenshot: Target page, context or browser has been closed'),
  new Error('page.evaluate: Target crashed'),
  discoveryError('browser_error', 'The page of this discovery was closed.'),
])('ends a session whose browser is lost, and later calls say so: %s', async (lost) => {
  const registry = createSessionRegistry();
  const mine = session('a', 'me', '/partial/a.json');
  put(registry, mine);
  const use = () => registry.use('a', 'me', () => Promise.reject(lost));
  await expect(use()).rejects.toMatchObject({ code: 'browser_error', details: { partial_file: '/partial/a.json' } });
  expect(mine.closed()).toBe(true);
  await expect(use()).rejects.toMatchObject({
    code: 'session_expired',
    message: expect.stringMatching(/browser was lost/),
  });
  expect(registry.ids()).toEqual([]);
});

test.each([
  ['timeout', Object.assign(new Error('page.screenshot: Timeout 30000ms exceeded.'), { name: 'TimeoutError' })],
  [
    'navigation_failed',
    new Error('page.evaluate: Execution context was destroyed, most likely because of a navigation'),
  ],
])('reports %s when the page does not respond, and keeps the session', async (code, error) => {
  const registry = createSessionRegistry();
  put(registry, session('a'));
  await expect(registry.use('a', 'me', () => Promise.reject(error))).rejects.toMatchObject({ code });
  expect(await registry.use('a', 'me', async () => 'still there')).toBe('still there');
});
