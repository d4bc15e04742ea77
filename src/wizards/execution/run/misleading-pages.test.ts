import { describe, expect, test } from 'vitest';
import { testServer } from '../../../platform/page/test-support.ts';
import { type TestResponse, testForms, wizardFormField } from '../test-support.ts';

const { run, check } = testForms();

const input = (id: string, more = '') =>
  `<p><label for="${id}">${id}</label><input id="${id}" name="${id}" ${more}></p>`;
const form = (content: string, button = '<button>Send</button>', more = '') =>
  `<h1>Form</h1><form ${more}>${content}${button}</form>`;
const done = '<h1>Done</h1><dl><dt>Grant</dt><dd>$42</dd></dl>';
const results = { grant: { label: 'Grant', type: 'money' } };
/** Serves the form, and a given page after a submission. */
const answering = (page: string, then: TestResponse) => (_: string, sent: URLSearchParams) =>
  sent.size > 0 ? then : page;

describe('reports success only', () => {
  test.each<[string, TestResponse]>([
    ['without an error status', { status: 500, body: done }],
    ['without a refusal that is dressed as a page', { status: 403, body: done }],
    ['without a complaint beside the values', `${done}<div role="alert">Please correct the errors below.</div>`],
    [
      'without a complaint at a field',
      `${done}${form(input('a', 'aria-invalid="true" aria-describedby="e"'))}<p id="e">a is wrong</p>`,
    ],
    [
      'with a label that is the same, not one that begins so',
      '<h1>Done</h1><dl><dt>Grant denied, reference</dt><dd>42</dd></dl>',
    ],
    ['with a value that is one', '<h1>Done</h1><dl><dt>Grant</dt><dd>call 1-800-555-0100</dd></dl>'],
    ['with a value that is not said in two ways', `${done}<dl><dt>Grant</dt><dd>$0</dd></dl>`],
  ])('%s', async (_, then) => {
    const site = answering(form(input('a')), then);
    const { failure } = await run({ site, fields: [wizardFormField('a')], wizard: { results } }, { a: 'x' });
    expect(failure?.code).toMatch(/^(navigation_failed|validation_error)$/);
    expect(failure?.details).toMatchObject({ page_number: 1, recommendation: expect.any(String) });
  });

  test.each(['Your session has expired', 'Something went wrong', 'Access denied', 'Sign in'])(
    'without named results, not on a page with the title “%s”',
    async (title) => {
      const then = `<h1>${title}</h1><p>Reference: 4711</p>`;
      const { failure } = await run(
        { site: answering(form(input('a')), then), fields: [wizardFormField('a')] },
        { a: 'x' },
      );
      expect(failure?.code).toBe('navigation_failed');
    },
  );

  const thanks = { results_page: { heading: 'Thank you' } };
  test('on the page with the expected heading if it has no values', async () => {
    const site = answering(form(input('a')), '<h1>Thank you</h1><p>Your order was received.</p>');
    const { done: execution } = await run({ site, fields: [wizardFormField('a')], wizard: thanks }, { a: 'x' });
    expect(execution?.results).toEqual({ confirmation: 'Thank you' });
  });

  test.each<[string, TestResponse, string]>([
    ['is called otherwise', '<h1>Thank you for your patience</h1>', form(input('a'))],
    ['complains', '<h1>Thank you</h1><div role="alert">a is wrong</div>', form(input('a'))],
    ['has an error status', { status: 500, body: '<h1>Thank you</h1>' }, form(input('a'))],
    ['is called as the form is', '<h1>Thank you</h1>', form(input('a')).replace('Form', 'Thank you')],
  ])('and not if that page %s', async (_, then, first) => {
    const site = answering(first, then);
    const { failure } = await run({ site, fields: [wizardFormField('a')], wizard: thanks }, { a: 'x' });
    expect(failure?.code).toMatch(/^(navigation_failed|validation_error)$/);
  });

  test('says that the form may have been submitted when the last page is unknown', async () => {
    const site = (path: string) =>
      path === '/sent' ? '<h1>Thank you</h1>' : form(input('a'), undefined, 'action="/sent"');
    const { failure } = await run({ site, fields: [wizardFormField('a')] }, { a: 'x' });
    expect(failure?.details['recommendation']).toContain('The form may have been submitted');
  });

  test('warns if the wizard names no results', async () => {
    const { done: execution } = await run(
      { site: answering(form(input('a')), done), fields: [wizardFormField('a')] },
      { a: 'x' },
    );
    expect(execution?.results).toEqual({ grant: '42' });
    expect(execution?.warnings.join()).toContain('names no results');
  });

  test('despite a banner on every page or results in an alert box', async () => {
    const banner = '<div role="alert">We are closed on Sundays.</div>';
    const then = `${banner}<div role="alert">${done}</div>`;
    const site = answering(banner + form(input('a')), then);
    const { done: execution, failure } = await run(
      { site, fields: [wizardFormField('a')], wizard: { results } },
      { a: 'x' },
    );
    expect(failure).toBeUndefined();
    expect(execution?.results).toEqual({ grant: '42' });
  });

  test('without text at the error selector of the file', async () => {
    const site = answering(form(input('a')), `${done}<p class="oops">That will not do.</p>`);
    const page = { validation: { error_selector: '.oops' } };
    const { failure } = await run({ site, fields: [wizardFormField('a')], page, wizard: { results } }, { a: 'x' });
    expect(failure).toMatchObject({ code: 'validation_error' });
    expect(failure?.details['validation_errors']).toMatchObject([{ message: 'That will not do.' }]);
  });
});

describe('a button without a role selector', () => {
  const button = { text: 'Send', selector: '#go', selector_type: 'css' };
  const wizard = { results };

  test('is not clicked if its text has changed', async () => {
    const site = answering(form(input('a'), '<button id="go">Delete my account</button>'), done);
    const { failure, requests } = await run({ site, fields: [wizardFormField('a')], button, wizard }, { a: 'x' });
    expect(failure).toMatchObject({
      code: 'selector_not_found',
      message: expect.stringContaining('"Delete my account", which is another element'),
    });
    expect(requests).toEqual(['/']);
  });

  test('is found by its name if another button has its id, and an edit is proposed', async () => {
    const two = '<button id="go" formaction="/wrong">Delete</button><button id="on">Send</button>';
    const site = answering(form(input('a'), two), done);
    const { done: execution, requests } = await run(
      { site, fields: [wizardFormField('a')], button, wizard },
      { a: 'x' },
    );
    expect(requests).toEqual(['/', '/?a=x']);
    expect(execution?.healed).toMatchObject([
      {
        field_id: 'continue_button',
        from: '#go',
        to: 'role=button[name="Send"]',
        edit: [
          { op: 'test', path: '/pages/0/continue_button/selector', value: '#go' },
          { op: 'replace', path: '/pages/0/continue_button/selector', value: 'role=button[name="Send"]' },
        ],
      },
    ]);
  });

  test('may have a symbol beside its name', async () => {
    const site = answering(form(input('a'), '<button id="go">Send ›</button>'), done);
    const { done: execution } = await run({ site, fields: [wizardFormField('a')], button, wizard }, { a: 'x' });
    expect(execution).toMatchObject({ status: 'success', healed: [] });
  });
});

test('enters nothing on another site', async () => {
  await using other = await testServer((request, response) => {
    taken.push(request.url ?? '');
    response.setHeader('content-type', 'text/html');
    response.end(form(input('b')));
  });
  const taken: string[] = [];
  const fields = [wizardFormField('b')];
  const continue_button = { text: 'Send', selector: 'role=button[name="Send"]' };
  const pages = [
    { page_number: 1, page_title: 'One', fields: [wizardFormField('a')], continue_button },
    { page_number: 2, page_title: 'Two', fields, continue_button },
  ];
  const site = () => form(input('a'), '<button>Send</button>', `action="${other.url}/phish"`);
  const wizard = { results, total_pages: 2, pages };
  const { failure } = await run({ site, fields, wizard }, { a: 'x', b: 'secret' });
  expect(failure).toMatchObject({
    code: 'navigation_failed',
    details: { technical_details: 'OTHER_SITE', page_number: 2 },
  });
  expect(taken.join()).not.toContain('secret');
});

test('recognizes an error in a frame', async () => {
  const inFrame = (selector: string) => `iframe[id="inner"] >> internal:control=enter-frame >> ${selector}`;
  const site = (path: string, sent: URLSearchParams): TestResponse => {
    if (sent.size > 0) return { status: 500, body: done };
    return path === '/form' ? form(input('a')) : '<iframe id="inner" src="/form" width="600" height="400"></iframe>';
  };
  const fields = [wizardFormField('a', { selector: inFrame('#a'), locators: [inFrame('role=textbox[name="a"]')] })];
  const button = { text: 'Send', selector: inFrame('role=button[name="Send"]') };
  const { failure } = await run({ site, fields, button, wizard: { results } }, { a: 'x' });
  expect(failure).toMatchObject({ code: 'navigation_failed', message: expect.stringContaining('500') });
});

test.each([
  [
    'a postcode without its zero',
    `<script>a.onchange = () => { a.value = a.value.replace(/^0/, ''); }</script>`,
    '01234',
  ],
  ['another number', `<script>a.onchange = () => { a.value = Math.floor(a.value); }</script>`, '12.5'],
])('does not submit %s, which differs from the given value', async (_, script, value) => {
  const site = answering(form(input('a')) + script, done);
  const { failure, requests } = await run(
    { site, fields: [wizardFormField('a'), wizardFormField('c', { required: false })], wizard: { results } },
    { a: value },
  );
  expect(failure?.code ?? requests.at(-1)).toMatch(/validation_error|selector_not_found/);
});

test('chooses none of two options with the same label', async () => {
  const list =
    '<label for="p">p</label><select id="p" name="p"><option value="1">Plan</option><option value="2">Plan</option></select>';
  const fields = [wizardFormField('p', { field_type: 'select', interaction: 'select' })];
  const { failure, requests } = await run(
    { site: answering(form(list), done), fields, wizard: { results } },
    { p: 'Plan' },
  );
  expect(failure).toMatchObject({ code: 'selector_not_found', message: expect.stringContaining('no such option') });
  expect(requests).toEqual(['/']);
});

test('chooses exactly the given options of a multiple select', async () => {
  const list = `<label for="p">p</label><select id="p" name="p" multiple><option selected>Red</option><option>Green</option>
    <option>Blue</option></select>`;
  const options = ['Red', 'Green', 'Blue'].map((value) => ({ value, label: value }));
  const fields = [wizardFormField('p', { field_type: 'select', interaction: 'select', multiple: true, options })];
  const { done: answer, requests } = await run(
    { site: answering(form(list), done), fields, wizard: { results } },
    { p: ['Blue', 'green'] },
  );
  expect(answer?.status).toBe('success');
  expect(requests.at(-1)).toMatch(/\?p=Green&p=Blue$/);
});

test('reports a selector that matches several fields and fills none', async () => {
  const twins = '<p><label>a <input class="t" name="a"></label></p><p><label>b <input class="t" name="b"></label></p>';
  const { failure, requests } = await run(
    { site: answering(form(twins), done), fields: [wizardFormField('a', { selector: '.t' })], wizard: { results } },
    { a: 'x' },
  );
  expect(failure).toMatchObject({ code: 'selector_not_found', details: { technical_details: 'ELEMENT_AMBIGUOUS' } });
  expect(failure?.message).toContain('leads to several elements');
  expect(requests).toEqual(['/']);
});

test('fills in a form in shadow roots and reads results from one', async () => {
  const shadow = (inner: string) =>
    `<x-form><template shadowrootmode="open"><section><x-inner><template shadowrootmode="open">${inner}</template></x-inner></section></template></x-form>`;
  const choices = `<fieldset><legend>Plan</legend><label><input type="radio" name="plan" id="p1" value="small"> Small</label>
    <label><input type="radio" name="plan" id="p2" value="large"> Large</label></fieldset>`;
  const options = ['small', 'large'].map((value, i) => ({ value, label: value, selector: `#p${i + 1}` }));
  const {
    done: execution,
    failure,
    requests,
  } = await run(
    {
      site: answering(shadow(form(input('a') + choices)), shadow(done)),
      fields: [
        wizardFormField('a', { locators: ['role=textbox[name="a"]'] }),
        wizardFormField('plan', {
          field_type: 'radio',
          interaction: 'click',
          selector: '#p1',
          example_value: 'small',
          options,
        }),
      ],
      wizard: { results },
    },
    { a: 'deep', plan: 'large' },
  );
  expect(failure).toBeUndefined();
  expect(execution?.results).toEqual({ grant: '42' });
  expect(requests.at(-1)).toBe('/?a=deep&plan=large');
});

describe('reports a healed selector', () => {
  const ways = (id: string, role: string) => ({ selector: `#old-${id}`, locators: [`role=${role}[name="${id}"]`] });

  test('of date parts and of each checkbox of a group', async () => {
    const parts = ['month', 'day', 'year'].map((id) =>
      wizardFormField(id, { ...ways(id, 'textbox'), example_value: '05' }),
    );
    const month = wizardFormField('month', { selector: '#month', locators: ['role=textbox[name="month"]'] });
    const options = ['red', 'green'].map((id) => ({ value: id, label: id, ...ways(id, 'checkbox') }));
    const boxes = ['red', 'green'].map((id) => `<label><input type="checkbox" name="${id}"> ${id}</label>`).join('');
    const fields = [
      wizardFormField('begin', {
        field_type: 'group',
        sub_fields: [month, ...parts.slice(1)],
        example_value: '2030-05-15',
      }),
      wizardFormField('colours', {
        field_type: 'checkbox',
        interaction: 'click',
        selector: 'body',
        options,
        example_value: ['red'],
      }),
    ];
    const page = form(['month', 'day', 'year'].map((id) => input(id)).join('') + boxes);
    const site = answering(page, done);
    const {
      done: execution,
      failure,
      requests,
    } = await run({ site, fields, wizard: { results } }, { begin: '2030-05-15', colours: ['green'] });
    expect(failure).toBeUndefined();
    expect(requests.at(-1)).toBe('/?month=05&day=15&year=2030&green=on');
    const reported = execution?.healed.map(({ field_id, to, edit }) => [field_id, to, edit[1]?.path]);
    expect(reported).toEqual([
      ['begin.day', 'role=textbox[name="day"]', '/pages/0/fields/0/sub_fields/1/selector'],
      ['begin.year', 'role=textbox[name="year"]', '/pages/0/fields/0/sub_fields/2/selector'],
      ['colours', 'role=checkbox[name="red"]', '/pages/0/fields/1/options/0/selector'],
      ['colours', 'role=checkbox[name="green"]', '/pages/0/fields/1/options/1/selector'],
    ]);
  });

  test('of a choice without a selector in the file', async () => {
    const radios = ['yes', 'no'].map(
      (id) => `<label><input type="radio" name="q" id="q${id}" value="${id}"> ${id}</label>`,
    );
    const site = answering(form(`<fieldset><legend>q</legend>${radios.join('')}</fieldset>`), done);
    const options = ['yes', 'no'].map((value) => ({ value, label: '' }));
    const q = wizardFormField('q', {
      field_type: 'radio',
      interaction: 'click',
      selector: '#qyes',
      example_value: 'yes',
      options,
    });
    const { done: execution, requests } = await run({ site, fields: [q], wizard: { results } }, { q: 'no' });
    expect(requests.at(-1)).toBe('/?q=no');
    expect(execution?.healed).toMatchObject([
      { field_id: 'q', from: '', edit: [{ op: 'add', path: '/pages/0/fields/0/options/1/selector' }] },
    ]);
  });

  test('of the buttons of a row', async () => {
    const script = `<script>
      add.onclick = () => { row.hidden = false; add.hidden = true; };
      keep.onclick = () => { list.innerHTML += '<tr><td>' + n.value + '</td></tr>'; row.hidden = true; add.hidden = false; n.value = ''; };
    </script>`;
    const page = form(
      `<table id="list"><tr><th>n</th></tr></table><button type="button" id="add">Add one</button>
       <div id="row" hidden>${input('n')}<button type="button" id="keep">Keep it</button></div>`,
    );
    const rows = wizardFormField('rows', {
      field_type: 'group',
      repeatable: true,
      selector: '#list',
      add_button: { text: 'Add one', selector: '#old-add', locators: ['role=button[name="Add one"]'] },
      save_button: { text: 'Keep it', selector: '#old-keep' },
      example_value: [],
      sub_fields: [wizardFormField('n')],
    });
    const { done: execution, failure } = await run(
      { site: answering(page + script, done), fields: [rows], wizard: { results } },
      { rows: [{ n: 'one' }, { n: 'two' }] },
    );
    expect(failure).toBeUndefined();
    expect(execution?.healed.map(({ field_id, edit }) => [field_id, edit[1]?.path])).toEqual([
      ['rows.add_button', '/pages/0/fields/0/add_button/selector'],
      ['rows.save_button', '/pages/0/fields/0/save_button/selector'],
    ]);
  });
});

describe('a check', () => {
  const wizard = { results };
  test('checks the last button without clicking it, and reports the results as not checked', async () => {
    const site = answering(form(input('a'), '<button>Apply now</button>'), done);
    const { drifted, fields, requests } = await check({ site, fields: [wizardFormField('a')], wizard });
    expect(drifted).toBe(true);
    expect(fields).toMatchObject([
      { field_id: 'a', state: 'ok' },
      { field_id: 'continue_button', state: 'missing', label: 'Send' },
      { field_id: 'results.grant', state: 'not_checked' },
    ]);
    expect(requests).toEqual(['/']);
  });

  test('that may submit the last page reports which results exist', async () => {
    const more = { results: { ...results, bonus: { label: 'Bonus' } } };
    const site = answering(form(input('a')), done);
    const { drifted, fields } = await check({ site, fields: [wizardFormField('a')], wizard: more }, true);
    expect(drifted).toBe(true);
    expect(fields.slice(-2)).toMatchObject([
      { field_id: 'results.grant', state: 'ok' },
      { field_id: 'results.bonus', state: 'missing' },
    ]);
  });
});

test('reports missing and invalid fields together', async () => {
  const fields = [wizardFormField('a'), wizardFormField('b', { field_type: 'number' })];
  const { failure, requests } = await run({ site: () => '', fields }, { b: 'many' });
  expect(failure?.details).toMatchObject({
    status: 'missing_data',
    missing_fields: [{ field_id: 'a' }],
    validation_errors: [{ field: 'b', message: 'is not a number', provided_value: 'many' }],
    corrective_action: 'Add to user_data: a. Correct: b is not a number',
    recommendation: expect.any(String),
  });
  expect(requests).toEqual([]);
});
