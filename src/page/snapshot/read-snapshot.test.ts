import { expect, test } from 'vitest';
import { testPages, testServer } from '../../platform/page/test-support.ts';
import type { PageSnapshot } from './page-snapshot.ts';
import { readSnapshot } from './read-snapshot.ts';

const open = testPages();

const briefly = ({ controls }: PageSnapshot) =>
  controls.map(({ pattern, name, value }) => `${pattern} ${name} = ${JSON.stringify(value)}`);

test('reads native controls with their names, values and constraints', async () => {
  const page = await open(`<form><h1>Order</h1>
    <label>Name <input name="who" required maxlength="20" value="Ann"></label>
    <label>Amount <input type="number" min="1" max="9" value="3"></label>
    <label>Day <input type="date" value="2027-03-23"></label>
    <label>Volume <input type="range" min="0" max="10" value="4"></label>
    <label>Secret <input type="password" value="hunter2"></label>
    <label>Country <select><option>France<option selected>Spain</select></label>
    <label>Colours <select multiple><option selected>Red<option>Green<option selected>Blue</select></label>
    <fieldset><legend>Size</legend><label><input type="radio" name="s">Small</label>
      <label><input type="radio" name="s" checked>Large</label></fieldset>
    <fieldset><legend>Pets</legend><label><input type="checkbox" name="p" checked>Cat</label>
      <label><input type="checkbox" name="p">Dog</label></fieldset>
    <label><input type="checkbox"> Agree</label>
    <div role="textbox" contenteditable="true" aria-label="Notes">Hello</div>
    <button>Send</button></form>`);
  const snapshot = await readSnapshot(page);
  expect(briefly(snapshot)).toEqual([
    'text Name = "Ann"',
    'spinbutton Amount = "3"',
    'date Day = "2027-03-23"',
    'slider Volume = "4"',
    'text Secret = null',
    'combobox Country = "Spain"',
    'listbox Colours = ["Red","Blue"]',
    'radio-group Size = "Large"',
    'checkbox-group Pets = ["Cat"]',
    'checkbox Agree = false',
    'rich-text Notes = "Hello"',
    'button Send = ""',
  ]);
  expect(snapshot.controls[0]).toMatchObject({
    state: { isRequired: true, isDisabled: false },
    constraints: { type: 'text', maxLength: 20 },
    locators: [
      { by: 'role', role: 'textbox', value: 'Name' },
      { by: 'name', value: 'who' },
    ],
  });
  expect(JSON.stringify(snapshot)).not.toContain('hunter2');
  expect(snapshot.data).toMatchObject([{ kind: 'heading', level: 1, texts: ['Order'] }]);
});

test('reads widgets by their ARIA pattern', async () => {
  const page = await open(`<div role="switch" aria-checked="true" tabindex="0" aria-label="Sound">x</div>
    <div role="combobox" aria-expanded="false" tabindex="0" aria-label="City">Rome</div>
    <div role="slider" tabindex="0" aria-valuenow="3" aria-valuetext="loud" aria-label="Level">x</div>
    <div role="listbox" aria-label="Fruit" tabindex="0"><div role="option" aria-selected="true">Fig</div><div role="option">Kiwi</div></div>
    <div role="radiogroup" aria-label="Stars"><span role="radio" tabindex="0" aria-checked="false">1 star</span>
      <span role="radio" tabindex="-1" aria-checked="true">2 stars</span><span role="radio" tabindex="-1">3 stars</span></div>
    <div role="group" aria-label="Born"><span role="spinbutton" tabindex="0" aria-label="Day" aria-valuenow="3">3</span>
      <span role="spinbutton" tabindex="0" aria-label="Month" aria-valuenow="4">4</span></div>
    <button aria-haspopup="menu">File</button><button aria-pressed="true">Bold</button><button aria-expanded="false">More</button>
    <div role="tablist"><button role="tab" aria-selected="true">One</button></div>`);
  expect(briefly(await readSnapshot(page))).toEqual([
    'switch Sound = true',
    'combobox City = "Rome"',
    'slider Level = "loud"',
    'listbox Fruit = ["Fig"]',
    'rating Stars = "2 stars"',
    'date Born = "3 4"',
    'menu-button File = ""',
    'toggle-button Bold = true',
    'disclosure More = ""',
    'tab One = true',
  ]);
});

test('reads a table of questions as one control', async () => {
  const row = (name: string, chosen = 0) =>
    `<tr><th>${name}</th>${[1, 2].map((each) => `<td><input type="radio" name="${name}"${each === chosen ? ' checked' : ''}></td>`).join('')}</tr>`;
  const page = await open(
    `<table><caption>Opinion</caption><thead><tr><td></td><th>No</th><th>Yes</th></tr></thead>${row('Cheap')}${row('Fast', 2)}</table>`,
  );
  expect(briefly(await readSnapshot(page))).toEqual(['matrix Opinion = {"Cheap":"","Fast":"Yes"}']);
});

test('lists what it cannot classify as unknown, with the reason', async () => {
  const page = await open(`<div tabindex="0">drag me</div><span style="cursor:pointer">click me</span>
    <label style="cursor:pointer">Name <input></label>`);
  const { unknown, controls } = await readSnapshot(page);
  expect(unknown.map(({ name, reason }) => [name, reason])).toEqual([
    ['drag me', 'it can be focused, but has no role'],
    ['click me', 'it shows the pointer of a link, but has no role and cannot be focused'],
  ]);
  expect(controls).toHaveLength(1);
});

test('says what the page says is wrong with a field', async () => {
  const page = await open(`<style>.e { color: rgb(200, 20, 20) }</style>
    <div><label>A <input aria-invalid="true" aria-errormessage="a"></label><p id="a">Enter a name</p></div>
    <div><label>B <input aria-describedby="h b" aria-invalid="true"></label><p id="h">Six digits</p><p id="b" class="e">Too short</p></div>
    <div><label>C <input></label><span class="e">Not a number</span></div>
    <div><label>D <span class="e">*</span> <input></label><span>A hint</span></div>
    <div role="alert">Two problems</div>`);
  const { controls, messages } = await readSnapshot(page);
  expect(controls.map(({ name, error }) => [name, error])).toEqual([
    ['A', 'Enter a name'],
    ['B', 'Too short'],
    ['C', 'Not a number'],
    ['D *', ''],
  ]);
  expect(messages).toMatchObject([{ role: 'alert', text: 'Two problems', control: null }]);
});

test('reads shadow roots, frames of the page, and frames of other sites, in the order of the page', async () => {
  await using server = await testServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<label>Foreign <input></label>');
  });
  const page = await open(`<label>First <input></label><div id="host"></div>
    <iframe title="near" srcdoc="<label>Near <input></label>"></iframe>
    <iframe title="far" sandbox src="${server.url}"></iframe><label>Last <input></label>`);
  await page.evaluate(() => {
    const root = document.querySelector('#host')?.attachShadow({ mode: 'open' });
    if (root) root.innerHTML = '<label>Shadow <input></label>';
  });
  await page.frameLocator('[title=far]').getByLabel('Foreign').waitFor();
  const { controls, omitted } = await readSnapshot(page);
  expect(controls.map(({ name }) => name)).toEqual(['First', 'Shadow', 'Near', 'Foreign', 'Last']);
  expect(controls[3]?.locators[0]).toMatchObject({ frame: ['iframe[title="far"]'] });
  expect(omitted).toEqual([]);
});

test('keeps strings of the page in one line, without characters that cannot be seen, below a limit', async () => {
  const page = await open('<button id="b"></button>');
  await page.evaluate(() => {
    const button = document.querySelector('#b');
    if (button) button.textContent = `Pay\u202e\u0007\n now \u200b${'x'.repeat(5_000)}`;
  });
  const name = (await readSnapshot(page)).controls[0]?.name ?? '';
  expect(name).toMatch(/^Pay now x+…$/);
  expect(name.length).toBeLessThanOrEqual(500);
});
