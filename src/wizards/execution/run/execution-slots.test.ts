import { expect, test } from 'vitest';
import { createExecutionSlots } from './execution-slots.ts';

const patient = new AbortController().signal;

/** Whether a promise is settled after all pending microtasks. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  void promise.then(() => {
    done = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return done;
}

test('queues only runs of the busy host', async () => {
  const slots = createExecutionSlots({ atOnce: 10, perHost: 1 });
  const hanging = await slots.take('a', patient);
  const waiting = slots.take('a', patient);
  expect(await isDone(slots.take('b', patient))).toBe(true);
  expect(await isDone(waiting)).toBe(false);
  hanging[Symbol.dispose]();
  expect(await isDone(waiting)).toBe(true);
});

test('never runs more executions than slots', async () => {
  const slots = createExecutionSlots({ atOnce: 2, perHost: 2 });
  const first = await slots.take('a', patient);
  await slots.take('b', patient);
  const third = slots.take('c', patient);
  expect(await isDone(third)).toBe(false);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  expect(await isDone(third)).toBe(true);
  expect(await isDone(slots.take('d', patient))).toBe(false);
});

test('removes a cancelled run from the queue', async () => {
  const slots = createExecutionSlots({ atOnce: 1, perHost: 1 });
  const first = await slots.take('a', patient);
  const gone = new AbortController();
  const leaving = slots.take('a', gone.signal);
  const staying = slots.take('a', patient);
  gone.abort(new Error('enough'));
  await expect(leaving).rejects.toThrow('enough');
  first[Symbol.dispose]();
  expect(await isDone(staying)).toBe(true);
});
