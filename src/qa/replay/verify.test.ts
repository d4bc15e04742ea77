import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { testServer } from '../../platform/page/test-support.ts';
import type { Step } from '../scripts/model.ts';
import { usualLimits } from './perform.ts';
import { type PlayOptions, play } from './play.ts';
import { testStages } from './test-support.ts';

const stageOn = testStages();

/** A page that posts something as soon as it is there. The post is answered when somebody says so. */
async function posting(steps: readonly Step[], options: PlayOptions, answer: (response: ServerResponse) => void) {
  const posted: ServerResponse[] = [];
  await using server = await testServer((request, response) => {
    if (request.method === 'POST') return void posted.push(response);
    const script = `<script>fetch('/api', { method: 'POST' }).then(() => document.body.append(' Answered'), () => {})</script>`;
    response.setHeader('content-type', 'text/html').end(`<!doctype html><title>T</title><p>Here</p>${script}`);
  });
  await using stage = await stageOn(server.url);
  const outcomes = await play(stage, [{ do: 'goto', url: '/' }, ...steps], {
    ...options,
    async before(position) {
      if (position !== 1) return;
      await expect.poll(() => posted.length).toBe(1);
      for (const response of posted) answer(response);
    },
  });
  return outcomes.map(({ status, error }) => (error instanceof Error ? error.message : status));
}

const oracle = 'observed' as const;
const noPost: Step = { do: 'expectNoRequest', method: 'POST', path: '/api', oracle };

test('what was sent counts as sent before it is answered, and is not waited for longer than anything else', async () => {
  const limits = { ...usualLimits, expectMs: 200 };
  const outcomes = await posting(
    [noPost, { do: 'expectText', text: 'Here', oracle }],
    { limits, soft: true },
    () => {},
  );
  expect(outcomes).toEqual(['passed', expect.stringContaining('it was sent'), 'passed']);
});

test('what is still on its way is waited for before anybody says that it does not come', async () => {
  const failing = (response: ServerResponse) => setImmediate(() => response.writeHead(500).end());
  const [, errors] = await posting([{ do: 'expectNoErrors', oracle }], {}, failing);
  expect(errors).toContain('POST /api was answered with 500');
  const [, text] = await posting(
    [{ do: 'expectNoText', text: 'Answered', oracle }],
    { limits: { ...usualLimits, expectMs: 500 } },
    (response) => setImmediate(() => response.end()),
  );
  expect(text).toContain('The page does not say');
});
