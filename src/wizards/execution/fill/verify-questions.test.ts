import { describe, expect, test } from 'vitest';
import { testForms, wizardFormField } from '../test-support.ts';

const forms = testForms();
const results = { results: { grant: { label: 'Grant' } } };
const granted = '<h1>Result</h1><dl><dt>Grant</dt><dd>500</dd></dl>';

/** A form of one page that is submitted to a results page. */
const asking = (inside: string) => (path: string) =>
  path === '/r' ? granted : `<h1>Form</h1><form action="/r">${inside}<button>Send</button></form>`;
const wasSent = ({ requests }: { requests: string[] }) => requests.some((path) => path.startsWith('/r'));

const alone = {
  ...wizardFormField('alone', {
    label: 'Live alone?',
    field_type: 'radio',
    interaction: 'click',
    example_value: 'yes',
  }),
  selector: 'role=radio[name="Yes"]',
  options: [
    { value: 'yes', label: 'Yes', selector: 'role=radio[name="Yes"]', locators: ['#y'] },
    { value: 'no', label: 'No', selector: 'role=radio[name="No"]', locators: ['#n'] },
  ],
};
const answers =
  '<label><input type="radio" name="q" value="yes" id="y"> Yes</label><label><input type="radio" name="q" value="no" id="n"> No</label>';

describe('an answer whose label has not changed', () => {
  test.each([
    ['in a legend', (question: string) => `<fieldset><legend>${question}</legend>${answers}</fieldset>`],
    ['in plain words before it', (question: string) => `<div><p>${question}</p>${answers}</div>`],
  ])('is not given to another question, %s', async (_where, page) => {
    const fields = [{ ...alone, surroundings: { question: 'Do you live alone?' } }];
    const site = (question: string) => ({ site: asking(page(question)), fields, wizard: results });
    const other = await forms.run(site('Do you live with others?'), { alone: 'yes' });
    expect(other.failure).toMatchObject({ code: 'selector_not_found', details: { field_id: 'alone' } });
    expect(other.failure?.message).toContain('"Do you live with others?"');
    expect(wasSent(other)).toBe(false);
    const same = await forms.run(site('Do you live alone? *'), { alone: 'yes' });
    expect(same.done).toMatchObject({ status: 'success', warnings: [] });
    expect(same.requests).toContain('/r?q=yes');
  });

  test('is given if only the remaining count has changed, not if another number has', async () => {
    const fields = [{ ...alone, surroundings: { question: 'Office (5 open)' } }];
    const site = (question: string) => asking(`<fieldset><legend>${question}</legend>${answers}</fieldset>`);
    const run = (question: string) => forms.run({ site: site(question), fields, wizard: results }, { alone: 'no' });
    expect((await run('Office (7 open)')).requests).toContain('/r?q=no');
    expect((await run('Office 2 (5 open)')).failure?.message).toContain('"Office 2 (5 open)"');
  });

  test('is not given to the question of another field if the file has no questions', async () => {
    const pets = wizardFormField('pets', { label: 'Keep pets?', required: false });
    const site = asking(`<fieldset><legend>Keep pets?</legend>${answers}</fieldset>`);
    const run = await forms.run({ site, fields: [alone, pets], wizard: results }, { alone: 'yes' });
    expect(run.failure).toMatchObject({ code: 'selector_not_found', details: { field_id: 'alone' } });
    expect(wasSent(run)).toBe(false);
  });
});

describe('an amount in another unit', () => {
  const fields = [wizardFormField('pay', { surroundings: { name: 'Pay', hint: 'Each month' } })];
  const page = (hint: string) =>
    asking(`<label>Pay <input id="pay" name="p" aria-describedby="h"></label><p id="h">${hint}</p>`);

  test('is not filled in if only the hint names the unit', async () => {
    const { failure, requests } = await forms.run({ site: page('Each year'), fields, wizard: results }, { pay: '90' });
    expect(failure).toMatchObject({ code: 'selector_not_found', details: { field_id: 'pay' } });
    expect(failure?.message).toContain('"Each year"');
    expect(wasSent({ requests })).toBe(false);
  });
});

test('distinguishes different questions without headings', async () => {
  const pets = wizardFormField('pets', { required: false, surroundings: { question: 'Pets?', heading: 'Animals' } });
  const fields = [{ ...alone, surroundings: { question: 'Live alone?', heading: 'Home' } }, pets];
  const site = asking(`<h2>Your home</h2><fieldset><legend>Live alone?</legend>${answers}</fieldset>`);
  expect((await forms.run({ site, fields, wizard: results }, { alone: 'yes' })).requests).toContain('/r?q=yes');
});

describe('a field with the name of another field', () => {
  const income = (id: string, heading: string) =>
    wizardFormField(id, { label: id, surroundings: { name: 'Income', heading } });
  const fields = [income('parent', 'Parent'), income('student', 'Student')];
  const page = (first: string, second: string) =>
    asking(
      `<h2>${first}</h2><label>Income <input id="parent" name="a"></label><h2>${second}</h2><label>Income <input id="student" name="b"></label>`,
    );

  test('is distinguished by its heading', async () => {
    const data = { parent: '90', student: '5' };
    const same = await forms.run({ site: page('Parent', 'Student'), fields, wizard: results }, data);
    expect(same.requests).toContain('/r?a=90&b=5');
    const swapped = await forms.run({ site: page('Student', 'Parent'), fields, wizard: results }, data);
    expect(swapped.failure).toMatchObject({ code: 'selector_not_found', details: { field_id: 'parent' } });
    expect(wasSent(swapped)).toBe(false);
  });

  test('accepts a changed heading if the name is unique', async () => {
    const [parent = {}] = fields;
    const site = asking('<h2>Parents</h2><label>Income <input id="parent" name="a"></label>');
    const run = await forms.run({ site, fields: [parent], wizard: results }, { parent: '90' });
    expect(run.requests).toContain('/r?a=90');
  });
});

describe('a field under a heading', () => {
  const job = wizardFormField('job', { surroundings: { name: 'Job', heading: 'About you' } });
  const page = (over: string) => asking(`${over}<label>Job <input id="job" name="j"></label>`);
  const run = (over: string, heading = 'About you') => {
    const one = { ...job, surroundings: { name: 'Job', heading } };
    return forms.run({ site: page(over), fields: [one], wizard: results }, { job: 'Baker' });
  };

  test.each([
    ['<h2>About your spouse</h2>', 'About you'],
    ['<h2>About you</h2><p>Nothing</p><h2>About your spouse</h2>', 'About you'],
    ['<h2>Spouse income</h2>', 'Income'],
  ])('is not filled in under another heading: %s', async (over, heading) => {
    const other = await run(over, heading);
    expect(other.failure).toMatchObject({
      code: 'selector_not_found',
      details: { field_id: 'job', technical_details: 'ELEMENT_CHANGED' },
    });
    expect(other.failure?.message).toMatch(/is now under the heading ".*pouse.*"/);
    expect(wasSent(other)).toBe(false);
  });

  test.each([
    ['<h2>2. About you</h2>', 'About you'],
    ['<h2>About you</h2><h3>Work</h3>', 'About you'],
    ['<h2>Child 2 of 3</h2>', 'Child 1 of 3'],
    ['<h2>Your home</h2>', 'Home'],
    ['<aside><h2>Closed on Friday</h2></aside>', 'Open all week'],
    ['<section><h2>News of May</h2></section>', 'News of April'],
  ])('is filled in under the same heading: %s', async (over, heading) => {
    expect((await run(over, heading)).done).toMatchObject({ status: 'success', warnings: [] });
  });

  test('is filled in with a warning if an earlier answer may have changed the heading', async () => {
    const site = page(`<fieldset><legend>Live alone?</legend>${answers}</fieldset><h2>About your spouse</h2>`);
    const asked = (given: string) =>
      forms.run({ site, fields: [alone, job], wizard: results }, { alone: given, job: 'Baker' });
    expect((await asked('no')).done).toMatchObject({ warnings: [expect.stringContaining('"About your spouse"')] });
    expect((await asked('yes')).failure).toMatchObject({ details: { field_id: 'job' } });
  });

  const text = (id: string) => `<label>${id} <input id="${id}" name="${id}"></label>`;
  test.each<[string, object, Record<string, unknown>, boolean]>([
    [
      'told, after another number',
      wizardFormField('age', { field_type: 'number', example_value: '40' }),
      { age: '12' },
      true,
    ],
    [
      'refused, after the same number',
      wizardFormField('age', { field_type: 'number', example_value: '1200' }),
      { age: '1,200' },
      false,
    ],
    [
      'told, after another date',
      wizardFormField('born', { format: 'date', example_value: '1980-05-15' }),
      { born: '2014-05-15' },
      true,
    ],
    [
      'refused, after the same date',
      wizardFormField('born', { format: 'date', example_value: '05/15/1980' }),
      { born: '1980-05-15' },
      false,
    ],
    ['told, after a choice that was left out', { ...alone, required: false }, {}, true],
    ['refused, after another name', wizardFormField('name', { example_value: 'Ann' }), { name: 'Bea' }, false],
  ])('that is now under another heading is %s', async (_what, before, given, isReported) => {
    const asked = `${text('age')}${text('born')}${text('name')}<fieldset><legend>Live alone?</legend>${answers}</fieldset>`;
    const form = { site: page(`${asked}<h2>About your child</h2>`), fields: [before, job], wizard: results };
    const { done, failure } = await forms.run(form, { ...given, job: 'Baker' });
    if (isReported) expect(done?.warnings).toContainEqual(expect.stringContaining('"About your child"'));
    else expect(failure).toMatchObject({ details: { field_id: 'job' } });
  });
});

test('identifies a field by its table row or the words before it', async () => {
  const row = (who: string, id: string) =>
    `<tr><td>${who}</td><td><input id="${id}" name="${id}" aria-label="Pay"></td></tr>`;
  const pay = (id: string, who: string) => wizardFormField(id, { surroundings: { name: 'Pay', row: who } });
  const table = (first: string, second: string) => ({
    site: asking(`<table>${row(first, 'p')}${row(second, 'q')}</table>`),
    fields: [pay('p', 'Adam'), pay('q', 'Bea')],
    wizard: results,
  });
  expect((await forms.run(table('Adam', 'Bea'), { p: '1', q: '2' })).requests).toContain('/r?p=1&q=2');
  expect((await forms.run(table('Bea', 'Adam'), { p: '1', q: '2' })).failure?.message).toContain('belongs to "Bea"');
  const words = asking('<p>Rent <input id="w" name="w"></p>');
  const fields = [wizardFormField('w', { label: 'What you earn', surroundings: { name: 'Wage' } })];
  expect((await forms.run({ site: words, fields, wizard: results }, { w: '1' })).failure?.message).toContain('"Rent"');
});

test('checks the question of a date with a select part', async () => {
  const part = (id: string, field_type: string) => ({
    ...wizardFormField(id),
    label: id,
    field_type,
    selector: `#${id}`,
  });
  const date = wizardFormField('day_of', {
    label: 'Arrival',
    field_type: 'group',
    sub_fields: [part('month', 'select'), part('day', 'text'), part('year', 'text')],
    surroundings: { question: 'Date of arrival' },
  });
  const page = (question: string) =>
    asking(`<fieldset><legend>${question}</legend><select id="month" name="m"><option value="5">May</option></select>
      <input id="day" name="d"><input id="year" name="y"></fieldset>`);
  const run = (question: string) =>
    forms.run({ site: page(question), fields: [date], wizard: results }, { day_of: '2007-05-15' });
  expect((await run('Date of arrival')).requests).toContain('/r?m=5&d=15&y=2007');
  expect((await run('Date of marriage')).failure).toMatchObject({ details: { field_id: 'day_of' } });
});

describe('a hint', () => {
  const day = (surroundings: object) => wizardFormField('day', { selector: 'role=textbox[name="Day"]', surroundings });

  test('with another date order stops the run', async () => {
    const site = asking('<label>Day <input id="day" name="day" placeholder="DD/MM/YYYY"></label>');
    const fields = [day({ placeholder: 'MM/DD/YYYY' })];
    const run = await forms.run({ site, fields, wizard: results }, { day: '05/04/2007' });
    expect(run.failure).toMatchObject({ code: 'selector_not_found', details: { field_id: 'day' } });
    expect(wasSent(run)).toBe(false);
  });

  const amount = (hint: object) => wizardFormField('pay', { label: 'Income', selector: '#pay', surroundings: hint });
  const paying = async (inside: string, hint: object) =>
    forms.run({ site: asking(inside), fields: [amount(hint)], wizard: results }, { pay: '60000' });
  const behind = (words: string) =>
    `<p><label for="pay">Income</label> <input id="pay" name="p"> <span>${words}</span></p>`;
  const between = (words: string) =>
    `<div><label for="pay">Income</label><div>${words}</div><input id="pay" name="p"></div>`;
  const within = (words: string) => `<label>Income <input id="pay" name="p" placeholder="${words}"></label>`;
  test.each([
    ['after its field', behind('per month'), { hint: 'per year' }],
    ['before its field', between('In thousands of dollars'), { hint: 'In dollars' }],
    ['in its field', within('per month'), { placeholder: 'per year' }],
  ])('with another unit %s stops the run, linked to the field or not', async (_where, inside, hint) => {
    const run = await paying(inside, hint);
    expect(run.failure).toMatchObject({ details: { field_id: 'pay', technical_details: 'ELEMENT_CHANGED' } });
    expect(wasSent(run)).toBe(false);
  });

  test.each([
    ['the same', behind('per year'), { hint: 'per year' }],
    ['something that the page has worked out', behind('per year = $5,000 per month'), { hint: 'per year' }],
    ['no unit', between('Looks good'), { hint: 'In dollars' }],
  ])('beside a field that says %s causes no warning', async (_what, inside, hint) => {
    expect((await paying(inside, hint)).done).toMatchObject({ status: 'success', warnings: [] });
  });

  test('with another change causes a warning', async () => {
    const site = asking(
      '<label for="day">Day</label><input id="day" name="day" aria-describedby="h"><i id="h">In your passport</i>',
    );
    const run = await forms.run({ site, fields: [day({ hint: 'On your card' })], wizard: results }, { day: '5' });
    expect(run.done?.warnings).toEqual([expect.stringContaining('"In your passport"')]);
  });
});

test('warns about a required question that the file does not have', async () => {
  const more = (label: string) =>
    `<label for="s">${label}</label><select id="s" name="s" required><option>Single<option>Married</select>`;
  const age = wizardFormField('age', {
    label: 'Your age',
    selector: 'role=textbox[name="Age"]',
    locators: ['[name="age"]'],
  });
  const optional = wizardFormField('status', {
    label: 'Status',
    selector: 'role=combobox[name="Status"]',
    required: false,
  });
  const run = (label: string) => {
    const site = asking(`<label>Age <input name="age" required></label>${more(label)}`);
    return forms.run({ site, fields: [age, optional], wizard: results }, { age: '40' });
  };
  expect((await run('Filing status')).done?.warnings).toEqual([expect.stringContaining('"Filing status: Single"')]);
  expect((await run('Status')).done?.warnings).toEqual([]);
});

describe('an answer that the page preselects', () => {
  const age = wizardFormField('age');
  const share = wizardFormField('share', {
    label: 'Share my data',
    field_type: 'checkbox',
    interaction: 'click',
    required: false,
  });
  const ageInput = '<label>age <input id="age" name="age"></label>';
  const box = (label: string, more = 'checked') => `<label><input type="checkbox" name="b" ${more}> ${label}</label>`;
  const payout = `<fieldset><legend>Pay out</legend><label><input type="radio" name="pay" checked> Lump sum</label>
    <label><input type="radio" name="pay"> Monthly</label></fieldset>`;
  const run = (inside: string, data: object = {}, fields: object[] = [age, { ...share, example_value: false }]) =>
    forms.run({ site: asking(ageInput + inside), fields, wizard: results }, { age: '4', ...data });

  test.each([
    ['a box that the file knows', box('Share my data', 'id="share" checked'), '"Share my data"'],
    ['a box that it does not', box('I allow you to sell my data'), '"I allow you to sell my data"'],
    ['a new choice', payout, '"Pay out: Lump sum"'],
    ['a new list', '<label>Bank <select name="bank"><option>Ours</option></select></label>', '"Bank: Ours"'],
  ])('causes a warning if user data does not mention it: %s', async (_what, inside, reported) => {
    const { done } = await run(inside);
    expect(done?.warnings).toEqual([expect.stringMatching(/preselected answers/)]);
    expect(done?.warnings.join()).toContain(reported);
  });

  test.each([
    ['where somebody has', box('Share my data', 'id="share" checked'), { share: true }],
    ['where it is off', box('I allow you to sell my data', ''), {}],
    ['where nobody can change it', box('Necessary cookies', 'checked disabled'), {}],
    ['where it is no part of a form', '<select name="lang" form="top"><option>English</option></select>', {}],
  ])('causes no warning %s', async (_where, inside, data) => {
    const { done } = await run(inside, data);
    expect(done).toMatchObject({ status: 'success', warnings: [] });
  });

  test('causes no warning if it was preselected at the discovery', async () => {
    const options = ['Lump sum', 'Monthly'].map((label) => ({ value: label, label }));
    const pay = wizardFormField('pay', {
      label: 'Pay out',
      field_type: 'radio',
      interaction: 'click',
      required: false,
      options,
    });
    const chosen = (example_value: string) => run(payout, {}, [age, { ...pay, example_value }]);
    expect((await chosen('Lump sum')).done).toMatchObject({ warnings: [] });
    expect((await chosen('Monthly')).done?.warnings).toEqual([expect.stringContaining('"Pay out: Lump sum"')]);
  });
});
