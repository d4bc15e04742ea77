import { describe, expect, test } from 'vitest';
import { type Answered, field, testForms } from './test-support.ts';

const { run } = testForms();
const fields = [field('amount', { selector: 'role=textbox[name="Amount"]' })];
const results = { payment: { label: 'Monthly payment', type: 'money' } };
const button = { text: 'Calculate', selector: 'role=button[name="Calculate"]' };

describe('a page that computes while somebody types', () => {
  const live = (script: string) => `<h1>Loan</h1><form id="f" onsubmit="return false">
    <label>Amount <input id="a"></label><button>Calculate</button></form>
    <dl><dt>Monthly payment</dt><dd id="o">$5</dd></dl><p id="e"></p><script>
    const show = () => { o.textContent = '$' + Number(a.value) / 10; };
    ${script}</script>`;
  const running = (script: string, wizard: object = {}) =>
    run({ site: () => live(script), fields, button, wizard: { results, ...wizard } }, { amount: '700' });

  test.each([
    ['with the results beside the form', {}],
    ['on a page whose heading is that of the results', { results_page: { heading: 'Loan' } }],
  ])('has shown the results before its button is clicked, %s', async (_where, wizard) => {
    const { done } = await running('a.oninput = show;', wizard);
    expect(done).toMatchObject({
      results: { payment: '70' },
      warnings: [expect.stringContaining('stood there before the button was clicked')],
    });
  });

  test.each([
    ['nothing at all has changed', ''],
    [
      'the button says that something is wrong',
      `a.oninput = show; f.onsubmit = () => { e.innerHTML = '<b role="alert">Enter a term.</b>'; };`,
    ],
    ['the button sends something', `a.oninput = show; f.onsubmit = () => { fetch('/apply', { method: 'POST' }); };`],
    ['what was typed has led to nothing', `a.oninput = () => { o.textContent = '$0'; };`],
    ['what was typed has taken it away', `a.oninput = () => { o.textContent = ''; };`],
  ])('has not, where %s', async (_why, script) => {
    const { done, failure } = await running(script);
    expect(done).toBeUndefined();
    expect(failure?.code).toMatch(/^(?:navigation_failed|validation_error)$/);
  });
});

test('a page that waits for news all the time is not waited for', async () => {
  const waiting = Promise.withResolvers<Answered>();
  const poll = `<script>fetch('/news')</script>`;
  const form = '<h1>Loan</h1><form action="/r"><label>Amount <input name="a"></label><button>Calculate</button></form>';
  const shown = '<h1>Done</h1><dl><dt>Monthly payment</dt><dd>$70</dd></dl>';
  const site = (path: string) => (path === '/news' ? waiting.promise : `${path === '/r' ? shown : form}${poll}`);
  const limit = { timeout_seconds: 8 };
  const named = await run({ site, fields, button, wizard: { results } }, { amount: '700' }, limit);
  const called = { results_page: { heading: 'Done' } };
  const unnamed = await run({ site, fields, button, wizard: called }, { amount: '700' }, limit);
  waiting.resolve('');
  expect(named.done).toMatchObject({ results: { payment: '70' } });
  expect(unnamed.done).toMatchObject({ status: 'success' });
});
