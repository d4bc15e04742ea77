import { expect, test } from 'vitest';
import { readAllFiles } from '../../../../test/support/wizards/wizards.ts';
import { wizardSchema } from '../../files/wizard-schema.ts';
import type { WizardAnswer } from '../../validation/answers.ts';
import { testForms, wizardFormField } from '../test-support.ts';
import { createRunRedactor } from './run-redactor.ts';

const { run, folder } = testForms();

const wizard = (fields: object[]) =>
  wizardSchema.parse({
    wizard_id: 'form',
    name: 'Form',
    url: 'https://example.org',
    discovered_at: '2026-01-01T00:00:00Z',
    discovery_version: '1.0.0',
    total_pages: 1,
    pages: [{ page_number: 1, page_title: 'Form', fields, continue_button: { text: 'Send', selector: '#send' } }],
  });
const text = (said: string): WizardAnswer => ({ kind: 'text', text: said });

test('redacts a private value in every notation', () => {
  const fields = [
    wizardFormField('full_name'),
    wizardFormField('monthly_income', { field_type: 'number' }),
    wizardFormField('date_of_birth', { field_type: 'date' }),
    wizardFormField('phone'),
    wizardFormField('pin'),
    wizardFormField('town', { private: false }),
  ];
  const answers = new Map<string, WizardAnswer>([
    ['full_name', text('Zebulon Quack')],
    ['monthly_income', text('7316')],
    ['date_of_birth', { kind: 'date', date: { year: 1987, month: 5, day: 4 } }],
    ['phone', text('(555) 010-4711')],
    ['pin', text('42')],
    ['town', text('Springfield')],
  ]);
  const { pageText, text: reported } = createRunRedactor(wizard(fields), answers, { monthly_income: '$7.3k' });
  const forms = [
    'Zebulon Quack',
    'ZEBULON',
    'Mr Quack',
    'zebulon+quack',
    encodeURIComponent('Zebulon Quack'),
    Buffer.from('Zebulon Quack').toString('base64'),
    '7316',
    '$7,316.00',
    '7 316',
    '$7.3k',
    '1987-05-04',
    '5/4/1987',
    '04.05.1987',
    'May 4, 1987',
    '4 May',
    '5550104711',
    '555-010-4711',
  ];
  for (const form of forms) {
    expect(reported(`It is "${form}", says the site.`), form).toMatch(/^It is ".*\[private\].*", says the site\.$/);
    expect(reported(`It is "${form}", says the site.`).toLowerCase()).not.toContain(form.toLowerCase());
  }
  expect(pageText('42 is too short.')).toBe('[private] is too short.');
  expect(reported('page 42')).toBe('page 42');
  expect(pageText('It must be between 4 and 42.')).toBe('It must be between 4 and 42.');
  expect(pageText('You may live in Springfield, at 17316 Elm, on 142 acres.')).toBe(
    'You may live in Springfield, at 17316 Elm, on 142 acres.',
  );
});

test('redacts signed amounts, halves of double names, short dates and e-mail names', () => {
  const fields = [
    wizardFormField('full_name'),
    wizardFormField('income'),
    wizardFormField('email'),
    wizardFormField('birth_date', { field_type: 'date' }),
  ];
  const data = { full_name: 'Jane Doe-Smith', income: '$85,250', email: 'zeb.quack@mail.example', birth_date: '' };
  const answers = new Map<string, WizardAnswer>([
    ['full_name', text(data.full_name)],
    ['income', text(data.income)],
    ['email', text(data.email)],
    ['birth_date', { kind: 'date', date: { year: 1987, month: 3, day: 9 } }],
  ]);
  const { text: reported, pattern } = createRunRedactor(wizard(fields), answers, data);
  const forms = [
    '85,250.00',
    '85250',
    '85.250',
    'Smith',
    'Doe',
    'janedoe-smith',
    'JANEDOESMITH',
    'ZEB.QUACK',
    '09-Mar-87',
  ];
  for (const form of forms) {
    expect(reported(`It says "${form}" there.`), form).toMatch(/^It says "\[private\](?:\.\[private\])?" there\.$/);
    expect(form, form).toMatch(new RegExp(pattern, 'iu'));
  }
  for (const word of ['does', 'a smithy’s mail', '185,250', 'example'])
    expect(reported(`It says ${word} there.`)).toBe(`It says ${word} there.`);
  expect('It does so by mail').not.toMatch(new RegExp(pattern, 'iu'));
});

test('redacts the last digits of a number and regrouped numbers', () => {
  const fields = [
    wizardFormField('ssn'),
    wizardFormField('phone'),
    wizardFormField('income', { field_type: 'number' }),
  ];
  const answers = new Map<string, WizardAnswer>([
    ['ssn', text('123456789')],
    ['phone', text('(312) 555-0188')],
    ['income', text('45678')],
  ]);
  const { text: reported, pattern } = createRunRedactor(wizard(fields), answers, {});
  const forms = [
    '123-45-6789',
    'SSN ending in 6789',
    'XXX-XX-6789',
    '***-**-6789',
    '•••• 6789',
    'ssn 6789',
    'Last four digits: 6789',
    'the phone that ends with 0188',
  ];
  for (const form of forms) {
    expect(reported(`It says ${form}.`), form).toMatch(/\[private\]\.$/);
    expect(reported(`It says ${form}.`)).not.toMatch(/6789|0188/);
    expect(form).toMatch(new RegExp(pattern, 'iu'));
  }
  for (const form of ['Form 6789', 'ending in 5678', '$6,789', 'card 16789'])
    expect(reported(`It says ${form}.`)).toBe(`It says ${form}.`);
});

test('redacts the year of a date given as text', () => {
  const answers = new Map<string, WizardAnswer>([['born', text('03/07/1985')]]);
  const { text: reported } = createRunRedactor(wizard([wizardFormField('born')]), answers, {});
  expect(reported('You were born in 1985, not in 1986.')).toBe('You were born in [private], not in 1986.');
  expect(reported('Born 03/07/1985 (March 7, 1985)')).toBe('Born [private] ([private])');
});

const secrets = {
  full_name: 'Zebulon Quack',
  monthly_income: '73164905',
  remarks: 'Xyzzy plugh',
  birth_date: '1987-05-04',
  gender: 'nonbinary',
  hobby: 'falconry',
  people: [{ first_name: 'Wilhelma', relation: 'aunt' }],
};
/** Numbers with more digits than a time, a port or a duration. */
const revealing = /zebulon|quack|73[,. ]?164[,. ]?905|xyzzy|plugh|1987-05-04|nonbinary|wilhelma|05\/04/i;

/** A form that repeats all values, plain and encoded: in its address, title, headings, dialogs and errors. */
function echo(way: 'alert' | 'fields' | 'dialog' | 'page') {
  const radios = ['female', 'nonbinary'].map(
    (id) => `<label><input type="radio" name="gender" id="g-${id}" value="${id}"> ${id}</label>`,
  );
  const inputs = ['full_name', 'monthly_income', 'birth_date', 'remarks', 'hobby'].map(
    (id) => `<p><label for="${id}">${id}</label><input id="${id}" name="${id}"></p>`,
  );
  const rows = `<table id="list"><tr><th>first_name</th><th>relation</th></tr></table><button type="button" id="add">Add</button>
    <div id="row" hidden><label>first_name <input id="first_name"></label><label>relation <input id="relation"></label>
    <button type="button" id="keep">Save</button></div>`;
  const script = `<script>
    add.onclick = () => { row.hidden = false; add.hidden = true; };
    keep.onclick = () => {
      list.innerHTML += '<tr><td>' + first_name.value + '</td><td>' + relation.value + '</td></tr>';
      row.hidden = true; add.hidden = false; first_name.value = relation.value = '';
    };
    ${way === 'dialog' ? "document.forms[0].onsubmit = () => { alert([...new FormData(document.forms[0]).values()].join(' is wrong, ')); return false; };" : ''}
  </script>`;
  const form = `<form action="/Zebulon/73,164,905">${inputs.join('')}<fieldset><legend>gender</legend>${radios.join('')}</fieldset>${rows}<button>Send</button></form>${script}`;
  return (_: string, sent: URLSearchParams) => {
    if (sent.size === 0) return form;
    const said = [...sent].map(([key, value]) => `${key} ${value} (${btoa(value)}) is wrong, Wilhelma`).join('; ');
    if (way === 'alert') return `<h1>Sorry</h1><div role="alert">${said}</div>`;
    if (way === 'page') return `<title>${said}</title><h1>Dear Zebulon Quack, born 05/04/1987</h1>`;
    const wrong = [...sent].map(
      ([key, value]) =>
        `<p><label for="${key}">${key}</label><input id="${key}" aria-invalid="true" aria-describedby="e-${key}"><span id="e-${key}">${value} is no ${key}</span></p>`,
    );
    return `<h1>Sorry</h1><form>${wrong.join('')}</form>`;
  };
}

const fields = [
  wizardFormField('full_name'),
  wizardFormField('monthly_income', { field_type: 'number', example_value: '1' }),
  wizardFormField('birth_date', { field_type: 'text', format: 'text' }),
  wizardFormField('remarks', { private: true }),
  wizardFormField('hobby'),
  wizardFormField('gender', {
    field_type: 'radio',
    interaction: 'click',
    selector: '#g-female',
    options: ['female', 'nonbinary'].map((id) => ({ value: id, label: id, selector: `#g-${id}` })),
  }),
  wizardFormField('people', {
    field_type: 'group',
    repeatable: true,
    selector: '#list',
    add_button_selector: '#add',
    example_value: [],
    sub_fields: [wizardFormField('first_name'), wizardFormField('relation')],
  }),
];

test.each(['alert', 'fields', 'dialog', 'page'] as const)(
  'keeps private values out of errors, records and traces if the site repeats them (%s)',
  async (way) => {
    const site = echo(way);
    const { failure } = await run({ site, fields, wizard: { results: { grant: { label: 'Grant' } } } }, secrets);
    expect(failure?.code).toMatch(way === 'page' ? /navigation_failed/ : /validation_error/);
    const { screenshot, run_id: _, trace_file, ...details } = failure?.details ?? {};
    expect(screenshot).toMatch(/^\/9j\//);
    expect(trace_file).toMatch(/^wizards\/runs\/form\/.*\.trace\.zip$/);
    const reported = JSON.stringify([failure?.message, details]);
    expect(reported).not.toMatch(revealing);
    expect(reported).not.toContain(Buffer.from('Zebulon Quack').toString('base64').slice(0, 12));
    // The message may quote a value that is not private, so that the user knows what to correct.
    if (way === 'fields') expect(reported).toContain('falconry is no hobby');
    for (const [path, content] of await readAllFiles(folder()))
      expect(content.match(revealing)?.[0], path).toBeUndefined();
  },
);

test('reports an unreachable site without screenshot and without user data', async () => {
  const down = { url: 'http://127.0.0.1:1/' };
  const { failure } = await run({ site: () => '', fields, wizard: down }, secrets);
  expect(failure?.details).toMatchObject({ screenshot: null, page_number: 1, recommendation: expect.any(String) });
  expect(JSON.stringify([failure?.message, failure?.details])).not.toMatch(revealing);
});
