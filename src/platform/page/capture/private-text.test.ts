import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { buildPagePatterns } from '../../redaction/redactor.ts';
import { testPages } from '../test-support.ts';
import { maskPrivateText, takeMaskedScreenshot, trackClosedShadowRoots } from './private-text.ts';
import { takeScreenshot } from './screenshot.ts';

const open = testPages();
const { source, short } = buildPagePatterns(
  ['pa55 word', 'rosa@example.com', 'no', 'admin'],
  ['admin', 'rosa@example.com'],
);
const text = { source, alone: [...short] };

/** Ids of what is covered, in all frames. */
async function coveredOn(page: Page, hidden = text): Promise<string[]> {
  await using covered = await maskPrivateText(page, hidden);
  const ids = await Promise.all(covered.masks.map((mask) => mask.evaluateAll((all) => all.map(({ id }) => id))));
  return ids.flat().sort();
}

test.each([
  ['as it is', '<p id="a">Hello rosa@example.com</p><p>Hello nobody</p>', ['a']],
  ['in other letters, over lines', '<p id="a">ROSA@Example.com</p><pre id="b">pa55\n   word</pre>', ['a', 'b']],
  ['put together from parts', '<p id="a">ro<b>sa@exa</b>mple.<i>com</i></p>', ['a']],
  ['twice, once in parts', '<div id="a"><p id="b">pa55 word</p> pa<b>55</b> word</div>', ['a', 'b']],
  ['in controls', '<input id="a" value="pa55 word"><textarea id="b">rosa@example.com</textarea>', ['a', 'b']],
  [
    'as a choice or a hint',
    '<select id="a"><option id="c">rosa@example.com</select><input id="b" placeholder="pa55 word">',
    ['a', 'b', 'c'],
  ],
  [
    'by a style sheet',
    '<style>#a::after { content: attr(data-who) }</style><p id="a" data-who="rosa@example.com">Hi</p>',
    ['a'],
  ],
  [
    'by a style sheet of its own words',
    '<style>#a::after { content: "rosa@example.com" }</style><p id="a">Hi</p><p>Hi</p>',
    ['a'],
  ],
  [
    'by a style sheet, from what stands elsewhere',
    '<style>#a::before { content: var(--who) }</style><div style="--who: \'pa55 word\'"><p id="a">Hi</p></div>',
    ['a'],
  ],
  ['as a word in a line of its own', '<p id="a">Name<br>admin<br>Rights</p>', ['a']],
  ['instead of a picture', '<img id="a" alt="rosa@example.com" src="data:,">', ['a']],
  [
    'in a drawing',
    `<img id="a" src="data:image/svg+xml;utf8,<svg xmlns='http://www.w3.org/2000/svg'><text>pa55 <tspan>word</tspan></text></svg>">
    <img id="b" src="data:image/svg+xml;base64,${Buffer.from('<svg><text>Hello rosa@example.com</text></svg>').toString('base64')}">
    <img id="c" src="https://127.0.0.1:1/draw?text=rosa%40example.com"><img src="data:image/png;base64,AAAA">`,
    ['a', 'b', 'c'],
  ],
  ['as a short word alone', '<p id="a">No</p><p>I do not know</p>', ['a']],
  [
    'as a word, not in one',
    '<p id="a">The admin</p><p>Administration</p><table><tr><td id="b">admin</td><td>Rights</td></tr></table>',
    ['a', 'b'],
  ],
  ['encoded', `<p id="a">${Buffer.from('pa55 word').toString('base64')}</p><p id="b">pa55%20word</p>`, ['a', 'b']],
  ['in a script only', '<script>const secret = "pa55 word";</script><p>Nothing</p>', []],
])('finds private text %s', async (how, html, ids) => {
  const page = await open(html);
  expect(await coveredOn(page)).toEqual(ids);
  expect(await coveredOn(page)).toEqual(ids);
  // Where nothing short is looked for, the page as a whole may say that there is nothing.
  expect(await coveredOn(page, { source, alone: [] })).toEqual(how.includes('short') ? [] : ids);
});

test('finds a number next to other numbers', async () => {
  const page = await open('<table><tr><td id="a">85250</td><td>100</td></tr></table>');
  expect(await coveredOn(page, { source: '(?<!\\d)85250(?!\\d|[.,]\\d{3})', alone: [] })).toEqual(['a']);
});

test('finds text that is private only after other words', async () => {
  const page = await open('<p id="a">Ending in <b>6789</b></p><p>6789</p><p id="b">Card: 6789</p>');
  const reported = { source: 'rosa|6789(?!\\d)(?<=ending in\\P{N}{0,9}6789|card\\P{N}{0,9}6789)', alone: [] };
  expect(await coveredOn(page, reported)).toEqual(['a', 'b']);
});

test('finds the whole private text although a part of it is private by itself', async () => {
  const page = await open('<p id="a">ro<b>sa</b> <u id="b">lee</u></p>');
  expect(await coveredOn(page, { source: 'rosa lee|rosa|lee', alone: [] })).toEqual(['a', 'b']);
});

test('finds private text in frames and shadow roots, and masks a closed root as a whole', async () => {
  const page = await open('');
  await page.addInitScript(trackClosedShadowRoots);
  await page.goto('about:blank');
  await page.setContent(
    '<iframe srcdoc="<p id=a>rosa@example.com</p>"></iframe><div id="host"></div><div id="b"></div>',
  );
  await page.evaluate(() => {
    const root = document.querySelector('#host')?.attachShadow({ mode: 'open' });
    if (root) root.innerHTML = '<p id="c">pa55 word</p>';
    const closed = document.querySelector('#b')?.attachShadow({ mode: 'closed' });
    if (closed) closed.innerHTML = '<p>pa55 word</p>';
  });
  await page.frameLocator('iframe').locator('p').waitFor();
  expect(await coveredOn(page)).toEqual(['a', 'b', 'c']);
});

test('masks the host of a shadow root with private text outside its elements', async () => {
  const page = await open('');
  await page.addInitScript(trackClosedShadowRoots);
  await page.goto('about:blank');
  await page.setContent('<div id="a"></div><div id="b"></div><div id="c"></div><div id="d">pa55</div>');
  await page.evaluate(() => {
    const grow = (host: Element | null | undefined, mode: ShadowRootMode, html: string) => {
      const root = host?.attachShadow({ mode });
      if (root) root.innerHTML = html;
      return root;
    };
    grow(document.querySelector('#a'), 'open', 'Hello pa55 word');
    grow(document.querySelector('#b'), 'closed', 'Hello pa55 word');
    const outer = grow(document.querySelector('#c'), 'closed', '<div></div>');
    grow(outer?.querySelector('div'), 'open', '<p>Hello pa55 word</p>');
    grow(document.querySelector('#d'), 'open', 'Hello <slot></slot>');
  });
  expect(await coveredOn(page)).toEqual(['a', 'b', 'c']);
});

test('reveals no private text to a page that does not show it', async () => {
  const page = await open(`<script>
    const learnt = [];
    const hear = (what) => learnt.push(String(what));
    const Own = RegExp;
    globalThis.RegExp = function (source, flags) { hear(source); return new Own(source, flags); };
    for (const [of, name] of [[Own.prototype, 'test'], [Own.prototype, 'exec'], [String.prototype, 'match'], [Array.prototype, 'includes']]) {
      const own = of[name];
      of[name] = function (given) { hear(this.source ?? (Array.isArray(this) ? this.join() : given)); return own.call(this, given); };
    }
  </script><p id="a">Hello rosa@example.com</p>`);
  expect(await coveredOn(page)).toEqual(['a']);
  const learnt = await page.evaluate('learnt.join("\\n")');
  expect(learnt).toContain('example');
  expect(learnt).not.toMatch(/pa55|\\x70a55|admin|no\b/);
});

test('notices private text that appears meanwhile, and fails on a page that cannot be read', async () => {
  const page = await open('<p id="a" style="font-size:60px">pa55 word</p>');
  {
    await using covered = await maskPrivateText(page, text);
    const picture = await takeScreenshot(page, { masked: covered.masks });
    expect(await covered.isStillAll()).toBe(true);
    await page.locator('p').evaluate((element) => element.insertAdjacentHTML('afterend', '<p>pa55 word</p>'));
    expect(await covered.isStillAll()).toBe(false);
    expect(picture).not.toEqual(await takeScreenshot(page));
  }
  expect(await page.content()).not.toMatch(/data-[0-9a-f]{12}/);
  await page.close();
  await expect(maskPrivateText(page, text)).rejects.toThrow();
});

test('masks private text in a screenshot, and the whole page where it keeps moving', async () => {
  const options = { quality: 80, timeoutMs: 20_000 };
  const pictureOf = async (value: string, more = '') => {
    const page = await open(`<h1>Hello</h1><p id="a" style="font:20px monospace">${value}</p>${more}`);
    const taken = await takeMaskedScreenshot(page, text, options);
    return { ...taken, plain: await takeScreenshot(page, options), page };
  };
  const one = await pictureOf('pa55 word');
  expect(one.isWhole).toBe(true);
  expect(one.picture).not.toEqual(one.plain);
  expect(await one.page.content()).not.toMatch(/data-[0-9a-f]{12}/);
  expect((await pictureOf('harmless')).picture).not.toEqual(one.picture);

  const restless = `<script>
    const show = () => { a.outerHTML = '<p id="a">pa55 word</p>'; };
    new MutationObserver(() => { if (a.getAttributeNames().length > 1) show(); })
      .observe(document.body, { attributes: true, childList: true, subtree: true });
  </script>`;
  const moving = await pictureOf('pa55 word', restless);
  expect(moving.isWhole).toBe(false);
});
