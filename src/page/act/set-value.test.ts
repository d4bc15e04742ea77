import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { testPages, testServer } from '../../platform/page/test-support.ts';
import { findElements } from '../snapshot/find-elements.ts';
import { readSnapshot } from '../snapshot/read-snapshot.ts';
import { confirmValues, setValue, setValues } from './set-value.ts';
import type { WidgetValue } from './value-result.ts';

const open = testPages();

async function set(page: Page, name: string, value: WidgetValue) {
  const control = (await readSnapshot(page)).controls.find((each) => each.name === name);
  if (!control) throw new Error(`no control ${name}`);
  return setValue(page, control, value);
}

const text = (page: Page) => page.evaluate(() => document.querySelector('#sent')?.textContent ?? '');

test('sets native controls and confirms what they show', async () => {
  const page = await open(`<form><label>Name <input name="who" value="old"></label>
    <label>Day <input type="date" name="day"></label><label>Volume <input type="range" name="vol" max="50" step="5"></label>
    <label>Colour <input type="color" name="col"></label><label>Secret <input type="password" name="pw"></label>
    <label>Country <select name="land"><option value="f">France<option value="s">Spain</select></label>
    <label>Many <select multiple name="many"><option>A<option>B<option>C</select></label>
    <fieldset><legend>Size</legend><label><input type="radio" name="s" value="1">Small</label>
      <label><input type="radio" name="s" value="2">Large</label></fieldset>
    <fieldset><legend>Pets</legend><label><input type="checkbox" name="p" value="cat" checked>Cat</label>
      <label><input type="checkbox" name="p" value="dog">Dog</label></fieldset>
    <label><input type="checkbox" name="ok"> Agree</label></form>`);
  const values: [string, WidgetValue][] = [
    ['Name', 'Ann'],
    ['Day', '2027-03-23'],
    ['Volume', 35],
    ['Colour', '#ff0000'],
    ['Secret', 'pass-1'],
    ['Country', 'Spain'],
    ['Many', ['A', 'C']],
    ['Size', 'Large'],
    ['Pets', ['Dog']],
    ['Agree', true],
  ];
  const { controls } = await readSnapshot(page);
  const entries = values.flatMap(([name, value]) => {
    const control = controls.find((each) => each.name === name);
    return control ? [{ control, value }] : [];
  });
  const results = await setValues(page, entries);
  expect(results.map(({ status, problem }) => [status, problem])).toEqual(values.map(() => ['confirmed', '']));
  expect(JSON.stringify(results)).not.toContain('pass-1');
  const sent = await page.evaluate(() => {
    const form = document.querySelector('form');
    return form ? [...new FormData(form)].map(([name, value]) => `${name}=${value}`).join('&') : '';
  });
  expect(sent).toBe('who=Ann&day=2027-03-23&vol=35&col=#ff0000&pw=pass-1&land=s&many=A&many=C&s=2&p=dog&ok=on');
});

describe('operates widgets as a person does', () => {
  test('a list that opens on a click and takes the value at the choice', async () => {
    const page =
      await open(`<div id="box" role="combobox" tabindex="0" aria-expanded="false" aria-label="City">Choose</div>
      <ul id="list" role="listbox" hidden style="position:absolute;background:#fff"><li role="option">Rome</li><li role="option">Oslo</li></ul>
      <p id="sent"></p><script>
      box.onclick = () => { list.hidden = !list.hidden; box.setAttribute('aria-expanded', String(!list.hidden)); };
      box.onkeydown = ({ key }) => { if (key === 'Escape' && !list.hidden) box.click(); };
      list.onclick = (event) => { box.textContent = sent.textContent = event.target.textContent; box.click(); };</script>`);
    expect(await set(page, 'City', 'Oslo')).toMatchObject({ status: 'confirmed', shown: 'Oslo' });
    expect(await text(page)).toBe('Oslo');
    const missing = await set(page, 'City', 'Paris');
    expect(missing).toMatchObject({ status: 'failed', shown: 'Oslo' });
    expect(missing.problem).toContain('it has no option "Paris". Its options: Rome, Oslo');
    expect(await page.locator('#list').isVisible()).toBe(false);
  });

  test('a field that takes its value only when it is left', async () => {
    const page = await open(
      `<label>Code <input id="i"></label><p id="sent"></p><script>i.onblur = () => { sent.textContent = i.value }</script>`,
    );
    expect(await set(page, 'Code', 'x1')).toMatchObject({ status: 'confirmed' });
    expect(await text(page)).toBe('x1');
  });

  test('a calendar whose buttons are known only by what they do', async () => {
    const page = await open(`<label>Day <input id="i" readonly></label><div id="c" hidden></div><script>
      let at = new Date(2026, 10, 1);
      const draw = () => { c.innerHTML = '<a href="#" class="a1">‹</a><b>' + at.toLocaleString('en', { month: 'long', year: 'numeric' }) + '</b><a href="#" class="a2">›</a>'
        + Array.from({ length: new Date(at.getFullYear(), at.getMonth() + 1, 0).getDate() }, (_, d) => '<button>' + (d + 1) + '</button>').join(''); };
      i.onclick = () => { c.hidden = false; draw(); };
      c.onclick = (event) => { event.preventDefault(); event.stopPropagation(); const t = event.target;
        if (t.matches('a')) { at.setMonth(at.getMonth() + (t.className === 'a2' ? 1 : -1)); draw(); }
        else if (t.matches('button')) { i.value = at.getFullYear() + '-' + String(at.getMonth() + 1).padStart(2, '0') + '-' + t.textContent.padStart(2, '0'); c.hidden = true; } };</script>`);
    expect(await set(page, 'Day', '2027-03-23')).toMatchObject({ status: 'confirmed', shown: '2027-03-23' });
  });

  test('a table of questions by row and column', async () => {
    const row = (name: string) =>
      `<tr><th>${name}</th><td><input type="radio" name="${name}"></td><td><input type="radio" name="${name}"></td></tr>`;
    const page = await open(
      `<table><caption>Opinion</caption><tr><td></td><th>No</th><th>Yes</th></tr>${row('Cheap')}${row('Fast')}</table>`,
    );
    expect(await set(page, 'Opinion', { Cheap: 'Yes', Fast: 'No' })).toMatchObject({ status: 'confirmed' });
    expect(await set(page, 'Opinion', { Slow: 'No' })).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('it has no row "Slow"'),
    });
  });

  test('a control in a shadow root of a frame of another site', async () => {
    await using server = await testServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<div id="h"></div><script>h.attachShadow({mode:'open'}).innerHTML='<label>Inner <input></label>'</script>`,
      );
    });
    const page = await open(`<div style="height:1500px"></div><iframe title="far" src="${server.url}"></iframe>`);
    await page.frameLocator('[title=far]').getByLabel('Inner').waitFor();
    expect(await set(page, 'Inner', 'deep')).toMatchObject({ status: 'confirmed', shown: 'deep' });
  });
});

describe('says what a page does with a value', () => {
  test('that it shows another one', async () => {
    const page = await open(`<label>Age <input id="i"></label><script>i.onchange = () => { i.value = '99' }</script>`);
    const result = await set(page, 'Age', '120');
    expect(result).toMatchObject({ status: 'different', shown: '99' });
    expect(result.problem).toBe(
      'The field "Age" was given "120", but the page shows "99". Use a value that the field accepts.',
    );
  });

  test('that nothing shows it', async () => {
    const page = await open(`<div id="d" tabindex="0">Pick</div><ul id="l" hidden><li>One</li></ul><script>
      d.onclick = () => { l.hidden = false }; l.onclick = () => { l.hidden = true };</script>`);
    const [element] = await findElements(page, '#d');
    expect(element && (await setValue(page, { element, name: 'Pick' }, 'One'))).toMatchObject({
      status: 'unconfirmed',
    });
  });

  test('that a later field changed it', async () => {
    const page = await open(`<label>A <input id="a"></label><label>B <input id="b"></label>
      <script>b.onchange = () => { a.value = 'lost' }</script>`);
    const [a, b] = (await readSnapshot(page)).controls;
    if (!a || !b) throw new Error('two controls');
    const entries = [
      { control: a, value: 'one' },
      { control: b, value: 'two' },
    ];
    expect((await setValues(page, entries)).map(({ status }) => status)).toEqual(['different', 'confirmed']);
    expect((await confirmValues(page, entries)).map(({ shown }) => shown)).toEqual(['lost', 'two']);
  });

  test('that it is disabled, covered, or no longer there', async () => {
    const page = await open(`<label>Off <input disabled></label><label>Under <input id="u"></label>
      <div style="position:fixed;inset:0;background:#fff">Wait</div>`);
    const { controls } = await readSnapshot(page);
    const [off, under] = controls;
    if (!off || !under) throw new Error('two controls');
    expect((await setValue(page, off, 'x')).problem).toContain('it is disabled');
    expect((await setValue(page, under, 'x')).problem).toContain('<div> "Wait" lies over it');
    await page.evaluate(() => document.querySelector('#u')?.remove());
    expect((await setValue(page, under, 'x')).status).toBe('failed');
  });
});
