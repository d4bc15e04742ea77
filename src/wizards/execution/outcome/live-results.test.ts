import { describe, expect, test } from 'vitest';
import { type TestResponse, testForms, wizardFormField } from '../test-support.ts';

const { run } = testForms();
const fields = [wizardFormField('amount', { selector: 'role=textbox[name="Amount"]' })];
const results = { payment: { label: 'Monthly payment', type: 'money' } };
const button = { text: 'Calculate', selector: 'role=button[name="Calculate"]' };

describe('a page that computes while values are typed', () => {
  const live = (script: string) => `<h1>Loan</h1><form id="f" onsubmit="return false" novalidate>
    <label>Amount <input id="a"></label><button>Calculate</button></form>
    <dl><dt>Monthly payment</dt><dd id="o">$5</dd></dl><p id="e"></p><script>
    const show = () => { o.textContent = '$' + Number(a.value) / 10; };
    const sending = (act) => f.addEventListener('submit', act);
    ${script}</script>`;
  const running = (script: string) =>
    run({ site: () => live(script), fields, button, wizard: { results } }, { amount: '700' });

  // A button without anything left to do looks like a button that silently refuses.
  test.concurrent.each([
    ['its button does nothing', 'a.oninput = show;'],
    ['nothing at all has changed', ''],
    [
      'the button says that something is wrong',
      `a.oninput = show; sending(() => { e.innerHTML = '<b role="alert">Enter a term.</b>'; });`,
    ],
    ['the button sends something', `a.oninput = show; sending(() => { fetch('/apply', { method: 'POST' }); });`],
    ['what was typed has led to nothing', `a.oninput = () => { o.textContent = '$0'; };`],
    ['what was typed has taken it away', `a.oninput = () => { o.textContent = ''; };`],
  ])('has no results if %s', async (_why, script) => {
    const { done, failure } = await running(script);
    expect(done).toBeUndefined();
    expect(failure?.code).toMatch(/^(?:navigation_failed|validation_error)$/);
  });

  test('shows only an estimate until its button has computed the result', async () => {
    const computes = `setTimeout(() => { o.textContent = '$72'; }, 1_500);`;
    const { done } = await running(`a.oninput = show; sending(() => { ${computes} });`);
    expect(done).toMatchObject({ results: { payment: '72' }, warnings: [] });
  });
});

describe('a request from before the page is filled in', () => {
  const form = '<label>Amount <input id="a"></label><button>Calculate</button>';
  const page = (inside: string, script: string) => `<h1>Loan</h1><form id="f">${inside}</form><main id="m"></main>
    <script>const show = (text) => { m.innerHTML = '<dl><dt>Monthly payment</dt><dd>' + text + '</dd></dl>'; };
    ${script}</script>`;
  const later = (answer: PromiseWithResolvers<TestResponse>) => setTimeout(answer.resolve, 700, '$70');
  const asking = (site: (path: string) => TestResponse | Promise<TestResponse>) =>
    run({ site, fields, button, wizard: { results } }, { amount: '700' });

  test('is waited for if the results depend on it', async () => {
    const rates = Promise.withResolvers<TestResponse>();
    // The run does not wait for images.
    const script = `const rates = fetch('/rates'); f.onsubmit = () => { show('$5'); new Image().src = '/clicked';
      rates.then(() => show('$70')); return false; };`;
    const { done } = await asking((path) => {
      if (path === '/clicked') later(rates);
      return path === '/rates' ? rates.promise : path === '/' ? page(form, script) : '';
    });
    expect(done).toMatchObject({ results: { payment: '70' } });
  });

  test('is waited for again on the next page', async () => {
    const rates = [Promise.withResolvers<TestResponse>(), Promise.withResolvers<TestResponse>()];
    const asks = `fetch('/rates').then(() => show('$70'));`;
    const { done } = await asking((path) => {
      if (path === '/r') return page('', `show('$5'); ${asks}`);
      if (path !== '/rates') return page(form, `f.action = '/r'; ${asks}`);
      const [answer, next] = rates.splice(0, 1).concat(rates);
      if (answer && !next) later(answer);
      return answer?.promise ?? '';
    });
    expect(done).toMatchObject({ results: { payment: '70' } });
  });

  test('that hangs does not shorten the wait for changing values', async () => {
    const news = Promise.withResolvers<TestResponse>();
    const script = `fetch('/news'); setTimeout(() => { f.innerHTML = '${form}'; }, 5_200);
      f.onsubmit = () => { show('$5'); setTimeout(show, 700, '$70'); return false; };`;
    const { done } = await asking((path) => (path === '/news' ? news.promise : page('', script)));
    news.resolve('');
    expect(done).toMatchObject({ results: { payment: '70' } });
  });
});

test('does not wait for long polling', async () => {
  const waiting = Promise.withResolvers<TestResponse>();
  const poll = `<script>fetch('/news')</script>`;
  const form = '<h1>Loan</h1><form action="/r"><label>Amount <input name="a"></label><button>Calculate</button></form>';
  const shown = '<h1>Done</h1><dl><dt>Monthly payment</dt><dd>$70</dd></dl>';
  const site = (path: string) => (path === '/news' ? waiting.promise : `${path === '/r' ? shown : form}${poll}`);
  // Without named results, only a settled page shows that the results are complete.
  const wizard = { results_page: { heading: 'Done' } };
  const { done } = await run({ site, fields, button, wizard }, { amount: '700' }, { timeout_seconds: 30 });
  waiting.resolve('');
  expect(done).toMatchObject({ status: 'success' });
});
