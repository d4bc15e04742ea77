import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { readPage } from '../snapshot/page-reader.ts';
import { testPages } from '../test-support.ts';
import { readValue, setControl } from './set-value.ts';
import type { ControlValue } from './settable-control.ts';

const open = testPages();

async function set(page: Page, name: string, value: ControlValue) {
  const control = (await readPage(page)).controls.find((each) => each.name === name);
  if (!control) throw new Error(`no control ${name}`);
  const result = await setControl(page, control, value, { timeoutMs: 2_000 });
  expect(await readValue(result.found)).toBe(result.readBack);
  return result.readBack;
}

test('sets text, numbers, dates, lists and files', async () => {
  const page = await open(`
    <label>Text <input></label><label>Story <textarea></textarea></label><label>Count <input type="number"></label>
    <label>Day <input type="date"></label><label>Level <input type="range" min="0" max="10"></label>
    <label>Password <input type="password"></label><div contenteditable="true" role="textbox" aria-label="Rich"></div>
    <label>Degree <select><option value="">Choose</option><option value="b">Bachelor’s degree</option></select></label>
    <label>Several <select multiple><option>a</option><option>b</option><option>c</option></select></label>
    <label>File <input type="file"></label>`);
  expect(await set(page, 'Text', 'it\'s "quoted" 😀')).toBe('it\'s "quoted" 😀');
  expect(await set(page, 'Story', 'two\nlines')).toBe('two\nlines');
  expect(await set(page, 'Count', 42)).toBe('42');
  expect(await set(page, 'Day', '2007-05-15')).toBe('2007-05-15');
  expect(await set(page, 'Level', '7')).toBe('7');
  await set(page, 'Password', 'hunter2');
  expect(await page.getByLabel('Password').inputValue()).toBe('hunter2');
  expect(await set(page, 'Rich', 'hello')).toBe('hello');
  expect(await set(page, 'Degree', "bachelor's degree")).toBe('b');
  expect(await set(page, 'Several', ['a', 'c'])).toBe('a, c');
  expect(await set(page, 'File', import.meta.filename)).toBe('set-value.test.ts');
});

test('chooses radio buttons, sets checkboxes without toggling, and reaches hidden ones by labels', async () => {
  const page = await open(`
    <style>.hidden { position: absolute; opacity: 0; width: 1px; height: 1px }</style>
    <fieldset><legend>Status</legend>
      <input class="hidden" type="radio" name="m" id="s" value="single"><label for="s">Single</label>
      <input style="display:none" type="radio" name="m" id="m" value="married"><label for="m">Married</label></fieldset>
    <fieldset><legend>Pets</legend><label><input type="checkbox" name="p" value="cat" checked>Cat</label>
      <label><input type="checkbox" name="p" value="dog">Dog</label><label><input type="checkbox" name="p" value="fish" checked>Fish</label></fieldset>
    <label><input type="checkbox" id="agree"> I agree to the <a href="https://elsewhere.invalid/">terms</a></label>
    <div role="switch" aria-checked="false" tabindex="0" onclick="this.setAttribute('aria-checked', this.getAttribute('aria-checked') !== 'true')">Dark</div>
    <div role="radiogroup" aria-label="Size">${['S', 'L'].map((size) => `<div role="radio" aria-checked="false" onclick="for (const e of this.parentNode.children) e.setAttribute('aria-checked', e === this)">${size}</div>`).join('')}</div>`);
  expect(await set(page, 'Status', 'Married')).toBe('married');
  expect(await set(page, 'Status', 'single')).toBe('single');
  expect(await set(page, 'Pets', ['Dog', 'fish'])).toBe('dog, fish');
  expect(await page.locator('[name=p]').evaluateAll((all) => all.map((each) => each.matches(':checked')))).toEqual([
    false,
    true,
    true,
  ]);
  expect(await set(page, 'I agree to the terms', true)).toBe('true');
  expect(await set(page, 'I agree to the terms', true)).toBe('true');
  expect(await set(page, 'I agree to the terms', 'no')).toBe('false');
  expect(await set(page, 'Dark', true)).toBe('true');
  expect(await set(page, 'Size', 'L')).toBe('L');
});

test('chooses a transparent radio button over its label', async () => {
  const page =
    await open(`<style>div { position: relative; width: 200px; height: 40px } input { position: absolute; inset: 0;
      width: 100%; height: 100%; margin: 0; opacity: 0 } label { display: block; height: 40px }</style>
    <fieldset><legend>Status</legend><div><input type="radio" name="m" id="s" value="single"><label for="s">Single</label></div>
      <div><input type="radio" name="m" id="m" value="married"><label for="m">Married</label></div></fieldset>`);
  expect(await set(page, 'Status', 'Married')).toBe('married');
  expect(await set(page, 'Status', 'single')).toBe('single');
});

test('sets a date in three parts from an ISO date, with months by number or name', async () => {
  const page = await open(`<fieldset><legend>Born</legend>
    <label>Month <select><option></option><option>April</option><option>May</option></select></label>
    <label>Day <input id="d"></label><label>Year <input id="y"></label></fieldset>`);
  expect(await set(page, 'Born', '2007-05-09')).toBe('2007-05-09');
  expect(await page.locator('select').inputValue()).toBe('May');
  expect(await page.locator('#d').inputValue()).toBe('09');
});

test('matches a month by name where the page counts from 0', async () => {
  const page = await open(`<fieldset><legend>Born</legend>
    <label>Month <select><option value="4">May</option><option value="5">June</option></select></label>
    <label>Day <input></label><label>Year <input></label></fieldset>`);
  await set(page, 'Born', '2007-05-09');
  expect(await page.locator('select').inputValue()).toBe('4');
});

test('waits for typeahead options and takes the exact one', async () => {
  const page = await open(`
    <label>State <input id="state" role="combobox" aria-controls="list" autocomplete="off"></label><ul id="list" role="listbox"></ul>
    <script>
      const states = ['West Virginia', 'Virginia', 'Virgin Islands'];
      state.oninput = () => requestAnimationFrame(() => {
        list.innerHTML = '';
        for (const name of states.filter((each) => each.toLowerCase().includes(state.value.toLowerCase()))) {
          const option = document.createElement('li'); option.role = 'option'; option.textContent = name;
          option.onmousedown = () => { state.value = name; state.dataset.chosen = name; list.innerHTML = ''; };
          list.append(option);
        }
      });
    </script>`);
  expect(await set(page, 'State', 'virginia')).toBe('Virginia');
  expect(await page.locator('#state').getAttribute('data-chosen')).toBe('Virginia');
  await expect(set(page, 'State', 'Virgin')).rejects.toMatchObject({
    code: 'NO_SUCH_OPTION',
    message: expect.stringContaining('"West Virginia", "Virginia", "Virgin Islands"'),
  });
});

test('matches an option of two lines by its first line or by both', async () => {
  const page = await open(`
    <label>College <input id="college" role="combobox" aria-controls="list" autocomplete="off"></label><ul id="list" role="listbox"></ul>
    <script>
      const all = [['Oak College', 'Chicago, IL'], ['Elm College', 'Salem, OR'], ['Elm College', 'Salem, MA'], ['Ash', 'Elm College']];
      college.oninput = () => {
        list.innerHTML = '';
        for (const [name, place] of all.filter((each) => each.join(' ').toLowerCase().includes(college.value.toLowerCase().slice(0, 3)))) {
          const option = document.createElement('li'); option.role = 'option';
          option.innerHTML = '<strong>' + name + '</strong><div>' + place + '</div>';
          option.onmousedown = () => { college.value = name; college.dataset.place = place; list.innerHTML = ''; };
          list.append(option);
        }
      };
    </script>`);
  const position = () => page.locator('#college').getAttribute('data-place');
  expect(await set(page, 'College', 'Oak College')).toBe('Oak College');
  expect(await position()).toBe('Chicago, IL');
  await expect(set(page, 'College', 'Elm College')).rejects.toMatchObject({ code: 'OPTION_AMBIGUOUS' });
  expect(await set(page, 'College', 'Elm College, Salem, MA')).toBe('Elm College');
  expect(await position()).toBe('Salem, MA');
  await expect(set(page, 'College', 'Chicago, IL')).rejects.toMatchObject({ code: 'NO_SUCH_OPTION' });
});

test('keeps a typed address without a matching suggestion, unlike other fields', async () => {
  const box = (id: string, label: string) =>
    `<label>${label} <input id="${id}" role="combobox" aria-controls="${id}-list" autocomplete="off"></label><ul id="${id}-list" role="listbox"></ul>`;
  const page = await open(`${box('a', 'Street')}${box('b', 'School')}<script>
    for (const input of document.querySelectorAll('input'))
      input.oninput = () => { document.getElementById(input.id + '-list').innerHTML = '<li role="option">' + input.value + ' of Salem, OR</li>'; };
  </script>`);
  expect(await set(page, 'Street', '14 Main St')).toBe('14 Main St');
  await expect(set(page, 'School', 'Elm')).rejects.toMatchObject({ code: 'NO_SUCH_OPTION' });
});

test('opens a custom listbox and takes its option', async () => {
  const page = await open(`
    <div role="combobox" aria-label="Plan" tabindex="0" aria-controls="plans" onclick="plans.hidden = false">Choose</div>
    <ul role="listbox" id="plans" hidden>${['Basic', 'Extra'].map((plan) => `<li role="option" onclick="document.querySelector('[role=combobox]').textContent = this.textContent; plans.hidden = true">${plan}</li>`).join('')}</ul>`);
  expect(await set(page, 'Plan', 'Extra')).toBe('Extra');
});

test('accepts the format of a field, and reports another value', async () => {
  const page = await open(`
    <label>Income <input oninput="const n = this.value.replace(/\\D/g, ''); this.value = n && '$' + Number(n).toLocaleString('en')"></label>
    <label>Phone <input oninput="const d = this.value.replace(/\\D/g, ''); this.value = d.length > 3 ? '(' + d.slice(0, 3) + ') ' + d.slice(3) : d"></label>
    <label>Short <input maxlength="3"></label>
    <label>Stubborn <input oninput="this.value = 'mine'"></label>`);
  expect(await set(page, 'Income', '85000')).toBe('$85,000');
  expect(await set(page, 'Phone', '5551234')).toBe('(555) 1234');
  await expect(set(page, 'Short', 'abcdef')).rejects.toMatchObject({ code: 'VALUE_NOT_KEPT' });
  const refused = await set(page, 'Stubborn', 'private words').catch((error: Error) => error.message);
  expect(refused).toMatch(/^The field "Stubborn" did not keep the value/);
  expect(refused).not.toContain('private');
});

test('sets values in a form that re-renders on every key', async () => {
  const page = await open(`
    <div id="app"></div><script>
      const state = { a: '', b: '' };
      const draw = () => {
        app.innerHTML = Object.keys(state).map((key) => '<label>Field ' + key + ' <input name="' + key + '"></label>').join('');
        for (const input of app.querySelectorAll('input')) {
          input.value = state[input.name];
          input.oninput = () => { state[input.name] = input.value; draw(); };
        }
      };
      draw();
    </script>`);
  expect(await set(page, 'Field a', 'first')).toBe('first');
  expect(await set(page, 'Field b', 'second')).toBe('second');
  expect(await page.evaluate('JSON.stringify(state)')).toBe('{"a":"first","b":"second"}');
});

test.each([
  ['<label>X <input disabled></label>', 'x', 'ELEMENT_DISABLED'],
  ['<label>X <input readonly></label>', 'x', 'ELEMENT_READ_ONLY'],
  ['<label>X <input type="number"></label>', 'many', 'VALUE_REFUSED'],
  ['<label>X <select><option>a</option></select></label>', 'b', 'NO_SUCH_OPTION'],
  ['<label>X <input type="checkbox"></label>', 'perhaps', 'VALUE_REFUSED'],
])('rejects what cannot be set, with a reason: %s', async (html, value, code) => {
  const page = await open(html);
  await expect(set(page, 'X', value)).rejects.toMatchObject({ code, message: expect.stringContaining('"X"') });
});
