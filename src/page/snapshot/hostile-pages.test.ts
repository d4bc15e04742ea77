import { expect, test } from 'vitest';
import { testPages, testServer } from '../../platform/page/test-support.ts';
import { readSnapshot } from './read-snapshot.ts';

const open = testPages();

test('reads a page that replaces what code in a page relies on', async () => {
  const page = await open(`<label>Name <input id="i" value="true"></label><script>
    Document.prototype.querySelectorAll = Element.prototype.querySelectorAll = () => [];
    Document.prototype.createTreeWalker = () => ({ nextNode: () => null });
    Element.prototype.matches = () => false; Element.prototype.getAttribute = () => 'lie';
    Element.prototype.checkVisibility = () => false;
    Array.prototype.map = Array.prototype.filter = () => []; JSON.stringify = () => '"lie"';
    Object.defineProperty(HTMLInputElement.prototype, 'value', { get: () => 'lie' });</script>`);
  expect((await readSnapshot(page)).controls).toMatchObject([{ name: 'Name', value: 'true' }]);
});

test('reads forms whose fields have the names of their properties', async () => {
  const names = [
    'getAttribute',
    'children',
    'parentElement',
    'matches',
    'localName',
    'closest',
    'tagName',
    'id',
    'firstChild',
  ];
  const page = await open(`<form>${names.map((name) => `<label>${name} <input name="${name}"></label>`).join('')}</form>
    <form name="documentElement"></form><form name="getElementById"></form>`);
  expect((await readSnapshot(page)).controls.map(({ name }) => name)).toEqual(names);
});

test('reads 100,000 elements and names what it left out', async () => {
  const page = await open(
    `<label>First <input></label>${'<i>x</i>'.repeat(100_000)}${'<button>b</button>'.repeat(3_000)}`,
  );
  const { controls, omitted } = await readSnapshot(page, { timeoutMs: 60_000 });
  expect(controls).toHaveLength(1_000);
  expect(controls[0]).toMatchObject({ name: 'First' });
  expect(omitted).toContainEqual('2001 of 3001 controls');
});

test('reads shadow roots 20 deep', async () => {
  const page = await open('<div id="host"></div>');
  await page.evaluate(() => {
    let host = document.querySelector('#host');
    for (let depth = 0; depth < 20; depth++) {
      const root: ShadowRoot | undefined = host?.attachShadow({ mode: 'open' });
      if (root) root.innerHTML = depth < 19 ? '<div></div>' : '<label>Deep <input></label>';
      host = root?.firstElementChild ?? null;
    }
  });
  expect((await readSnapshot(page)).controls).toMatchObject([{ name: 'Deep' }]);
});

test('reads a page that detaches its frames and changes all the time', async () => {
  const page = await open(`<label>Stable <input></label><div id="d"></div><script>setInterval(() => {
    d.innerHTML = '<iframe srcdoc="<input>"></iframe><iframe sandbox srcdoc="<input>"></iframe>'; d.append(...Array(20).fill('x')); }, 1)</script>`);
  expect((await readSnapshot(page)).controls[0]).toMatchObject({ name: 'Stable' });
});

test('reads the page that another one leads to while it is read', async () => {
  await using server = await testServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    const next = Number(request.url?.slice(1));
    response.end(next < 3 ? `<input><script>location = '/${next + 1}'</script>` : '<label>Arrived <input></label>');
  });
  const page = await open('');
  await page.goto(`${server.url}/1`, { waitUntil: 'commit' });
  await expect.poll(async () => (await readSnapshot(page)).controls.map(({ name }) => name)).toEqual(['Arrived']);
});

test('gives up on a page that does not answer', async () => {
  const page = await open('');
  await page.evaluate(() =>
    setTimeout(() => Iterator.from({ next: () => ({ done: false, value: 0 }) }).forEach(() => {})),
  );
  await expect(readSnapshot(page, { timeoutMs: 300 })).rejects.toMatchObject({ code: 'PAGE_NOT_READABLE' });
});
