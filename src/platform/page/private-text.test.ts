import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { patternFor } from '../redact.ts';
import { takePicture } from './picture.ts';
import { coverPrivate, rememberClosedRoots } from './private-text.ts';
import { testPages } from './test-support.ts';

const open = testPages();
const { source, short } = patternFor(['pa55 word', 'rosa@example.com', 'no', 'admin'], ['admin', 'rosa@example.com']);
const text = { source, alone: [...short] };

/** Ids of what is covered, in all frames. */
async function coveredOn(page: Page): Promise<string[]> {
  await using covered = await coverPrivate(page, text);
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
  ['as a short word alone', '<p id="a">No</p><p>I do not know</p>', ['a']],
  [
    'as a word, not in one',
    '<p id="a">The admin</p><p>Administration</p><table><tr><td id="b">admin</td><td>Rights</td></tr></table>',
    ['a', 'b'],
  ],
  ['encoded', `<p id="a">${Buffer.from('pa55 word').toString('base64')}</p><p id="b">pa55%20word</p>`, ['a', 'b']],
  ['in a script only', '<script>const secret = "pa55 word";</script><p>Nothing</p>', []],
])('what is private is found %s', async (_how, html, ids) => {
  const page = await open(html);
  expect(await coveredOn(page)).toEqual(ids);
  expect(await coveredOn(page)).toEqual(ids);
});

test('it is found in frames and in shadow roots, and a closed one is covered as a whole', async () => {
  const page = await open('');
  await page.addInitScript(rememberClosedRoots);
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

test('a page that shows it elsewhere meanwhile is noticed, and one that cannot be looked at is an error', async () => {
  const page = await open('<p id="a" style="font-size:60px">pa55 word</p>');
  {
    await using covered = await coverPrivate(page, text);
    const picture = await takePicture(page, { masked: covered.masks });
    expect(await covered.isStillAll()).toBe(true);
    await page.locator('p').evaluate((element) => element.insertAdjacentHTML('afterend', '<p>pa55 word</p>'));
    expect(await covered.isStillAll()).toBe(false);
    expect(picture).not.toEqual(await takePicture(page));
  }
  expect(await page.content()).not.toMatch(/data-[0-9a-f]{12}/);
  await page.close();
  await expect(coverPrivate(page, text)).rejects.toThrow();
});
