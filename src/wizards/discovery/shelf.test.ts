import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { discoveryError } from './failures.ts';
import type { Session } from './session.ts';
import { createShelf } from './shelf.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A session as far as a shelf knows it. */
function session(id: string, owner = 'me', partialFile?: string): Session & { closed(): boolean } {
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
    tried: new Map(),
    answers: new Map(),
    sentNames: { typed: () => {}, added: (page) => page },
    secrets: [],
    rows: new Map(),
    partialFile,
    closed: () => closed,
  };
}

const nothing = async () => {};

test('a session that nobody asks for goes after its time, with its browser, and says so to its owner alone', async () => {
  const shelf = createShelf({ idleMs: 1_000 });
  const mine = session('a', 'me', '/partial/a.json');
  shelf.put(mine);
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

test('a session is bound to its caller', async () => {
  const shelf = createShelf();
  shelf.put(session('a'));
  await expect(shelf.use('a', 'somebody', nothing)).rejects.toMatchObject({ code: 'invalid_session' });
  expect(await shelf.use('a', 'me', async ({ id }) => id)).toBe('a');
});

test('a session that is in use does not go, and calls for it wait for each other', async () => {
  const shelf = createShelf({ idleMs: 1_000 });
  const mine = session('a');
  shelf.put(mine);
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

test('a page that does not answer any more ends its session with the call, and the next call says so', async () => {
  const shelf = createShelf({ stuckMs: 3_000 });
  const mine = session('a', 'me', '/partial/a.json');
  Object.assign(mine.watch.page(), { evaluate: () => new Promise(() => {}) });
  shelf.put(mine);
  const asked = expect(shelf.use('a', 'me', () => new Promise(() => {}))).rejects.toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('does not answer'),
    details: { success: false, screenshot: null, partial_file: '/partial/a.json' },
  });
  await vi.advanceTimersByTimeAsync(4_000);
  await asked;
  await expect.poll(() => mine.closed()).toBe(true);
  await expect(shelf.use('a', 'me', nothing)).rejects.toMatchObject({
    code: 'session_expired',
    message: expect.stringContaining('did not answer'),
  });
});

test('a page that answers is given all the time that the work takes', async () => {
  const shelf = createShelf({ stuckMs: 3_000 });
  const mine = session('a');
  Object.assign(mine.watch.page(), { evaluate: async () => 1 });
  shelf.put(mine);
  const gate = Promise.withResolvers<string>();
  const asked = shelf.use('a', 'me', () => gate.promise);
  await vi.advanceTimersByTimeAsync(60_000);
  gate.resolve('done');
  expect(await asked).toBe('done');
});

test('one too many takes the place of the own one that was idle longest, and of nobody else', async () => {
  const shelf = createShelf({ most: 2 });
  const old = session('old');
  shelf.put(old);
  shelf.put(session('new'));
  expect(() => shelf.makeRoom('somebody')).toThrow(/2 discoveries/);
  shelf.makeRoom('me');
  await expect.poll(() => old.closed()).toBe(true);
  expect(shelf.ids()).toEqual(['new']);
});

test('all browsers are closed when the server stops', async () => {
  const shelf = createShelf();
  const both = [session('a'), session('b', 'somebody')];
  for (const each of both) shelf.put(each);
  await shelf[Symbol.asyncDispose]();
  expect(both.map((each) => each.closed())).toEqual([true, true]);
});

test.each([
  new Error('page.screenshot: Target page, context or browser has been closed'),
  new Error('page.evaluate: Target crashed'),
  discoveryError('browser_error', 'The page of this discovery was closed.'),
])('a session whose browser is lost ends with that, and says so from then on: %s', async (lost) => {
  const shelf = createShelf();
  const mine = session('a', 'me', '/partial/a.json');
  shelf.put(mine);
  const use = () => shelf.use('a', 'me', () => Promise.reject(lost));
  await expect(use()).rejects.toMatchObject({ code: 'browser_error', details: { partial_file: '/partial/a.json' } });
  expect(mine.closed()).toBe(true);
  await expect(use()).rejects.toMatchObject({
    code: 'session_expired',
    message: expect.stringMatching(/browser was lost/),
  });
  expect(shelf.ids()).toEqual([]);
});
