import { describe, expect, test } from 'vitest';
import { testForms, wizardFormField } from '../test-support.ts';

const { run, check } = testForms();

const input = (id: string, more = '') =>
  `<p><label for="${id}">${id}</label><input id="${id}" name="${id}" ${more}></p>`;
const list = (id: string, ...options: string[]) =>
  `<p><label for="${id}">${id}</label><select id="${id}" name="${id}">${options.join('')}</select></p>`;
const option = (label: string, value = label) => `<option value="${value}">${label}</option>`;
const form = (content: string, button = '<button>Send</button>') => `<h1>Form</h1><form>${content}${button}</form>`;
const done = '<h1>Done</h1><dl><dt>Grant</dt><dd>$42</dd></dl>';
const wizard = { results: { grant: { label: 'Grant', type: 'money' } } };
/** Serves the form, and the results after a submission. */
const answering = (page: string) => (_: string, sent: URLSearchParams) => (sent.size > 0 ? done : page);
const choice = (id: string, more: object = {}) =>
  wizardFormField(id, { field_type: 'select', interaction: 'select', ...more });

describe('an option that is found by its label', () => {
  const options = [
    { value: '1', label: 'Single' },
    { value: '2', label: 'Married' },
  ];
  const fields = [choice('m', { example_value: '2', options })];
  const swapped = answering(form(list('m', option('-', ''), option('MARRIED', '1'), option('Single', '2'))));

  test('has changed its value, and the healing is reported with an edit', async () => {
    const { done: execution, requests } = await run({ site: swapped, fields, wizard }, { m: 'Married' });
    expect(requests.at(-1)).toBe('/?m=1');
    expect(execution?.healed).toMatchObject([
      {
        field_id: 'm',
        from: '2',
        to: 'MARRIED',
        edit: [
          { op: 'test', path: '/pages/0/fields/0/options/1/value', value: '2' },
          { op: 'replace', path: '/pages/0/fields/0/options/1/value', value: 'MARRIED' },
          { op: 'replace', path: '/pages/0/fields/0/example_value', value: 'MARRIED' },
        ],
      },
    ]);
  });

  test('is missing, and nothing is submitted', async () => {
    const site = answering(form(list('m', option('Single', '1'), option('Widowed', '2'))));
    const { failure, requests } = await run({ site, fields, wizard }, { m: 'Married' });
    expect(failure).toMatchObject({ code: 'selector_not_found', details: { technical_details: 'OPTION_CHANGED' } });
    expect(requests).toEqual(['/']);
  });

  test('is renamed, and a check reports it', async () => {
    const { drifted, fields: reported } = await check({ site: swapped, fields, wizard });
    expect(drifted).toBe(true);
    expect(reported[0]).toMatchObject({
      state: 'changed_options',
      detail: 'renamed: 1 was Single and is now MARRIED, 2 was Married and is now Single',
    });
  });

  test('is a radio button with a known id', async () => {
    const radio = (id: string, label: string) =>
      `<label><input type="radio" name="m" id="m${id}" value="${id}"> ${label}</label>`;
    const site = answering(
      form(`<fieldset><legend>m</legend>${radio('1', 'Married')}${radio('2', 'Single')}</fieldset>`),
    );
    const known = options.map((one) => ({ ...one, selector: `#m${one.value}` }));
    const m = wizardFormField('m', { field_type: 'radio', interaction: 'click', selector: '#m1', options: known });
    const { failure, requests } = await run({ site, fields: [m], wizard }, { m: 'Married' });
    expect(failure?.details['technical_details']).toBe('ELEMENT_CHANGED');
    expect(requests).toEqual(['/']);
  });
});

describe('a value that the page changes before the click', () => {
  const fields = [wizardFormField('a'), choice('b')];
  const content = form(input('a') + list('b', option('x'), option('y')));
  const onPress = (change: string, more = '') =>
    answering(
      `${content}<script>addEventListener('pointerdown', () => { ${change} }, { capture: true ${more} })</script>`,
    );

  test('is set again and submitted as given', async () => {
    const site = onPress("a.value = 'WRONG'; b.innerHTML = '<option>x<option>y'", ', once: true');
    const { done: execution, requests } = await run({ site, fields, wizard }, { a: 'right', b: 'y' });
    expect(execution?.status).toBe('success');
    expect(requests).toEqual(['/', '/?a=right&b=y']);
  });

  test('is not submitted if the page keeps changing it', async () => {
    const { failure, requests } = await run(
      { site: onPress("a.value = 'WRONG'"), fields, wizard },
      { a: 'right', b: 'y' },
    );
    expect(failure).toMatchObject({
      code: 'selector_not_found',
      message: expect.stringContaining('not keep its value'),
      details: { technical_details: 'VALUE_NOT_KEPT', page_number: 1 },
    });
    expect(requests).toEqual(['/']);
  });

  test('counts as unchanged if only the format differs', async () => {
    const { requests } = await run({ site: onPress("a.value = '$85,250'"), fields, wizard }, { a: '85250', b: 'y' });
    expect(requests.at(-1)).toBe('/?a=%2485%2C250&b=y');
  });

  test('is noticed in a hidden field that a choice fills', async () => {
    const page = form(`<p><label for="t">t</label><input id="t" role="combobox" aria-controls="lb" autocomplete="off">
      <input type="hidden" name="id" id="id"></p>
      <ul id="lb" role="listbox" hidden><li role="option">Springfield</li></ul><script>
        t.oninput = () => { lb.hidden = false; };
        lb.onclick = () => { t.value = 'Springfield'; id.value = '4711'; lb.hidden = true; };
        t.onblur = () => addEventListener('pointerdown', () => { id.value = ''; }, true);
      </script>`);
    const t = wizardFormField('t', { field_type: 'typeahead', interaction: 'fill_enter' });
    const { failure, requests } = await run({ site: answering(page), fields: [t], wizard }, { t: 'Springfield' });
    expect(failure?.details['technical_details']).toBe('VALUE_NOT_KEPT');
    expect(requests).toEqual(['/']);
  });
});

test('stops before submitting if a later answer disables a filled field', async () => {
  const page = form(input('a') + list('b', option('x'), option('y')));
  const site = answering(`${page}<script>b.onchange = () => { a.disabled = true; }</script>`);
  const { failure, requests } = await run(
    { site, fields: [wizardFormField('a'), choice('b')], wizard },
    { a: 'kept', b: 'y' },
  );
  expect(failure).toMatchObject({ message: expect.stringContaining('disabled it since'), details: { field_id: 'a' } });
  expect(requests).toEqual(['/']);
});

test('waits for a list that another answer fills', async () => {
  const page = `${form(list('a', option('x'), option('y')) + list('b', option('--')))}
    <script>
      a.onchange = async () => { await fetch('/list'); setTimeout(() => { b.innerHTML = '<option>one<option>two'; }, 300); };
    </script>`;
  const fields = [choice('a'), choice('b')];
  const { failure, requests } = await run({ site: answering(page), fields, wizard }, { a: 'y', b: 'two' });
  expect(failure).toBeUndefined();
  expect(requests).toEqual(['/', '/list', '/?a=y&b=two']);
});

test('looks up a choice on the page that was not seen at the discovery', async () => {
  const page = `${form(list('region', option('North'), option('South')) + list('town', option('Nash')))}
    <script>region.onchange = () => { town.innerHTML = region.value === 'South' ? '<option>Sage<option>Stone' : '<option>Nash'; };</script>`;
  const known = (...labels: string[]) => ({ options: labels.map((label) => ({ value: label, label })) });
  const fields = [choice('region', known('North', 'South')), choice('town', known('Nash'))];
  const { failure, requests } = await run(
    { site: answering(page), fields, wizard },
    { region: 'South', town: 'Stone' },
  );
  expect(failure).toBeUndefined();
  expect(requests.at(-1)).toBe('/?region=South&town=Stone');
  const none = await run({ site: answering(page), fields, wizard }, { region: 'North', town: 'Stone' });
  expect(none.failure?.details['technical_details']).toBe('NO_SUCH_OPTION');
  expect(none.requests).toEqual(['/']);
});

test('enters and verifies a password, and clears fields with an empty value', async () => {
  const page = form(input('password', 'type="password"') + input('b', 'value="OLD"') + input('c', 'value="own"'));
  const fields = [
    wizardFormField('password'),
    wizardFormField('b', { required: false }),
    wizardFormField('c', { required: false }),
  ];
  const data = { password: 'S3cret!', b: '' };
  const { done: execution, requests } = await run({ site: answering(page), fields, wizard }, data);
  expect(requests.at(-1)).toBe('/?password=S3cret%21&b=&c=own');
  expect(execution?.warnings).toEqual([expect.stringContaining('b: the page had filled it in')]);
  const late = `${page}<script>password.onchange = () => { password.value = 'other'; }</script>`;
  const { failure } = await run({ site: answering(late), fields, wizard }, data);
  expect(failure?.details['technical_details']).toBe('VALUE_NOT_KEPT');
});

test('chooses none of two equal suggestions', async () => {
  const page = form(`<p><label for="t">t</label><input id="t" role="combobox" aria-controls="lb" autocomplete="off"></p>
    <ul id="lb" role="listbox"><li role="option">Springfield</li><li role="option">Springfield</li></ul>`);
  const t = wizardFormField('t', { field_type: 'typeahead', interaction: 'fill_enter' });
  const { failure } = await run({ site: answering(page), fields: [t], wizard }, { t: 'Springfield' });
  expect(failure).toMatchObject({ message: expect.stringContaining('several options that say what was asked for') });
});

test('does not click the button of another form, and a check reports it', async () => {
  const other = '<form action="/other"><input name="q" aria-label="q"><button id="go">Send</button></form>';
  const site = answering(other + form(input('a')));
  const button = { text: 'Send', selector: '#go' };
  const { failure, requests } = await run({ site, fields: [wizardFormField('a')], button, wizard }, { a: 'x' });
  expect(failure).toMatchObject({
    message: expect.stringContaining('the button of another form'),
    details: { technical_details: 'ELEMENT_CHANGED' },
  });
  expect(requests).toEqual(['/']);
  const { fields } = await check({ site, fields: [wizardFormField('a')], button, wizard });
  expect(fields).toMatchObject([{ state: 'ok' }, { field_id: 'continue_button', state: 'missing' }, {}]);
});

describe('custom controls', () => {
  const called = (id: string, content: string) => `<p><span id="${id}-name">${id}</span>${content}</p>`;
  const hidden = (id: string) => `<input type="hidden" name="${id}" id="${id}-sent">`;
  const items = ['Red', 'Blue'].map((name) => `<li role="option" data-value="${name[0]}">${name}</li>`).join('');
  const page = form(
    [
      called('notes', '<div id="notes" contenteditable role="textbox" aria-labelledby="notes-name">-</div>'),
      called('calls', '<button type="button" id="calls" role="switch" aria-checked="false">x</button>'),
      called('gift', '<div id="gift" role="checkbox" tabindex="0" aria-checked="false">x</div>'),
      called('ink', '<div id="ink" role="combobox" tabindex="0" aria-controls="inks">Choose</div>'),
      `<ul role="listbox" id="inks" hidden>${items}</ul>`,
      called('paper', `<ul id="paper" role="listbox" tabindex="0">${items}</ul>`),
      ...['notes', 'calls', 'gift', 'ink', 'paper'].map(hidden),
    ].join(''),
  );
  const script = `
    const sent = (id) => document.getElementById(id + '-sent');
    notes.oninput = () => { sent('notes').value = notes.innerText; };
    for (const box of [calls, gift])
      box.onclick = () => { box.ariaChecked = String(box.ariaChecked !== 'true'); sent(box.id).value = box.ariaChecked; };
    ink.onclick = () => { inks.hidden = false; };
    inks.onclick = ({ target }) => { ink.textContent = target.textContent; sent('ink').value = target.dataset.value; inks.hidden = true; };
    paper.onclick = ({ target }) => {
      for (const item of paper.children) item.ariaSelected = String(item === target);
      sent('paper').value = target.dataset.value;
    };`;
  const options = ['Red', 'Blue'].map((label) => ({ value: label, label }));
  const box = { field_type: 'checkbox', interaction: 'click', example_value: 'true' };
  const fields = [
    wizardFormField('notes', { field_type: 'textarea' }),
    wizardFormField('calls', box),
    wizardFormField('gift', box),
    choice('ink', { options }),
    choice('paper', { options }),
  ];
  const data = { notes: 'good day', calls: true, gift: true, ink: 'Blue', paper: 'Blue' };

  test('are set, read back and submitted', async () => {
    const site = answering(`${page}<script>${script}</script>`);
    const { failure, requests } = await run({ site, fields, wizard }, data);
    expect(failure).toBeUndefined();
    expect(requests.at(-1)).toBe('/?notes=good+day&calls=true&gift=true&ink=B&paper=B');
  });

  test.each([
    ['calls', "calls.ariaChecked = 'false'"],
    ['paper', "for (const item of paper.children) item.ariaSelected = 'false'"],
  ])('are rejected if %s changes when they lose focus', async (id, change) => {
    const site = answering(`${page}<script>${script} addEventListener('focusout', () => { ${change}; });</script>`);
    const { failure, requests } = await run({ site, fields, wizard }, data);
    expect(failure?.details).toMatchObject({ technical_details: 'VALUE_NOT_KEPT', field_id: id });
    expect(requests).toEqual(['/']);
  });
});

describe('a value that a field reformats on blur', () => {
  const blurred = (id: string, change: string) => `<script>${id}.onblur = () => { ${change} };</script>`;
  const cover = `if (/^\\d/.test(a.value)) { real.value = a.value; a.value = '***-**-' + a.value.slice(-4); }`;
  const digits = `const d = a.value.replace(/\\D/g, '')`;

  test.each([
    [
      'its last digits',
      '987654321',
      `${input('a')}<input type="hidden" name="real" id="real">${blurred('a', cover)}`,
      'a=***-**-4321&real=987654321',
    ],
    [
      'a number with its country',
      '312-555-0188',
      input('a') +
        blurred('a', `${digits}; a.value = '+1 (' + d.slice(-10, -7) + ') ' + d.slice(-7, -4) + '-' + d.slice(-4)`),
      'a=+1 (312) 555-0188',
    ],
    [
      'an amount as other countries write it',
      '60000',
      input('a') +
        blurred('a', "a.value = Number(a.value).toLocaleString('de', { style: 'currency', currency: 'EUR' })"),
      'a=60.000,00\u00a0€',
    ],
    [
      'an amount with its cents',
      '85000',
      `${input('a')}<script>a.oninput = () => { ${digits}; a.value = (d / 100).toLocaleString('en', { minimumFractionDigits: 2 }); };</script>`,
      'a=85,000.00',
    ],
    [
      'what it got by keys',
      '70',
      `${input('a')}<script>let d = ''; a.onkeydown = (e) => { e.preventDefault(); if (/^\\d$/.test(e.key)) d += e.key; a.value = d; }; a.onblur = () => { a.value = d; };</script>`,
      'a=70',
    ],
  ])('is accepted if it is %s', async (_, value, content, sent) => {
    const { failure, requests } = await run(
      { site: answering(form(content)), fields: [wizardFormField('a')], wizard },
      { a: value },
    );
    expect(failure).toBeUndefined();
    expect(decodeURIComponent((requests.at(-1) ?? '').replaceAll('+', ' ').replaceAll('%2B', '+'))).toBe(`/?${sent}`);
  });

  test.each([
    ['40-12 Bell Blvd', "a.value = a.value.replace(/[^A-Za-z0-9 ]/g, '')"],
    ['987654321', "a.value = '***-**-' + a.value.slice(0, 4)"],
    ['3125550188', "a.value = '+1 (312) 555-0189'"],
    ['60000', "a.value = '6.000,00 €'"],
  ])('is rejected if it may differ: %s', async (value, change) => {
    const site = answering(form(input('a') + blurred('a', change)));
    const { failure, requests } = await run({ site, fields: [wizardFormField('a')], wizard }, { a: value });
    expect(failure?.details['technical_details']).toBe('VALUE_NOT_KEPT');
    expect(requests).toEqual(['/']);
  });
});
