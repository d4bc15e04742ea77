import { expect, test } from 'vitest';
import { testServer } from '../../../platform/page/test-support.ts';
import type { ScriptStep } from '../../scripts/model/script-steps.ts';
import { createTestSessions } from '../session/test-support.ts';
import { playSteps } from './play-steps.ts';

const openTestPage = createTestSessions();

const scripted = (guard: string) => `<form id="f"><button>Send</button></form><p id="out"></p><script>
  f.onsubmit = async (event) => {
    event.preventDefault();
    ${guard}
    await fetch('/kept', { method: 'POST' });
    f.busy = false;
    out.textContent = 'Kept';
  };</script>`;

const steps: ScriptStep[] = [
  { do: 'goto', url: '/' },
  { do: 'click', on: { name: 'Send', ladder: [{ by: 'role', role: 'button', value: 'Send' }] }, times: 2 },
  { do: 'expectRequest', method: 'POST', path: '/kept', times: 1, oracle: 'observed' },
  { do: 'expectText', text: 'Kept', oracle: 'observed' },
];

test.each([
  ['a form that anybody can send twice', '<form method="post" action="/kept"><button>Send</button></form>', false],
  [
    'a form that disables its button',
    '<form method="post" action="/kept" onsubmit="b.disabled = true"><button id="b">Send</button></form>',
    true,
  ],
  ['a script that sends whatever is clicked', scripted(''), false],
  ['a script that waits for its answer', scripted('if (f.busy) return; f.busy = true;'), true],
])('recognises %s by the requests of a double click', async (_, html, isSentOnce) => {
  await using server = await testServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>T</title>${request.url === '/kept' ? 'Kept' : html}`);
  });
  await using session = await openTestPage(server.url);
  const outcomes = await playSteps(session, steps, { soft: true });
  expect(outcomes.map(({ status }) => status)).toEqual([
    'passed',
    'passed',
    isSentOnce ? 'passed' : 'failed',
    // Nothing is held for good.
    'passed',
  ]);
  expect(session.sent.filter(({ method }) => method === 'POST')).toHaveLength(isSentOnce ? 1 : 2);
});
