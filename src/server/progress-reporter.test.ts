import type { ServerContext } from '@modelcontextprotocol/server';
import { afterEach, expect, test, vi } from 'vitest';
import { createProgressReporter } from './progress-reporter.ts';

afterEach(() => void vi.useRealTimers());

/** Only what the reporter looks at; the rest of the SDK's context plays no part. */
function caller(progressToken?: string) {
  const sent: unknown[] = [];
  const mcpReq = {
    _meta: progressToken === undefined ? {} : { progressToken },
    notify: async (notification: { params: unknown }) => void sent.push(notification.params),
  };
  return { sent, context: { mcpReq } as unknown as ServerContext };
}

test('sends no progress to a client without a progress token', async () => {
  const { sent, context } = caller();
  const reporter = createProgressReporter(context);
  reporter.report(1, 2);
  await reporter.settled();
  expect(sent).toEqual([]);
});

test('sends the first and the last report, few in between, and none backwards', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { sent, context } = caller('t');
  const reporter = createProgressReporter(context);
  for (let done = 1; done <= 1000; done++) {
    reporter.report(done, 1000, `page ${done}`);
    vi.advanceTimersByTime(1);
  }
  reporter.report(500, 1000);
  await reporter.settled();
  expect(sent.length).toBeLessThanOrEqual(12);
  expect(sent[0]).toEqual({ progressToken: 't', progress: 1, total: 1000, message: 'page 1' });
  expect(sent.at(-1)).toEqual({ progressToken: 't', progress: 1000, total: 1000, message: 'page 1000' });
});

test('keeps the response apart from the last report, but waits for no report that it did not send', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] });
  const isSettled = vi.fn();
  const { sent, context } = caller('t');
  await createProgressReporter(context).settled();
  const reporter = createProgressReporter(context);
  reporter.report(0, 1);
  reporter.report(1, 1);
  const settled = reporter.settled().then(isSettled);
  await vi.advanceTimersByTimeAsync(5);
  expect(sent).toHaveLength(2);
  expect(isSettled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(5);
  await settled;
});

test('completes the call when the client has disconnected', async () => {
  const mcpReq = { _meta: { progressToken: 1 }, notify: () => Promise.reject(new Error('gone')) };
  const reporter = createProgressReporter({ mcpReq } as unknown as ServerContext);
  reporter.report(1);
  await expect(reporter.settled()).resolves.toBeUndefined();
});
