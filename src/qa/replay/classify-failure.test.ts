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
    'the site is away',
    outcome({ do: 'goto', url: '/' }, new Error('net::ERR_CONNECTION_REFUSED at /')),
    quiet,
    'infrastructure',
  ],
  [
    'the browser broke off loading',
    outcome({ do: 'reload' }, new Error('page.reload: net::ERR_ABORTED')),
    quiet,
    'infrastructure',
  ],
  ['a secret is gone', outcome(click, new Failure('not_found', 'NO_SECRET', 'no secret')), quiet, 'infrastructure'],
  [
    'the page is gone',
    outcome({ do: 'goto', url: '/' }, new Failure('site_failed', 'PAGE_GONE', '404')),
    quiet,
    'stale script',
  ],
  ['the element is gone, the site is well', outcome(click, missing), quiet, 'stale script'],
  [
    'the element is gone with a server error',
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
  ['the field to look at is gone', outcome(invalid, missing), quiet, 'stale script'],
  [
    'the field to look at is gone, with its page',
    outcome(invalid, missing),
    { ...quiet, isElsewhere: true },
    'product defect',
  ],
  ['the page is turned away', outcome(click, missing), { ...quiet, sent: [page(200), page(429)] }, 'infrastructure'],
  ['the page came too late', outcome(text, expectation), { ...quiet, sent: [page(408)] }, 'infrastructure'],
  [
    'something is turned away, and something else breaks',
    outcome(text, expectation),
    { ...quiet, sent: [page(200), beside(429), beside(500)], failures: ['The site answered POST /save with 500.'] },
    'product defect',
  ],
  [
    'what the page asks for is turned away',
    outcome(text, expectation),
    { ...quiet, sent: [page(200), beside(429)] },
    'infrastructure',
  ],
  [
    'a page before it was turned away',
    outcome(click, missing),
    { ...quiet, sent: [page(429), page(200)] },
    'stale script',
  ],
  [
    'what belongs to somebody else is turned away',
    outcome(click, missing),
    { ...quiet, sent: [page(200), { ...beside(429), path: 'https://ads.example/' }] },
    'stale script',
  ],
  ['the page is refused', outcome(click, missing), { ...quiet, sent: [page(403)] }, 'product defect'],
  ['the page is gone, by a link', outcome(click, missing), { ...quiet, sent: [page(404)] }, 'stale script'],
] as const)('%s', (_, failed, traces, failureClass) => {
  expect(
    classifyFailure(failed, { ...traces, failures: [...traces.failures], sent: [...traces.sent], happenings: [] }),
  ).toMatchObject({
    failureClass,
  });
});

test.each([
  [
    429,
    click,
    missing,
    'The site answered GET / with 429: it turns away too many requests. Replay it later, or fewer at a time.',
  ],
  [
    403,
    click,
    missing,
    'The site answered GET / with 403: it refuses the page. See whether the secrets are still right: PASSWORD.',
  ],
  [
    401,
    text,
    expectation,
    'The site does something else than when the test was written. The site answered GET / with 401: it refuses the page. See whether the secrets are still right: PASSWORD.',
  ],
])('what the site answered is the reason: %i', (status, step, error, reason) => {
  const { reason: told } = classifyFailure(outcome(step, error), {
    ...quiet,
    sent: [page(status)],
    secrets: ['PASSWORD'],
  });
  expect(told).toBe(reason);
});
