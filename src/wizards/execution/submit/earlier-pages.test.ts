import { describe, expect, test } from 'vitest';
import { testForms, wizardFormField } from '../test-support.ts';

const forms = testForms();
const granted = '<h1>Result</h1><dl><dt>Grant</dt><dd>500</dd></dl>';
const button = { text: 'Next', selector: 'role=button[name="Next"]' };
const send = { text: 'Send', selector: 'role=button[name="Send"]' };

/** Two form pages in one document; the values of both are sent at the end. */
const steps = (script: string, second = '<label>City <input name="city"></label>') => `<h1>Form</h1>
  <form id="f"><div id="one"><label>Age <input name="age"></label><label>Job <input name="job"></label>
  <fieldset><legend>Flat</legend><label><input type="radio" name="flat" value="yes"> Yes</label>
  <label><input type="radio" name="flat" value="no"> No</label></fieldset>
  <button type="button" id="next">Next</button></div><div id="two" hidden>${second}<button>Send</button></div></form>
  <main id="m"></main><script>
  const all = () => Object.fromEntries(new FormData(f));
  const post = async (body) => { m.innerHTML = await (await fetch('/r', { method: 'POST', body: JSON.stringify(body) })).text(); };
  next.onclick = () => { one.hidden = true; two.hidden = false; };
  ${script}</script>`;

const textField = (id: string, label: string, more: object = {}) =>
  wizardFormField(id, { label, selector: `role=textbox[name="${label}"]`, ...more });
const flat = wizardFormField('flat', {
  field_type: 'radio',
  interaction: 'click',
  example_value: 'yes',
  selector: 'role=radio[name="Yes"]',
  options: [
    { value: 'yes', label: 'Yes', selector: 'role=radio[name="Yes"]' },
    { value: 'no', label: 'No', selector: 'role=radio[name="No"]' },
  ],
});
const first = [textField('age', 'Age'), textField('job', 'Job'), flat];
const data = { age: '40', job: 'Baker', flat: 'yes', city: 'Salem' };

const run = (
  page: string,
  later: object[] = [textField('city', 'City')],
  given: Record<string, unknown> = data,
  others: Record<string, string> = {},
) =>
  forms.run(
    {
      site: (path) => others[path] ?? (path === '/r' ? granted : path === '/draft' ? 'ok' : page),
      fields: [],
      wizard: {
        total_pages: 2,
        pages: [
          { page_number: 1, page_title: 'Form', fields: first, continue_button: button },
          { page_number: 2, page_title: 'Form', fields: later, continue_button: send },
        ],
        results: { grant: { label: 'Grant' } },
      },
    },
    given,
  );
const onSend = (body: string) => steps(`f.onsubmit = (e) => { e.preventDefault(); ${body} };`);

describe('a value of an earlier page', () => {
  test.each([
    ['a number', `post({ ...all(), age: '4' })`, 'age'],
    ['words', `post({ ...all(), job: 'None' })`, 'job'],
    ['a choice', `post({ ...all(), flat: 'no' })`, 'flat'],
    ['nothing at all', `post({ ...all(), age: '' })`, 'age'],
    ['a number, beside nothing else of that page', `post({ city: f.city.value, age: '4' })`, 'age'],
    [
      'a number, as if it had been sent',
      `post({ ...all(), age: '4' }).catch(() => { m.innerHTML = '${granted}'; })`,
      'age',
    ],
  ])('is not submitted later with a change: %s', async (_what, body, field_id) => {
    const { failure, requests } = await run(onSend(body));
    expect(failure).toMatchObject({ details: { technical_details: 'VALUE_CHANGED_BY_PAGE', field_id } });
    expect(requests).not.toContain('/r');
  });

  test('is no success if a generated form carries another value', async () => {
    const { failure } = await run(
      steps(`f.method = 'post'; f.action = '/r'; f.onformdata = ({ formData }) => formData.set('age', '4');`),
    );
    expect(failure).toMatchObject({ details: { technical_details: 'VALUE_CHANGED_BY_PAGE', field_id: 'age' } });
  });

  test('is compared if the last page has no questions', async () => {
    const review = (body: string) =>
      steps(`f.onsubmit = (e) => { e.preventDefault(); ${body} };`, '<h2>Check your answers</h2>');
    const { city: _, ...given } = data;
    const other = await run(review(`post({ ...all(), age: '4' })`), [], given);
    expect(other.failure).toMatchObject({ details: { field_id: 'age' } });
    expect(other.requests).not.toContain('/r');
    expect((await run(review('post(all())'), [], given)).done).toMatchObject({ status: 'success', warnings: [] });
  });

  test('is compared if a notice is between the pages', async () => {
    const notice = (age: string) =>
      steps(`next.onclick = () => { one.hidden = true; location.hash = 'notice';
        m.innerHTML = '<h1>Before you continue</h1><button id="on">Next</button>';
        on.onclick = () => { m.innerHTML = ''; two.hidden = false; }; };
        f.onsubmit = (e) => { e.preventDefault(); post({ ...all(), age: ${age} }); };`);
    const other = await run(notice(`'4'`));
    expect(other.failure).toMatchObject({ details: { field_id: 'age' } });
    expect(other.requests).not.toContain('/r');
    expect((await run(notice('f.age.value'))).done).toMatchObject({ status: 'success' });
  });

  test('that was blocked is reported before the next page is submitted', async () => {
    const page =
      steps(`next.onclick = () => setTimeout(() => fetch('/draft', { method: 'POST', body: '{"age":"4","job":"x"}' })
      .catch(() => { one.hidden = true; two.hidden = false; }), 300);
      f.onsubmit = (e) => { e.preventDefault(); post(all()); };`);
    const { failure, requests } = await run(page);
    expect(failure).toMatchObject({ details: { technical_details: 'VALUE_CHANGED_BY_PAGE' } });
    expect(requests).toEqual(['/']);
  });

  const draft = `fetch('/draft', { method: 'POST', body: JSON.stringify(all()) })`;
  test('that was sent is compared after an unrelated frame loads', async () => {
    const page = steps(`next.addEventListener('click', () => ${draft});
      f.city.oninput = () => { m.innerHTML = '<iframe src="/map"></iframe>'; };
      f.onsubmit = (e) => { e.preventDefault(); post({ ...all(), age: '4' }); };`);
    const { failure, requests } = await run(page, undefined, data, { '/map': '<p>Map</p>' });
    expect(requests).toContain('/map');
    expect(failure).toMatchObject({ details: { technical_details: 'VALUE_CHANGED_BY_PAGE', field_id: 'age' } });
  });

  const second = `<h1>Form</h1><form id="f"><label>City <input name="city"></label><button>Send</button></form><main id="m"></main>
    <script>f.onsubmit = async (e) => { e.preventDefault(); const body = JSON.stringify({ city: f.city.value, age: '41', flat: 'no' });
    m.innerHTML = await (await fetch('/r', { method: 'POST', body })).text(); };</script>`;
  test('that was sent before a new document is not compared again', async () => {
    const page = steps(`next.onclick = async () => { await ${draft}; location = '/two'; };`);
    const { done } = await run(page, undefined, data, { '/two': second });
    expect(done).toMatchObject({ status: 'success', results: { grant: '500' } });
  });

  test('that was sent in a frame before a new document is not compared again', async () => {
    const inner = (selector: string) => `iframe[id="i"] >> internal:control=enter-frame >> ${selector}`;
    const page = (n: number, fields: object[], name: string) => ({
      page_number: n,
      page_title: 'Form',
      fields,
      continue_button: { text: name, selector: inner(`role=button[name="${name}"]`) },
    });
    const one = steps(`next.onclick = async () => { await ${draft}; location = '/two'; };`);
    const pages: Record<string, string> = { '/one': one, '/two': second, '/r': granted, '/draft': 'ok' };
    const asked = (id: string, name: string) =>
      wizardFormField(id, { selector: inner(`role=textbox[name="${name}"]`) });
    const { done } = await forms.run(
      {
        site: (path) => pages[path] ?? '<h1>Around</h1><iframe id="i" src="/one" width="600" height="400"></iframe>',
        fields: [],
        wizard: {
          total_pages: 2,
          pages: [
            page(1, [asked('age', 'Age'), asked('job', 'Job')], 'Next'),
            page(2, [asked('city', 'City')], 'Send'),
          ],
          results: { grant: { label: 'Grant' } },
        },
      },
      { age: '40', job: 'Baker', city: 'Salem' },
    );
    expect(done).toMatchObject({ status: 'success', results: { grant: '500' } });
  });

  const twice = (value: string) =>
    `<label>Age of your child <input name="age" value="${value}"></label><label>City <input name="city"></label>`;
  test.each([
    ['as it was given', onSend('post(all())')],
    ['in other notation', onSend(`post({ ...all(), age: 40, job: 'BAKER ' })`)],
    ['by a code', onSend(`post({ ...all(), flat: 'F1' })`)],
    [
      'beside a question of the same name that the page asks anew',
      steps(`f.onsubmit = (e) => { e.preventDefault(); post({ ...all(), age: f.age[1].value }); };`, twice('7')),
    ],
    [
      'in words of the site, which has been given its own',
      steps(`next.addEventListener('click', () => fetch('/draft', { method: 'POST', body: JSON.stringify(all()) }));
        f.onsubmit = (e) => { e.preventDefault(); post({ ...all(), job: 'Bakers and pastry cooks' }); };`),
    ],
    [
      'with what this page was given under the same name',
      steps(
        `f.onsubmit = (e) => { e.preventDefault(); post({ age: f.querySelector('#two input').value, town: 'x' }); };`,
        '<label>City <input></label>',
      ),
    ],
  ])('is submitted %s', async (_how, page) => {
    expect((await run(page)).done).toMatchObject({ status: 'success', results: { grant: '500' } });
  });
});
