import { expect, test } from 'vitest';
import { runInParallel } from './parallel.ts';

const never = new AbortController().signal;

/** What was under way together with what, while all the work was done. */
async function together(items: readonly string[], workers: number, turnOf: (item: string) => string | undefined) {
  const underWay = new Set<string>();
  const order: string[] = [];
  const seen: string[][] = [];
  const work = async (item: string) => {
    underWay.add(item);
    order.push(item);
    seen.push([...underWay]);
    for (let i = 0; i < 5; i++) await Promise.resolve();
    underWay.delete(item);
  };
  await runInParallel(items, workers, never, work, turnOf);
  return { order, seen };
}

test('runs items of the same turn in sequence and others in parallel', async () => {
  const items = ['a1', 'a2', 'a3', 'b1', 'b2', 'c', 'd'];
  const turns: Record<string, string> = { a: 'a', b: 'b' };
  const { order, seen } = await together(items, 3, ([first = '']) => turns[first]);
  expect(order.toSorted()).toEqual(items);
  expect(seen.some((some) => some.length === 3)).toBe(true);
  for (const some of seen)
    for (const turn of ['a', 'b']) expect(some.filter((item) => item.startsWith(turn)).length).toBeLessThan(2);
});

test('waits for a free item and skips none', async () => {
  const { order, seen } = await together(['a1', 'a2', 'a3'], 4, () => 'a');
  expect(order).toEqual(['a1', 'a2', 'a3']);
  expect(seen.every((some) => some.length === 1)).toBe(true);
});

test('throws after all workers have ended', async () => {
  const done: string[] = [];
  const work = async (item: string) => {
    if (item === 'a1') throw new Error('a1 is broken');
    done.push(item);
  };
  const all = runInParallel(['a1', 'a2', 'b'], 2, never, work, ([first]) => first);
  await expect(all).rejects.toThrow('a1 is broken');
  expect(done.toSorted()).toEqual(['a2', 'b']);
});
