import { expect, test } from 'vitest';
import { groupByTurn, runInParallel } from './parallel.ts';

const never = new AbortController().signal;

test('starts items in order, with as many at a time as there are workers', async () => {
  const items = ['a', 'b', 'c', 'd', 'e'];
  const [begun, atATime]: [string[], number[]] = [[], []];
  let running = 0;
  await runInParallel(items, 3, never, async (item) => {
    begun.push(item);
    atATime.push(++running);
    for (let i = 0; i < 5; i++) await Promise.resolve();
    running--;
  });
  expect(begun).toEqual(items);
  expect(Math.max(...atATime)).toBe(3);
});

test('throws after all workers have ended', async () => {
  const done: string[] = [];
  const work = async (item: string) => {
    if (item === 'a') throw new Error('a is broken');
    done.push(item);
  };
  await expect(runInParallel(['a', 'b', 'c'], 2, never, work)).rejects.toThrow('a is broken');
  expect(done.toSorted()).toEqual(['b', 'c']);
});

test('groups items that take turns, and no others', () => {
  const turns: Record<string, string> = { a: 'first', b: 'second' };
  expect(groupByTurn(['c1', 'a1', 'b1', 'a2', 'c2', 'b2'], ([first = '']) => turns[first])).toEqual([
    ['c1'],
    ['a1', 'a2'],
    ['b1', 'b2'],
    ['c2'],
  ]);
});
