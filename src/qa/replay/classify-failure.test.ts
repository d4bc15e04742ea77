import { expect, test } from 'vitest';
import { Failure } from '../../platform/errors.ts';
import type { ScriptStep } from '../scripts/model/script-steps.ts';
import { classifyFailure } from './classify-failure.ts';

const click: ScriptStep = { do: 'click', on: { name: 'Save', ladder: [{ by: 'text', value: 'Save' }] }, times: 1 };
const text: ScriptStep = { do: 'expectText', text: 'Saved', oracle: 'observed' };
const invalid: ScriptStep = { do: 'expectInvalid', on: click.on, oracle: 'specified' };
const outcome = (step: ScriptStep, error: unknown) => ({
  step,
  error,
  description: '',
  status: 'failed' as const,
  durationMs: 1,
});
const quiet = { failures: [], sent: [], happenings: [], isElsewhere: false, secrets: [] };
const page = (status: number) => ({ method: 'GET', path: '/', status, opensPage: true });
const beside = (status: number) => ({ ...page(status), path: '/beside', opensPage: false });
const expectation = new Failure('site_failed', 'EXPECTATION', 'Expected: …');
const missing = new Failure('not_found', 'ELEMENT_NOT_FOUND', 'The element was not found.');

test.each([
  [
    'the browser ended',
    outcome(click, new Error('Target page, context or browser has been closed')),
    quiet,
    'infrastructure',
  ],
  [
    'the site is unreachable',
    outcome({ do: 'goto', url: '/' }, new Error('net::ERR_CONNECTION_REFUSED at /')),
    quiet,
    'infrastructure',
  ],
  [
    'the browser aborted loading',
    outcome({ do: 'reload' }, new Error('page.reload: net::ERR_ABORTED')),
    quiet,
    'infrastructure',
  ],
  ['a secret is missing', outcome(click, new Failure('not_found', 'NO_SECRET', 'no secret')), quiet, 'infrastructure'],
  [
    'the page no longer exists',
    outcome({ do: 'goto', url: '/' }, new Failure('site_failed', 'PAGE_GONE', '404')),
    quiet,
    'stale script',
  ],
  ['the element is missing on a working site', outcome(click, missing), quiet, 'stale script'],
  [
    'the element is missing after a server error',
    outcome(click, missing),
    { ...quiet, failures: ['GET / was answered with 500'] },
    'product defect',
  ],
  ['an expectation fails', outcome(text, expectation), quiet, 'product defect'],
  ['the page did not answer', outcome(text, expectation), { ...quiet, sent: [page(0)] }, 'infrastructure'],
  ['a frame did not answer', outcome(text, expectation), { ...quiet, sent: [page(200), beside(0)] }, 'product defect'],
  [
    'a secret would go to another site',
    outcome(click, new Failure('site_failed', 'OTHER_SITE', 'No secret')),
    quiet,
    'product defect',
  ],
  ['the expected field is missing', outcome(invalid, missing), quiet, 'stale script'],
  [
    'the expected field and its page are missing',
    outcome(invalid, missing),
    { ...quiet, isElsewhere: true },
    'product defect',
  ],
  ['the page is rate limited', outcome(click, missing), { ...quiet, sent: [page(200), page(429)] }, 'infrastructure'],
  ['the page timed out', outcome(text, expectation), { ...quiet, sent: [page(408)] }, 'infrastructure'],
  [
    'one request is rate limited and another fails',
    outcome(text, expectation),
    { ...quiet, sent: [page(200), beside(429), beside(500)], failures: ['The site answered POST /save with 500.'] },
    'product defect',
  ],
  [
    'a request of the page is rate limited',
    outcome(text, expectation),
    { ...quiet, sent: [page(200), beside(429)] },
    'infrastructure',
  ],
  [
    'an earlier page was rate limited',
    outcome(click, missing),
    { ...quiet, sent: [page(429), page(200)] },
    'stale script',
  ],
  [
    'a request to another site is rate limited',
    outcome(click, missing),
    { ...quiet, sent: [page(200), { ...beside(429), path: 'https://ads.example/' }] },
    'stale script',
  ],
  ['the page is denied', outcome(click, missing), { ...quiet, sent: [page(403)] }, 'product defect'],
  ['a linked page no longer exists', outcome(click, missing), { ...quiet, sent: [page(404)] }, 'stale script'],
] as const)('%s', (_, failed, traces, failureClass) => {
  expect(
    classifyFailure(failed, { ...traces, failures: [...traces.failures], sent: [...traces.sent], happenings: [] }),
  ).toMatchObject({
    failureClass,
  });
});

test.each([
  [429, click, missing, 'The site answered GET / with 429: too many requests. Replay later, or with fewer workers.'],
  [403, click, missing, 'The site answered GET / with 403: access denied. Check these secrets: PASSWORD.'],
  [
    401,
    text,
    expectation,
    'The site behaves differently than when the test was recorded. The site answered GET / with 401: access denied. Check these secrets: PASSWORD.',
  ],
])('reports the response status as the reason: %i', (status, step, error, reason) => {
  const { reason: reported } = classifyFailure(outcome(step, error), {
    ...quiet,
    sent: [page(status)],
    secrets: ['PASSWORD'],
  });
  expect(reported).toBe(reason);
});
