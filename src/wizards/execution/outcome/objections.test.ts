import { describe, expect, test } from 'vitest';
import { testForms, wizardFormField } from '../test-support.ts';
import { isWaiting } from './objections.ts';

const forms = testForms();
const fields = [wizardFormField('age', { selector: 'role=textbox[name="Age"]' })];
const named = { results: { grant: { label: 'Grant' } } };
const granted = '<h1>Result</h1><dl><dt>Grant</dt><dd>500</dd></dl>';
const form = (age = '', above = '') =>
  `<h1>Form</h1><form>${above}<label>Age <input name="age" value="${age}"></label><button>Send</button></form>`;
const red = (words: string) => `<p style="color: #c00">${words}</p>`;

/** A form that is shown again with the submitted values and with more text below. */
const again = (above: string, below: (isSent: boolean) => string) => (_path: string, sent: URLSearchParams) => {
  const isSent = sent.has('age');
  return form(sent.get('age') ?? '', isSent ? above : '') + below(isSent);
};
const grant = (isSent: boolean) => `<dl><dt>Grant</dt><dd>${isSent ? 120 : 100}</dd></dl>`;

describe('a form that comes back with its values', () => {
  test.each(['Are you sure about your age?', 'We serve people under 35.', 'Ihr Alter passt nicht.'])(
    'is a rejection if red text is among its fields: %s',
    async (words) => {
      for (const wizard of [named, {}]) {
        const { done, failure } = await forms.run({ site: again(red(words), grant), fields, wizard }, { age: '40' });
        expect(done).toBeUndefined();
        expect(failure?.message).toContain(words);
      }
    },
  );

  test('is accepted with a red result or red text below', async () => {
    const below = (isSent: boolean) =>
      `<dl><dt>Grant</dt><dd>${isSent ? red('minus 120') : ''}</dd></dl>${isSent ? red('That is below the average.') : ''}`;
    const { done } = await forms.run({ site: again('', below), fields, wizard: named }, { age: '40' });
    expect(done).toMatchObject({ results: { grant: 'minus 120' } });
  });

  test('is no result if only the shown time differs', async () => {
    const clock = (isSent: boolean) => `<p>Time: ${isSent ? '12:01' : '12:00'}</p>`;
    const { done, failure } = await forms.run({ site: again('', clock), fields }, { age: '40' });
    expect(done).toBeUndefined();
    expect(failure?.message).toContain('the form again');
  });
});

describe('a page that says that it is still working', () => {
  test.each([
    ['in words', '<p id="wait">Calculating …</p>'],
    ['to assistive technology', '<div id="wait" aria-busy="true">&nbsp;</div>'],
  ])('is waited for: %s', async (_how, waiting) => {
    const later = `<script>setTimeout(() => { document.querySelector('dd').textContent = '7777'; wait.remove(); }, 1500);</script>`;
    const result = `<h1>Result</h1><dl><dt>Grant</dt><dd>100</dd></dl>${waiting}${later}`;
    const site = (path: string) => (path === '/r' ? result : form().replace('<form>', '<form action="/r">'));
    const { done } = await forms.run({ site, fields, wizard: named }, { age: '40' });
    expect(done).toMatchObject({ results: { grant: '7777' } });
  });
});

describe.concurrent('a page that shows progress is waited for longer than a silent page', () => {
  const later = `setTimeout(() => { document.querySelector('main').innerHTML = ${JSON.stringify(granted)}; }, 4500)`;
  const turning = '<style>@keyframes turn { to { rotate: 1turn } } .spinner { animation: turn 1s infinite }</style>';
  test.each([
    ['by a drawing that turns', `${turning}<main><i class="spinner"></i>Crunching</main><script>${later}</script>`],
    ['by a bar', `<main><progress></progress></main><script>${later}</script>`],
    ['by words', `<main>We are preparing your results</main><script>${later}</script>`],
    ['by going on by itself', '<meta http-equiv="refresh" content="4; url=/done"><h1>Soon</h1>'],
  ])('that shows progress %s', async (_how, waiting) => {
    const site = (path: string) =>
      path === '/r' ? waiting : path === '/done' ? granted : form().replace('<form>', '<form action="/r">');
    const { done } = await forms.run({ site, fields, wizard: named }, { age: '40' });
    expect(done).toMatchObject({ results: { grant: '500' } });
  });

  test('and a disabled button gets time to check the input', async () => {
    const look = `<script>document.forms[0].oninput = () => { setTimeout(() => { go.disabled = false; }, 2500); }</script>`;
    const page = form().replace('<form>', '<form action="/r">').replace('<button>', '<button id="go" disabled>') + look;
    const site = (path: string) => (path === '/r' ? granted : page);
    const { done } = await forms.run({ site, fields, wizard: named }, { age: '40' });
    expect(done).toMatchObject({ results: { grant: '500' } });
  });
});

test('distinguishes progress messages from processing times', () => {
  const signals = (...lines: string[]) => ({
    ...{
      titles: [],
      asksPassword: false,
      documents: '',
      buttons: [],
      hasFields: false,
      hasQuestions: false,
      redTexts: [],
    },
    ...{ lines, busy: [], isRedirecting: false },
  });
  const waits = ['Calculating …', 'Please wait', 'Loading 45 %', 'Processing your answers'];
  const rests = ['Processing time: 4 to 6 weeks', 'Processing fee', 'Loading dock: 3', 'Working hours', 'Done'];
  expect([...waits, ...rests].filter((line) => isWaiting(signals(line), signals()))).toEqual(waits);
  expect(waits.filter((line) => isWaiting(signals(line), signals(line)))).toEqual([]);
});

describe('a page that looks like results', () => {
  const run = (result: string, wizard: object) => {
    const site = (path: string) => (path === '/r' ? result : form().replace('<form>', '<form action="/r">'));
    return forms.run({ site, fields, wizard }, { age: '40' });
  };
  const status = '<h1>Application status</h1>';

  test.each([
    ['beside values', `${granted}<p>Your application has not been submitted.</p>`, named],
    ['as a status', `${granted}<dl><dt>Status</dt><dd>Not submitted</dd></dl>`, named],
    ['under its heading', `${status}<p>We could not verify your identity.</p>`, 'Application status'],
    ['as a refusal, under its heading', `${status}<p>Your application was rejected.</p>`, 'Application status'],
  ])('is no success if it states a failure: %s', async (_where, result, known) => {
    const wizard = typeof known === 'string' ? { results_page: { heading: known } } : known;
    const { done, failure } = await run(result, wizard);
    expect(done).toBeUndefined();
    expect(failure).toMatchObject({ code: 'navigation_failed', message: expect.stringMatching(/with "\w/) });
  });

  test('may repeat texts from the discovery', async () => {
    const said = [
      'Results 1 for problem debt advice',
      'Your order 7 was not sent yet: it leaves tomorrow.',
      'Call us before Monday.',
      'Not binding.',
    ];
    const again = `<h1>Results 2 for problem debt advice</h1><p>Your order 12 was not sent yet: it leaves tomorrow.</p>
      <div role="alert">Call us before Monday.</div><dl><dt>Grant</dt><dd>500</dd></dl>
      ${form('40').replace('<form>', `<form>${red('Not binding.')}`)}`;
    const known = await run(again, { ...named, results_page: { said } });
    expect(known.done).toMatchObject({ results: { grant: '500' }, warnings: [] });
    for (const line of said) {
      const { done } = await run(again, { ...named, results_page: { said: said.filter((one) => one !== line) } });
      expect(done).toBeUndefined();
    }
  });

  test('may have good news in an alert box and red text beside its own form', async () => {
    const mail = `<form action="/mail">${red('Not binding.')}<label>Mail it to <input name="to"></label><button>Mail</button></form>`;
    const { done } = await run(`${granted}<div role="alert">Your answers have been saved.</div>${mail}`, named);
    expect(done).toMatchObject({ results: { grant: '500' } });
  });
});

describe('a dialog before the results', () => {
  const run = (words: string) => {
    const result = `${granted}<script>alert(${JSON.stringify(words)})</script>`;
    const site = (path: string) => (path === '/r' ? result : form().replace('<form>', '<form action="/r">'));
    return forms.run({ site, fields, wizard: named }, { age: '40' });
  };

  test('with an error is no success', async () => {
    const { failure } = await run('Your age was not accepted, 30 is used instead');
    expect(failure?.details).toMatchObject({
      status: 'validation_error',
      validation_errors: [{ message: expect.stringContaining('not accepted') }],
    });
  });

  test('with another message causes a warning', async () => {
    expect((await run('Welcome back')).done).toMatchObject({
      results: { grant: '500' },
      warnings: [expect.stringContaining('"Welcome back"')],
    });
  });
});

test('does not confuse a value that has taken the position of another', async () => {
  const result =
    '<h1>Result</h1><dl><dt>Loan</dt><dd id="a">7</dd><dt>Grant</dt><dd id="b">9</dd><dt>Total</dt><dd id="c">$16 a year</dd></dl>';
  const site = (path: string) => (path === '/r' ? result : form().replace('<form>', '<form action="/r">'));
  const wizard = {
    results: {
      grant: { label: 'Grant', locator: '#a' },
      total: { label: 'Total', locator: '#c', type: 'money' },
      fee: { label: 'The fee, in our own words', locator: '#b' },
    },
  };
  const { done } = await forms.run({ site, fields, wizard }, { age: '40' });
  expect(done).toMatchObject({ results: { total: '16', fee: '9' }, warnings: [expect.stringContaining('grant')] });
  expect(done?.results).not.toHaveProperty('grant');
});

describe('a list of errors above the form', () => {
  const list = `<div role="alert"><h4>Your form has 1 error</h4><ul><li><a href="#age">Age must be under 30</a></li></ul></div>`;
  const run = async (beside: string) => {
    const described = form('40', beside).replace('<input ', '<input id="age" aria-describedby="e" ');
    const site = (_path: string, sent: URLSearchParams) => (sent.has('age') ? list + described : form());
    const { failure } = await forms.run({ site, fields, wizard: named }, { age: '40' });
    return failure?.details['validation_errors'];
  };

  test('is not repeated beside the errors of the fields', async () => {
    const reported = [{ field: 'age', message: 'Enter an age under 30', provided_value: '40' }];
    expect(await run('<b id="e" role="alert">Enter an age under 30</b>')).toEqual(reported);
  });

  test('is reported without its heading if the fields have no errors', async () => {
    expect(await run('')).toEqual([{ field: 'age', message: 'Age must be under 30', provided_value: '40' }]);
  });
});
