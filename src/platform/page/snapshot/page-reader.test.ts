import { expect, test } from 'vitest';
import { locateRung } from '../locate/element-finder.ts';
import { rungToScript } from '../locate/rung-selector.ts';
import type { Control } from '../page-model.ts';
import { testPages } from '../test-support.ts';
import { readPage } from './page-reader.ts';

const open = testPages();

async function read(html: string) {
  const page = await open(html);
  const reading = await readPage(page);
  const named = (name: string): Control => {
    const control = reading.controls.find((each) => each.name === name);
    if (!control) throw new Error(`no control ${name}: ${reading.controls.map((each) => each.name).join(', ')}`);
    return control;
  };
  return { page, reading, named };
}

test('reads the accessible names of controls', async () => {
  const { reading } = await read(`
    <span id="a">First</span> <span id="b">name</span><input aria-labelledby="a b">
    <input aria-label="Last name">
    <label for="c">Town <b>*</b></label><input id="c">
    <label>Wrapped <select><option>One</option></select></label>
    <input placeholder="Street">
    <input title="Post code">
    <input type="submit"><input type="submit" value="Send">
    <button><img alt="Search" src="data:,"></button>
    <a href="#x"><span>Help</span> me</a>
    <div>Pets owned: <input></div>`);
  expect(reading.controls.map(({ name }) => name)).toEqual([
    'First name',
    'Last name',
    'Town *',
    'Wrapped',
    'Street',
    'Post code',
    'Submit',
    'Send',
    'Search',
    'Help me',
    'Pets owned:',
  ]);
});

test('reads kinds, constraints, options and states', async () => {
  const { named } = await read(`
    <form id="f" name="order" action="/buy" method="post">
      <label>Age <input type="number" min="18" max="99" step="1" required name="age" value="20"></label>
      <label>Mail <input type="email" maxlength="50" minlength="3" pattern=".+@.+" autocomplete="email"></label>
      <label>Colour <select name="colour"><option value="">Choose</option><option value="r" selected>Red</option><option disabled>Blue</option></select></label>
      <label>Secret <input type="password" value="hunter2"></label>
      <label>Notes <textarea readonly>two
lines</textarea></label>
      <label>Gone <input disabled></label>
      <div role="switch" aria-checked="true" tabindex="0">Dark mode</div>
      <div contenteditable="true" aria-label="Story" role="textbox">Once</div>
      <label>City <input role="combobox" aria-controls="list" aria-required="true"></label>
      <ul role="listbox" id="list"><li role="option">Oslo</li><li role="option">Rome</li></ul>
      <label>Level <input type="range" min="0" max="10" value="4"></label>
      <button>Buy</button><button type="button">Count</button>
    </form>`);
  expect(named('Age')).toMatchObject({
    kind: 'number',
    role: 'spinbutton',
    required: true,
    value: '20',
    constraints: { min: '18', max: '99', step: '1' },
    nameAttribute: 'age',
    form: { id: 'f', name: 'order', action: expect.stringMatching(/\/buy$/), method: 'post', index: 0 },
  });
  expect(named('Mail').constraints).toEqual({ maxLength: 50, minLength: 3, pattern: '.+@.+', autocomplete: 'email' });
  expect(named('Colour')).toMatchObject({ kind: 'select', value: 'r', optionCount: 3 });
  expect(
    named('Colour').options.map(({ label, value, selected, disabled }) => [label, value, selected, disabled]),
  ).toEqual([
    ['Choose', '', false, false],
    ['Red', 'r', true, false],
    ['Blue', 'Blue', false, true],
  ]);
  expect(named('Secret')).toMatchObject({ kind: 'password', value: '' });
  expect(named('Notes')).toMatchObject({ kind: 'textarea', readOnly: true, value: 'two\nlines' });
  expect(named('Gone').disabled).toBe(true);
  expect(named('Dark mode')).toMatchObject({ kind: 'switch', checked: true });
  expect(named('Story')).toMatchObject({ kind: 'rich-text', value: 'Once' });
  expect(named('City')).toMatchObject({ kind: 'typeahead', required: true });
  expect(named('City').options.map(({ label }) => label)).toEqual(['Oslo', 'Rome']);
  expect(named('Level')).toMatchObject({ kind: 'range', value: '4' });
  expect(named('Buy').kind).toBe('submit');
  expect(named('Count').kind).toBe('button');
});

test('merges radio buttons of one question, and reaches hidden ones by their cards', async () => {
  const { page, named } = await read(`
    <style>.hidden { position: absolute; opacity: 0; width: 1px; height: 1px }</style>
    <fieldset><legend>Marital status</legend>
      <input class="hidden" type="radio" name="m" id="single" value="s" required><label for="single">Single</label>
      <input class="hidden" type="radio" name="m" id="married" value="m" checked><label for="married">Married</label>
    </fieldset>
    <fieldset><legend>Pets</legend>
      <label><input type="checkbox" name="pet" value="cat" checked> Cat</label>
      <label><input type="checkbox" name="pet" value="dog"> Dog</label>
    </fieldset>
    <div role="radiogroup" aria-label="Size"><div role="radio" aria-checked="false">S</div><div role="radio" aria-checked="true">L</div></div>
    <label><input type="radio" name="gone" value="1" style="display:none"></label>`);
  expect(named('Marital status')).toMatchObject({
    kind: 'radio-group',
    required: true,
    visible: true,
    byLabel: true,
    value: 'm',
  });
  const [single] = named('Marital status').options;
  expect(single).toMatchObject({ label: 'Single', value: 's', selected: false });
  expect(single?.ladder.map(rungToScript)).toEqual([
    "page.getByRole('radio', { name: 'Single', exact: true })",
    "page.getByLabel('Single', { exact: true })",
    "page.locator('#single')",
    `page.locator('input[name="m"][value="s"]')`,
  ]);
  expect(named('Pets')).toMatchObject({ kind: 'checkbox-group', value: 'cat' });
  expect(named('Size')).toMatchObject({ kind: 'radio-group', value: 'L' });
  for (const rung of named('Size').options.flatMap(({ ladder }) => ladder))
    expect(await locateRung(page, rung).count()).toBe(1);
});

test('merges month, day and year into one date', async () => {
  const { reading } = await read(`
    <fieldset><legend>Date of birth</legend>
      <label>Month <select><option value="1">January</option></select></label>
      <label>Day <input></label><label>Year <input></label></fieldset>
    <label>Start - Month <input></label><label>Start - Day <input></label><label>Start - Year <input></label>
    <label>Year of study <input></label>`);
  expect(reading.controls.map(({ kind, name }) => [kind, name])).toEqual([
    ['date-parts', 'Date of birth'],
    ['date-parts', 'Start'],
    ['text', 'Year of study'],
  ]);
  expect(reading.controls[0]?.parts.map(({ part }) => part)).toEqual(['month', 'day', 'year']);
});

test('gives every control rungs that find only it', async () => {
  const { page, reading } = await read(`
    <input data-testid="one" id=":r3:" name="n" aria-label='It is "quoted" \\ odd'>
    <label>Same <input id="first"></label><label>Same <input id="second"></label>
    <label>שם פרטי <input dir="rtl"></label><label>Mood 😀 <input></label>
    <button>Go</button><button>Go on</button><button id="x9f8e7d6c5b4a3f2e1d0c">Odd id</button>
    <iframe title="inner" srcdoc="<label>Zip <input></label><button>Go</button>" width="300" height="80"></iframe>
    <x-box></x-box><script>customElements.define('x-box', class extends HTMLElement {
      constructor() { super(); this.attachShadow({ mode: 'open' }).innerHTML = '<label>Deep <input></label><div><input></div>'; } });</script>`);
  expect(reading.controls.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['It is "quoted" \\ odd', 'שם פרטי', 'Mood 😀', 'Deep', 'Zip']),
  );
  for (const { name, ladder } of reading.controls) {
    expect(ladder.length, name).toBeGreaterThan(0);
    for (const rung of ladder) expect(await locateRung(page, rung).count(), JSON.stringify(rung)).toBe(1);
  }
  const sources = reading.controls.flatMap(({ ladder }) => ladder.map(rungToScript));
  expect(sources[0]).toBe("page.getByTestId('one')");
  expect(sources).toContain(
    `page.locator('iframe[title="inner"]').contentFrame().getByRole('button', { name: 'Go', exact: true })`,
  );
  expect(sources.join()).not.toMatch(/x9f8e7|:r3:/);
});

test('reads a form whose inputs are named like form properties', async () => {
  const { reading } = await read(`<form id="f" action="/go"><div><input name="children" aria-label="Children"></div>
    <input name="id" aria-label="Id"><input name="action" aria-label="Action"><input name="parentNode"><button>Go</button></form>`);
  expect(reading.controls.map(({ name }) => name)).toEqual(['Children', 'Id', 'Action', '', 'Go']);
  expect(reading.controls[0]?.form).toMatchObject({ id: 'f', action: expect.stringMatching(/\/go$/), method: 'get' });
});

test('ties an error message to its control', async () => {
  const { reading } = await read(`
    <div role="alert"><h2>There is a problem</h2><ul><li><a href="#income">Enter your income</a></li><li><a href="#age">Enter your age</a></li></ul></div>
    <label for="income">Income</label><input id="income" aria-invalid="true" aria-describedby="e1"><p id="e1" class="error-message">Error: Enter your income</p>
    <div><label for="age">Age</label><input id="age"><span class="field-error">Enter your age</span></div>
    <p class="error" hidden>Not shown</p>`);
  expect(reading.errors).toEqual([
    { text: 'Enter your income', control: 'Income', order: 2 },
    { text: 'Enter your age', control: 'Age', order: 3 },
  ]);
});

test('reads headings, landmarks and open dialogs', async () => {
  const { reading } = await read(`
    <header><h1>Loan simulator</h1></header><nav aria-label="Main"></nav><main><h2>Step 1</h2></main>
    <div role="dialog" aria-modal="true" aria-label="Cookies"><button>Accept</button></div><div role="dialog" hidden>No</div>`);
  expect(reading).toMatchObject({
    title: 'Test',
    language: 'en',
    headings: [
      { level: 1, text: 'Loan simulator' },
      { level: 2, text: 'Step 1' },
    ],
    landmarks: [
      { role: 'banner', name: '' },
      { role: 'navigation', name: 'Main' },
      { role: 'main', name: '' },
    ],
    dialogs: [{ name: 'Cookies', modal: true }],
  });
});

test('reads 500 fields and 5,000 options, and reports what it left out beyond its limits', async () => {
  const fields = Array.from({ length: 500 }, (_, i) => `<label for="f${i}">Field ${i}</label><input id="f${i}">`);
  const options = Array.from({ length: 5_000 }, (_, i) => `<option value="${i}">Option ${i}</option>`);
  const page = await open(`${fields.join('')}<label>Many <select>${options.join('')}</select></label>`);
  const reading = await readPage(page);
  expect(reading.controls).toHaveLength(501);
  expect(reading.controls.at(-1)?.options).toHaveLength(5_000);
  expect(reading.left).toEqual([]);
  const short = await readPage(page, { mostControls: 10, mostOptions: 7 });
  expect(short.controls).toHaveLength(10);
  expect(short.left).toEqual(['491 of 501 controls']);
});

test('reads text beside a field, but not its label, its error or text of other fields', async () => {
  const { named } = await read(`<form>
    <p><label for="a">Income</label> <input id="a"> <span>per year</span></p>
    <div><label for="b">Assets</label><div>In dollars</div><div><input id="b"></div><p role="alert">Too much</p></div>
    <label>Rent <input></label> per month <p>Something else</p>
    <div>Two: <label>One <input></label><label>Other <input></label></div></form>`);
  const beside = ['Income', 'Assets', 'Rent', 'One'].map((name) => named(name).beside);
  expect(beside).toEqual(['per year', 'In dollars', 'per month', '']);
});
