import { expect, test } from 'vitest';
import { readPage } from '../snapshot/page-reader.ts';
import { testPages } from '../test-support.ts';
import { findByLadder } from './element-finder.ts';
import { rungToSelector, selectorToRung } from './rung-selector.ts';

const open = testPages();

async function incomeLadder() {
  const page = await open('<label for="income">Income</label><input id="income" name="inc">');
  const [control] = (await readPage(page)).controls;
  return control?.ladder ?? [];
}

const quick = { timeoutMs: 300 };

test('takes the first rung that finds the element, and reports a later one as healed', async () => {
  const ladder = [selectorToRung('#income'), ...(await incomeLadder())];
  const same = await open('<label for="income">Income</label><input id="income" name="inc">');
  expect(await findByLadder(same, ladder, { kind: 'text' }, quick)).toMatchObject({ rung: 0, healed: false });
  const renamed = await open('<label for="x">Income</label><input id="x" name="inc">');
  expect(await findByLadder(renamed, ladder, { kind: 'text' }, quick)).toMatchObject({ rung: 1, healed: true });
});

test('never takes an element of another name or kind', async () => {
  const ladder = [selectorToRung('#income'), ...(await incomeLadder())];
  const relabelled = await open('<label for="income">Parent income</label><input id="income" name="inc">');
  await expect(findByLadder(relabelled, ladder, { kind: 'text' }, quick)).rejects.toMatchObject({
    code: 'ELEMENT_CHANGED',
  });
  const moved = await open(
    '<label for="income">Other</label><input id="income"><label for="b">Income</label><input id="b">',
  );
  const found = await findByLadder(moved, ladder, { kind: 'text' }, quick);
  expect(await found.locator.getAttribute('id')).toBe('b');
  const twins = await open('<label>Income <input></label><label>Income <input></label>');
  await expect(findByLadder(twins, ladder, {}, quick)).rejects.toMatchObject({ code: 'ELEMENT_AMBIGUOUS' });
  const button = await open('<button id="income">Income</button>');
  await expect(findByLadder(button, [selectorToRung('#income')], { kind: 'text' }, quick)).rejects.toMatchObject({
    code: 'ELEMENT_CHANGED',
  });
});

test('tells elements of the same name apart by their question', async () => {
  const form = (birth: string, retirement: string) => `
    <fieldset><legend>Birth <abbr aria-hidden="true">*</abbr></legend><label>Year <input id="${birth}"></label></fieldset>
    <fieldset><legend>Retirement</legend><label>Year <input id="${retirement}"></label></fieldset>`;
  const [first] = (await readPage(await open(form('a', 'b')))).controls;
  const ladder = [selectorToRung('#a'), ...(first?.ladder ?? [])];
  const swapped = await open(form('b', 'a'));
  const found = await findByLadder(swapped, ladder, { kind: 'text' }, quick);
  expect(await found.locator.getAttribute('id')).toBe('b');
});

test('follows only the first rung without a name', async () => {
  const page = await open('<input class="a"><input class="b">');
  const ladder = [selectorToRung('.gone'), selectorToRung('.b')];
  await expect(findByLadder(page, ladder, {}, quick)).rejects.toMatchObject({ code: 'ELEMENT_NOT_FOUND' });
});

test('waits for an element that appears later', async () => {
  const page = await open(
    `<button onclick="requestAnimationFrame(() => { const input = document.createElement('input'); input.id = 'late'; document.body.append(input); })">Go</button>`,
  );
  const found = findByLadder(page, [selectorToRung('#late')], { kind: 'text' }, { timeoutMs: 5_000 });
  await page.locator('button').click();
  expect((await found).facts.tag).toBe('input');
});

test('restores a rung from its selector', () => {
  for (const rung of [
    { by: 'role' as const, role: 'button', value: 'It’s "so"' },
    { by: 'label' as const, value: 'Name' },
    { by: 'test-id' as const, attribute: 'data-cy', value: 'x' },
    { by: 'placeholder' as const, value: 'MM' },
    { by: 'id' as const, value: 'a-b_1' },
    { by: 'text' as const, tag: 'button', value: 'Go' },
    { by: 'role' as const, role: 'textbox', value: 'Zip', frame: ['iframe[id="a"]', 'iframe'] },
  ])
    expect(selectorToRung(rungToSelector(rung))).toEqual(rung);
});

test('waits only while requests are pending', async () => {
  const page = await open('<p>Nothing here</p>');
  const late = { timeoutMs: 600_000 };
  await expect(findByLadder(page, [selectorToRung('#late')], {}, { ...late, pending: () => 0 })).rejects.toMatchObject({
    code: 'ELEMENT_NOT_FOUND',
  });
  let asked = 0;
  const pending = () => {
    // Long after the page has come to rest.
    if (++asked === 8) void page.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<input id="late">'));
    return asked < 8 ? 1 : 0;
  };
  expect(await findByLadder(page, [selectorToRung('#late')], {}, { ...late, pending })).toMatchObject({ rung: 0 });
});
