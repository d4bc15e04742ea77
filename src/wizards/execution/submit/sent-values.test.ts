import { describe, expect, test } from 'vitest';
import { testForms, wizardFormField } from '../test-support.ts';

const forms = testForms();
const wizard = { results: { grant: { label: 'Grant' } } };
const granted = '<h1>Result</h1><dl><dt>Grant</dt><dd>500</dd></dl>';
const fields = [
  wizardFormField('age', { selector: 'role=textbox[name="Age"]' }),
  wizardFormField('day', { selector: 'role=textbox[name="Day"]' }),
  {
    ...wizardFormField('flat', { field_type: 'radio', interaction: 'click', example_value: 'yes' }),
    selector: 'role=radio[name="Yes"]',
    options: [
      { value: 'yes', label: 'Yes', selector: 'role=radio[name="Yes"]' },
      { value: 'no', label: 'No', selector: 'role=radio[name="No"]' },
    ],
  },
];
const data = { age: '1,040', day: '05/15/2007', flat: 'yes' };

const page = (method: string, script: string) => `<h1>Form</h1><form id="f" action="/r" method="${method}">
  <label>Age <input name="age"></label><label>Day <input name="day"></label>
  <label><input type="radio" name="flat" value="yes"> Yes</label><label><input type="radio" name="flat" value="no"> No</label>
  <button>Send</button></form><main id="m"></main><script>
  const show = async (answer) => { m.innerHTML = await (await answer).text(); };
  const post = (body) => show(fetch('/r', { method: 'POST', body }));
  ${script}</script>`;
const run = (method: string, script: string) =>
  forms.run({ site: (path) => (path === '/r' ? granted : page(method, script)), fields, wizard }, data);

describe('a value that the page changes on submit', () => {
  test.each([
    ['a text', `f.onsubmit = () => { f.age.value = '99'; };`],
    ['a choice', `f.onsubmit = () => { f.flat.value = 'no'; };`],
    ['some digits of it', `addEventListener('submit', () => { f.age.value = '104'.slice(0, 2); });`],
  ])('is not submitted: %s', async (_what, script) => {
    const { failure, requests } = await run('post', script);
    expect(failure).toMatchObject({ code: 'selector_not_found', details: { technical_details: 'VALUE_NOT_KEPT' } });
    expect(requests).not.toContain('/r');
  });

  test.each([
    ['of the data of a form', 'post', `f.onformdata = ({ formData }) => formData.set('age', '99');`],
    [
      'of a form with files',
      'post',
      `f.enctype = 'multipart/form-data'; f.onformdata = (e) => e.formData.set('age', 7);`,
    ],
    ['of an address', 'get', `f.onformdata = ({ formData }) => formData.set('flat', 'no');`],
    [
      'of a form that a script sends',
      'post',
      `f.onsubmit = (e) => { e.preventDefault(); f.age.value = '99'; f.submit(); };`,
    ],
  ])('is no success: %s', async (_what, method, script) => {
    const { failure } = await run(method, script);
    expect(failure).toMatchObject({ details: { technical_details: 'VALUE_CHANGED_BY_PAGE' } });
    expect(failure?.details['recommendation']).toContain('may have been submitted');
  });
});

describe('a value that a script changes', () => {
  const entries = 'Object.fromEntries(new FormData(f))';
  test.each([
    ['as a form', 'const data = new FormData(f); data.set("age", "99"); post(data);'],
    ['as JSON', `post(JSON.stringify({ ...${entries}, age: 41 }));`],
    ['deeper in JSON', `post(JSON.stringify({ form: { ...${entries}, age: 41 } }));`],
    ['in a field that it has changed', `f.age.value = '99'; post(new URLSearchParams(new FormData(f)));`],
    [
      'by a request of the old kind',
      `const r = new XMLHttpRequest(); r.open('POST', '/r'); r.send(JSON.stringify({ ...${entries}, age: 41 }));`,
    ],
    ['in a list', `post(JSON.stringify([{ query: 'm', variables: { ...${entries}, age: 41 } }]));`],
    ['in a text of its own', `post(JSON.stringify({ variables: JSON.stringify({ ...${entries}, age: 41 }) }));`],
    ['beside fewer names', `post(JSON.stringify({ age: '1' }));`],
    [
      'cut to some of its digits',
      `post(JSON.stringify({ ...${entries}, age: f.age.value.replace(',', '').slice(0, 3) }));`,
    ],
    ['by its address', `show(fetch('/r?' + new URLSearchParams({ ...${entries}, age: 41 })));`],
    [
      'once more when that failed',
      `const go = () => fetch('/r', { method: 'POST', body: JSON.stringify({ ...${entries}, age: 41 }) }); go().catch(go);`,
    ],
    ['a little later', `setTimeout(() => post(JSON.stringify({ ...${entries}, age: 41 })), 300);`],
  ])('is not submitted: %s', async (_how, script) => {
    const { failure, requests } = await run('post', `f.onsubmit = (e) => { e.preventDefault(); ${script} };`);
    expect(failure).toMatchObject({ details: { technical_details: 'VALUE_CHANGED_BY_PAGE', field_id: 'age' } });
    expect(failure?.message).toContain('was not submitted');
    expect(failure?.details['recommendation']).not.toContain('may have been submitted');
    expect(requests).not.toContain('/r');
  });

  const wrongDay = `post(JSON.stringify({ ...${entries}, day: f.day.value.replace('05/15', '2007-06-15') }));`;
  test.each([
    ['another choice', `post(JSON.stringify({ ...${entries}, flat: 'no' }));`, 'flat'],
    ['a choice by the name of another', `post(JSON.stringify({ ...${entries}, flat: 'No' }));`, 'flat'],
    ['a choice as its opposite', `post(JSON.stringify({ ...${entries}, flat: false }));`, 'flat'],
    ['another day', wrongDay, 'day'],
  ])('is not submitted: %s', async (_what, script, field_id) => {
    const { failure, requests } = await run('post', `f.onsubmit = (e) => { e.preventDefault(); ${script} };`);
    expect(failure).toMatchObject({ details: { technical_details: 'VALUE_CHANGED_BY_PAGE', field_id } });
    expect(requests).not.toContain('/r');
  });

  test('is not submitted after a correct draft', async () => {
    const { failure, requests } = await run(
      'post',
      `f.onsubmit = async (e) => { e.preventDefault(); await fetch('/draft', { method: 'POST', body: JSON.stringify(${entries}) });
        post(JSON.stringify({ ...${entries}, age: '1' })); };`,
    );
    expect(failure).toMatchObject({ details: { technical_details: 'VALUE_CHANGED_BY_PAGE', field_id: 'age' } });
    expect(requests).toContain('/draft');
    expect(requests).not.toContain('/r');
  });

  test('is submitted by any means if it is as given', async () => {
    const old = `f.onsubmit = (e) => { e.preventDefault(); const r = new XMLHttpRequest(); r.open('POST', '/r');
      r.onload = () => { m.innerHTML = r.responseText; }; r.send(JSON.stringify(${entries})); };`;
    expect((await run('post', old)).done).toMatchObject({ status: 'success', results: { grant: '500' } });
  });
});

describe('a checkbox', () => {
  const box = (more: object = {}) =>
    wizardFormField('share', {
      label: 'Share my data',
      field_type: 'checkbox',
      interaction: 'click',
      required: false,
      example_value: false,
      ...more,
    });
  const shared = (
    script: string,
  ) => `<h1>Form</h1><form id="f" action="/r" method="post"><label>Age <input name="age"></label>
    <label><input type="checkbox" id="share" name="share" value="sell"> Share my data</label><button id="b">Send</button></form>
    <main id="m"></main><script>const post = async (o) => { m.innerHTML = await (await fetch('/r', { method: 'POST', body: JSON.stringify(o) })).text(); };
    ${script}</script>`;
  const sharing = (script: string, given: object) =>
    forms.run(
      { site: (path) => (path === '/r' ? granted : shared(script)), fields: [...fields.slice(0, 1), box()], wizard },
      { age: '40', ...given },
    );
  const byScript = (more: string) =>
    `f.onsubmit = (e) => { e.preventDefault(); post({ ...Object.fromEntries(new FormData(f)), ${more} }); };`;
  const off = { share: false };

  test.each([
    ['in the form that is sent', `f.onsubmit = () => { share.checked = true; };`, off],
    ['in the form that is sent, where nobody mentioned it', `f.onsubmit = () => { share.checked = true; };`, {}],
    ['by a script', byScript(`share: 'sell'`), off],
    ['by a script, in its own words', byScript('share: true'), off],
    ['by a script, where nobody mentioned it', byScript(`share: 'sell'`), {}],
  ])('that is off is not switched on %s', async (_how, script, given) => {
    const { failure, requests } = await sharing(script, given);
    expect(failure).toMatchObject({ code: 'selector_not_found', details: { field_id: 'share' } });
    expect(requests).not.toContain('/r');
  });

  test('that is off but submitted as on is no success', async () => {
    const { failure } = await sharing(
      `b.onclick = (e) => { e.preventDefault(); share.checked = true; f.submit(); };`,
      off,
    );
    expect(failure).toMatchObject({ details: { technical_details: 'VALUE_CHANGED_BY_PAGE', field_id: 'share' } });
  });

  test.each([
    ['off, as that', byScript('share: false'), off],
    ['off, as nothing', byScript(''), off],
    ['on, in its own words', byScript('share: true'), { share: true }],
  ])('may be submitted %s', async (_how, script, given) => {
    expect((await sharing(script, given)).done).toMatchObject({ status: 'success', warnings: [] });
  });
});

describe('a choice that user data does not mention', () => {
  const open = (
    script: string,
  ) => `<h1>Form</h1><form id="f" action="/r" method="post"><label>Age <input name="age"></label>
    <fieldset><legend>Plan</legend><label><input type="radio" name="plan" value="yes"> Monthly</label>
    <label><input type="radio" name="plan" value="no"> At once</label></fieldset>
    <label>Gift <select name="gift"><option value="">None</option><option value="all">Everything</option></select></label>
    <button>Send</button></form><main id="m"></main><script>
    const post = async (o) => { m.innerHTML = await (await fetch('/r', { method: 'POST', body: JSON.stringify(o) })).text(); };
    ${script}</script>`;
  const plan = wizardFormField('plan', {
    label: 'Plan',
    field_type: 'radio',
    interaction: 'click',
    required: false,
    selector: 'role=radio[name="Monthly"]',
    example_value: 'yes',
    options: [
      { value: 'yes', label: 'Monthly', selector: 'role=radio[name="Monthly"]' },
      { value: 'no', label: 'At once', selector: 'role=radio[name="At once"]' },
    ],
  });
  const gift = wizardFormField('gift', {
    label: 'Gift',
    field_type: 'select',
    interaction: 'select',
    required: false,
    selector: 'role=combobox[name="Gift"]',
    example_value: '',
    options: [
      { value: '', label: 'None' },
      { value: 'all', label: 'Everything' },
    ],
  });
  const choosing = (script: string) =>
    forms.run(
      { site: (path) => (path === '/r' ? granted : open(script)), fields: [...fields.slice(0, 1), plan, gift], wizard },
      { age: '40' },
    );
  const byScript = (more: string) =>
    `f.onsubmit = (e) => { e.preventDefault(); post({ ...Object.fromEntries(new FormData(f)), ${more} }); };`;

  test.each([
    ['a button, in the form', `f.onsubmit = () => { f.plan.value = 'no'; };`, 'plan'],
    ['a list, in the form', `f.onsubmit = () => { f.gift.value = 'all'; };`, 'gift'],
    ['a button, by a script', byScript(`plan: 'no'`), 'plan'],
    ['a list, by a script', byScript(`gift: 'all'`), 'gift'],
  ])('is not made by the page on submit: %s', async (_how, script, field_id) => {
    const { failure, requests } = await choosing(script);
    expect(failure).toMatchObject({ code: 'selector_not_found', details: { field_id } });
    expect(requests).not.toContain('/r');
  });

  test.each([
    ['in the form', ''],
    ['by a script', byScript('')],
    ['not at all', `f.onsubmit = () => { for (const one of [...f.plan, f.gift]) one.disabled = true; };`],
    ['by a script, without it', `f.onsubmit = (e) => { e.preventDefault(); post({ age: f.age.value }); };`],
  ])('is submitted unchanged: %s', async (_how, script) => {
    expect((await choosing(script)).done).toMatchObject({ status: 'success', warnings: [] });
  });
});

describe('a value that only a script names', () => {
  const unnamed = (years: string) => `<h1>Form</h1><form id="f"><label>Age <input id="a"></label>
    <label>Day <input name="day"></label>
    <label><input type="radio" name="x1" value="yes"> Yes</label><button>Send</button></form><main id="m"></main><script>
    f.onsubmit = async (e) => { e.preventDefault(); const body = JSON.stringify({ years: ${years}, day: f.day.value });
      m.innerHTML = await (await fetch('/r', { method: 'POST', body })).text(); };</script>`;
  const asking = (years: string, sent_as?: string) =>
    forms.run(
      {
        site: (path) => (path === '/r' ? granted : unnamed(years)),
        fields: [{ ...fields[0], ...(sent_as && { sent_as }) }, ...fields.slice(1)],
        wizard,
      },
      data,
    );

  test('is not submitted with another value if the file has that name', async () => {
    const { failure, requests } = await asking('41', 'years');
    expect(failure).toMatchObject({ details: { technical_details: 'VALUE_CHANGED_BY_PAGE', field_id: 'age' } });
    expect(requests).not.toContain('/r');
  });

  test.each([
    ['as it was given', 'a.value.replace(",", "")', 'years'],
    ['under a name that it did not have', '41', 'months'],
    ['under another name, where its own has something else', '41, months: a.value', 'years'],
    ['where the file knows none', '41', undefined],
  ])('is submitted %s', async (_how, years, name) => {
    expect((await asking(years, name)).done).toMatchObject({ status: 'success' });
  });

  test('causes a warning if nothing else can be compared', async () => {
    const only = (
      body: string,
    ) => `<h1>Form</h1><form id="f"><label>Age <input name="age"></label><button>Send</button></form>
      <main id="m"></main><script>f.onsubmit = async (e) => { e.preventDefault();
      m.innerHTML = await (await fetch('/r', { method: 'POST', body: JSON.stringify(${body}) })).text(); };</script>`;
    const revealing = (body: string) =>
      forms.run(
        { site: (path) => (path === '/r' ? granted : only(body)), fields: fields.slice(0, 1), wizard },
        { age: '40' },
      );
    expect((await revealing('{ years: 1 }')).done?.warnings).toEqual([
      expect.stringContaining('could not be compared'),
    ]);
    expect((await revealing('{ age: 40 }')).done?.warnings).toEqual([]);
    const cipher = `{ age: '9f86d081884c7d659a2feaa0c55ad015' }`;
    expect((await revealing(cipher)).done?.warnings).toEqual([expect.stringContaining('"age"')]);
  });
});

test('accepts a number in cents only if the page names money', async () => {
  const cents = (
    label: string,
  ) => `<h1>Form</h1><form id="f" action="/r" method="post"><label>${label} <input name="age"></label>
    <button>Send</button></form><script>f.onsubmit = () => { f.age.value += '00'; };</script>`;
  const asking = (label: string) => {
    const one = wizardFormField('age', { label, selector: `role=textbox[name="${label}"]` });
    return forms.run(
      { site: (path) => (path === '/r' ? granted : cents(label)), fields: [one], wizard },
      { age: '40' },
    );
  };
  expect((await asking('Fee in dollars')).done).toMatchObject({ status: 'success', warnings: [] });
  expect((await asking('Age')).failure).toMatchObject({ details: { technical_details: 'VALUE_CHANGED_BY_PAGE' } });
});

describe('a value in another notation', () => {
  test.each([
    ['commas that it takes out', `f.onsubmit = () => { f.age.value = '1040'; };`],
    [
      'a date as a moment, and a choice by a code',
      `f.onsubmit = (e) => { e.preventDefault(); post(JSON.stringify({ age: 1040, day: new Date(2007, 4, 15), flat: 'F1' })); };`,
    ],
    ['a date that it turns round', `f.onsubmit = () => { f.day.value = '2007-05-15'; };`],
    [
      'a draft that it empties when it has sent it',
      `f.onsubmit = async (e) => { e.preventDefault(); const body = new FormData(f); await fetch('/n', { method: 'POST', body });
        await fetch('/draft', { method: 'POST', body: '{"age":"","day":"","flat":""}' }); post(body); };`,
    ],
    [
      'a form that it empties when it has sent it',
      `f.onsubmit = (e) => { e.preventDefault(); post(new FormData(f)); f.reset(); };`,
    ],
    [
      'something else of the same name that it counts by',
      `f.onsubmit = (e) => { e.preventDefault(); fetch('/n', { method: 'POST', body: '{"age":"over"}' }); post(new FormData(f)); };`,
    ],
    [
      'another address that it goes on to',
      `f.onsubmit = async (e) => { e.preventDefault(); await fetch('/n', { method: 'POST', body: new FormData(f) }); location = '/r?age=old&day=May&flat=1'; };`,
    ],
  ])('is submitted: %s', async (_what, script) => {
    expect((await run('post', script)).done).toMatchObject({ status: 'success', results: { grant: '500' } });
  });
});
