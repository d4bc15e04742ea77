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

/** A session as far as a shelf knows it. */
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
const put = (shelf: SessionRegistry, one: DiscoverySession) => shelf.reserve(one.owner).put(one);

test('closes an idle session with its browser and tells only its owner', async () => {
  const shelf = createSessionRegistry({ idleMs: 1_000 });
  const mine = session('a', 'me', '/partial/a.json');
  put(shelf, mine);
  vi.advanceTimersByTime(900);
  await shelf.use('a', 'me', nothing);
  vi.advanceTimersByTime(900);
  expect(mine.closed()).toBe(false);
  vi.advanceTimersByTime(200);
  await expect.poll(() => mine.closed()).toBe(true);
  await expect(shelf.use('a', 'me', nothing)).rejects.toMatchObject({
    code: 'session_expired',
    details: { partial_file: '/partial/a.json' },
  });
  await expect(shelf.use('a', 'somebody', nothing)).rejects.toMatchObject({ code: 'invalid_session' });
});

test('rejects a session of another owner', async () => {
  const shelf = createSessionRegistry();
  put(shelf, session('a'));
  await expect(shelf.use('a', 'somebody', nothing)).rejects.toMatchObject({ code: 'invalid_session' });
  expect(await shelf.use('a', 'me', async ({ id }) => id)).toBe('a');
});

test('keeps a session that is in use and runs its calls one by one', async () => {
  const shelf = createSessionRegistry({ idleMs: 1_000 });
  const mine = session('a');
  put(shelf, mine);
  const order: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = shelf.use('a', 'me', async () => {
    await gate.promise;
    order.push('first');
  });
  const second = shelf.use('a', 'me', async () => void order.push('second'));
  vi.advanceTimersByTime(5_000);
  expect(mine.closed()).toBe(false);
  gate.resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second']);
});

test('ends the session of a page that no longer responds, and the next call says so', async () => {
  const shelf = createSessionRegistry({ stuckMs: 3_000 });
  const mine = session('a', 'me', '/partial/a.json');
  Object.assign(mine.watch.page(), { evaluate: () => new Promise(() => {}) });
  put(shelf, mine);
  const asked = expect(shelf.use('a', 'me', () => new Promise(() => {}))).rejects.toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('no longer responds'),
    details: { success: false, screenshot: null, partial_file: '/partial/a.json' },
  });
  await vi.advanceTimersByTimeAsync(4_000);
  await asked;
  await expect.poll(() => mine.closed()).toBe(true);
  await expect(shelf.use('a', 'me', nothing)).rejects.toMatchObject({
    code: 'session_expired',
    message: expect.stringContaining('no longer responded'),
  });
});

test('lets long work finish while the page responds', async () => {
  const shelf = createSessionRegistry({ stuckMs: 3_000 });
  const mine = session('a');
  Object.assign(mine.watch.page(), { evaluate: async () => 1 });
  put(shelf, mine);
  const gate = Promise.withResolvers<string>();
  const asked = shelf.use('a', 'me', () => gate.promise);
  await vi.advanceTimersByTimeAsync(60_000);
  gate.resolve('done');
  expect(await asked).toBe('done');
});

describe('a session beyond the limit', () => {
  test('replaces the session of the same owner that was idle longest', async () => {
    const shelf = createSessionRegistry({ most: 2 });
    const old = session('old');
    put(shelf, old);
    put(shelf, session('new'));
    shelf.reserve('me');
    await expect.poll(() => old.closed()).toBe(true);
    expect(shelf.ids()).toEqual(['new']);
  });

  test('replaces an idle session of the owner who holds more than a fair share', async () => {
    const shelf = createSessionRegistry({ most: 3 });
    const oldest = session('oldest');
    put(shelf, session('other', 'other'));
    put(shelf, oldest);
    put(shelf, session('newer'));
    shelf.reserve('third');
    await expect.poll(() => oldest.closed()).toBe(true);
    expect(shelf.ids()).toEqual(['other', 'newer']);
  });

  test('is allowed once for an owner without a session, and refused where every owner holds a fair share', () => {
    const shelf = createSessionRegistry({ most: 2 });
    put(shelf, session('mine'));
    put(shelf, session('other', 'other'));
    put(shelf, session('third', 'third'));
    expect(() => shelf.reserve('fourth')).toThrow(/2 discoveries/);
    expect(shelf.ids()).toEqual(['mine', 'other', 'third']);
  });

  test('is refused while the sessions up to the limit are being started', () => {
    const shelf = createSessionRegistry({ most: 2 });
    const [first, second] = [shelf.reserve('me'), shelf.reserve('me')];
    expect(() => shelf.reserve('me')).toThrow(/2 discoveries/);
    first.put(session('a'));
    // What has been put is not counted twice, nor released with its reservation.
    first[Symbol.dispose]();
    second[Symbol.dispose]();
    put(shelf, session('b'));
    expect(shelf.ids()).toEqual(['a', 'b']);
  });

  test('replaces an idle session of an owner whose sessions being started are more than a fair share', async () => {
    const shelf = createSessionRegistry({ most: 3 });
    const idle = session('idle');
    put(shelf, idle);
    shelf.reserve('me');
    shelf.reserve('me');
    shelf.reserve('other');
    await expect.poll(() => idle.closed()).toBe(true);
  });
});

test('closes all browsers when the server stops', async () => {
  const shelf = createSessionRegistry();
  const both = [session('a'), session('b', 'somebody')];
  for (const each of both) put(shelf, each);
  await shelf[Symbol.asyncDispose]();
  expect(both.map((each) => each.closed())).toEqual([true, true]);
});

test.each([
  new Error('page.screenshot: Target page, context or browser has been closed'),
  new Error('page.evaluate: Target crashed'),
  discoveryError('browser_error', 'The page of this discovery was closed.'),
])('ends a session whose browser is lost, and later calls say so: %s', async (lost) => {
  const shelf = createSessionRegistry();
  const mine = session('a', 'me', '/partial/a.json');
  put(shelf, mine);
  const use = () => shelf.use('a', 'me', () => Promise.reject(lost));
  await expect(use()).rejects.toMatchObject({ code: 'browser_error', details: { partial_file: '/partial/a.json' } });
  expect(mine.closed()).toBe(true);
  await expect(use()).rejects.toMatchObject({
    code: 'session_expired',
    message: expect.stringMatching(/browser was lost/),
  });
  expect(shelf.ids()).toEqual([]);
});

test.each([
  ['timeout', Object.assign(new Error('page.screenshot: Timeout 30000ms exceeded.'), { name: 'TimeoutError' })],
  [
    'navigation_failed',
    new Error('page.evaluate: Execution context was destroyed, most likely because of a navigation'),
  ],
])('reports %s when the page does not respond, and keeps the session', async (code, error) => {
  const shelf = createSessionRegistry();
  put(shelf, session('a'));
  await expect(shelf.use('a', 'me', () => Promise.reject(error))).rejects.toMatchObject({ code });
  expect(await shelf.use('a', 'me', async () => 'still there')).toBe('still there');
});
