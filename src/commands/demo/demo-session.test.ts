import { expect, test } from 'vitest';
import { createDemoSession } from './demo-session.ts';

/** A server that gives one answer to everything. */
const answering = (isError: boolean, data: Record<string, unknown>) =>
  createDemoSession(
    {
      callTool: async () => ({
        content: [{ type: 'text' as const, text: 'what the server says' }],
        structuredContent: data,
        isError,
      }),
      readResource: async () => ({ contents: [] }),
    },
    false,
  );

test('fails the demo when one of its steps fails', async () => {
  const [fine, failing, broken] = [
    answering(false, { a: 1 }),
    answering(true, { b: 2 }),
    answering(true, { errorId: 1 }),
  ];
  expect(await fine.call('x', {})).toEqual({ a: 1 });
  for (const how of ['call', 'callQuietly'] as const)
    await expect(failing[how]('x', {})).rejects.toThrow('x: what the server says');
  expect(await failing.callExpectingError('x', {})).toEqual({ b: 2 });
  await expect(fine.callExpectingError('x', {})).rejects.toThrow('x: what the server says');
  await expect(broken.callExpectingError('x', {})).rejects.toThrow('x: what the server says');
});
