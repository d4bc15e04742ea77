import { expect, test } from 'vitest';
import { testPages, testServer } from '../../platform/page/test-support.ts';
import { callInPage } from './isolated-world.ts';

const open = testPages();

const SPINNER = '<progress></progress>';
/** Replaces what code in a page relies on, so that a loading page looks finished to code that asks the page itself. */
const HOSTILE = `<script>
  Document.prototype.querySelectorAll = Element.prototype.querySelectorAll = () => [];
  Document.prototype.querySelector = Element.prototype.querySelector = () => null;
  Document.prototype.createTreeWalker = () => ({ nextNode: () => null });
  Element.prototype.checkVisibility = () => false;
  Element.prototype.getBoundingClientRect = () => ({ width: 0, height: 0 });
  Array.prototype.map = Array.prototype.filter = Array.prototype.some = () => false;
  JSON.stringify = JSON.parse = () => '"lie"';
  window.MutationObserver = class { observe() {} disconnect() {} takeRecords() { return []; } };
  Object.defineProperty(HTMLElement.prototype, 'innerText', { get: () => 'text' });
  performance.now = () => 0;
  window.assayPage = () => '"lie"';
</script>`;
const read = (page: Awaited<ReturnType<typeof open>>) => callInPage(page, 'readLoadingState', { restart: true }, 5_000);

test('is not misled by a page that replaces what code in a page relies on', async () => {
  const page = await open(`${HOSTILE}<main></main>${SPINNER}`);
  expect(await page.evaluate(() => document.querySelectorAll('progress').length)).toBe(0);
  expect(await read(page)).toMatchObject({ isScripted: true, isBusy: true, isEmpty: true });
});

test('is not misled by elements that have the names of document and form properties', async () => {
  const names = ['fonts', 'scripts', 'body', 'querySelectorAll', 'getAnimations', 'createTreeWalker', 'readyState'];
  const forms = names.map((name) => `<form name="${name}"></form>`).join('');
  const inputs = ['shadowRoot', 'checkVisibility', 'querySelector', 'matches'].map((name) => `<input name="${name}">`);
  const page = await open(`<script></script>${forms}<form>${inputs.join('')}</form>${SPINNER}`);
  expect(await read(page)).toMatchObject({ isScripted: true, isBusy: true, isEmpty: false, isParsing: false });
});

test.each([
  ['a policy without scripts', "default-src 'none'; script-src 'none'"],
  ['a sandbox', 'sandbox'],
  ['trusted types', "script-src 'self'; trusted-types 'none'; require-trusted-types-for 'script'"],
])('runs in a page under %s', async (_, policy) => {
  await using server = await testServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy });
    response.end(`<!doctype html><title>T</title><script src="data:,"></script>${SPINNER}`);
  });
  const page = await open('');
  await page.goto(server.url);
  expect(await read(page)).toMatchObject({ isScripted: true, isBusy: true });
});

test('looks into shadow roots 20 deep and frames of the same origin', async () => {
  const page = await open('<script></script><div id="host"></div>');
  await page.evaluate(() => {
    let host: Element | null = document.querySelector('#host');
    for (let depth = 0; depth < 20; depth++) {
      const root: ShadowRoot | undefined = host?.attachShadow({ mode: 'open' });
      if (root) root.innerHTML = '<div></div>';
      host = root?.firstElementChild ?? null;
    }
    if (host) host.innerHTML = '<iframe srcdoc="<progress></progress>"></iframe>';
  });
  await expect.poll(() => read(page)).toMatchObject({ isBusy: true });
});

test('reads a page of 100,000 elements within the limit', async () => {
  const page = await open(`<script></script>${'<i></i>'.repeat(100_000)}text`);
  expect(await read(page)).toMatchObject({ isBusy: false, isEmpty: false });
});

test('gives up on a page that does not respond', async () => {
  const page = await open('');
  await page.evaluate(() =>
    setTimeout(() => Iterator.from({ next: () => ({ done: false, value: 0 }) }).forEach(() => {})),
  );
  expect(await callInPage(page, 'readLoadingState', { restart: true }, 300)).toBeUndefined();
});
