import { expect, test } from 'vitest';
import type { Ladder } from '../page-model.ts';
import { testPages, testServer } from '../test-support.ts';
import { clickGuardScript, endClickGuards } from './click-guard.ts';
import { fastClick } from './fast-click.ts';

const open = testPages();
const button = (name: string): Ladder => [{ by: 'role', role: 'button', value: name }];
const link = (name: string): Ladder => [{ by: 'role', role: 'link', value: name }];
const options = { timeoutMs: 20_000 };
const counting = `<script>let clicks = 0; addEventListener('click', (event) => { if (event.isTrusted) clicks++; });</script>`;
const clicksOn = (page: Awaited<ReturnType<typeof open>>) => page.evaluate('clicks');

test.each([
  ['a button', '<button>Go</button>'],
  ['a button below the fold', '<p style="height:3000px"></p><button>Go</button>'],
  ['words within a button', '<button><span><b>Go</b></span></button>'],
])('clicks %s as a mouse does', async (_, html) => {
  const page = await open(`${html}${counting}`);
  expect(await fastClick(page, button('Go'), options)).toBe(true);
  expect(await clicksOn(page)).toBe(1);
});

test('clicks a button in a shadow root, and twice on request', async () => {
  const page = await open(`<div id="host"></div>${counting}
    <script>document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML = '<button>Go</button>';</script>`);
  expect(await fastClick(page, button('Go'), { ...options, times: 2 })).toBe(true);
  expect(await clicksOn(page)).toBe(2);
});

test.each([
  ['there are two of them', '<button>Go</button><button>Go</button>'],
  ['it is disabled', '<button disabled>Go</button>'],
  ['something lies over it', '<button>Go</button><div style="position:fixed;inset:0"></div>'],
  ['the page moves', '<style>@keyframes m{to{margin:99px}}button{animation:m 99s}</style><button>Go</button>'],
  ['it cannot be seen', '<button style="visibility:hidden">Go</button>'],
  ['it has another name', '<button>Stop</button>'],
])('clicks nothing where %s', async (_, html) => {
  const page = await open(`${html}${counting}`);
  expect(await fastClick(page, button('Go'), options)).toBe(false);
  expect(await clicksOn(page)).toBe(0);
});

test('does not deliver the click to an element that moves under the mouse', async () => {
  const page = await open(`<button>Go</button><button style="display:none">Delete</button><script>
    const heard = [];
    for (const each of document.querySelectorAll('button'))
      for (const type of ['mousedown', 'mouseup', 'click'])
        each.addEventListener(type, () => heard.push(each.textContent + ' ' + type));
    addEventListener('mousemove', () => {
      const [go, other] = document.querySelectorAll('button');
      other.style = '';
      go.before(other);
    });
  </script>`);
  expect(await fastClick(page, button('Go'), options)).toBe(false);
  expect(await page.evaluate('heard')).toEqual([]);
});

test('keeps the guard of the next click when a click misses', async () => {
  const page = await open(`<form id="one" onsubmit="return false"><input id="a" value="1"><button>Go</button></form>
    <form onsubmit="return false"><button id="other" style="display:none">Delete</button></form>${counting}<script>
    addEventListener('mousemove', () => { other.style = 'position:fixed;inset:0'; }, { once: true });
  </script>`);
  await page.evaluate(`(${clickGuardScript})().add(a)`);
  expect(await fastClick(page, button('Go'), options)).toBe(false);
  await page.evaluate(`other.remove(); a.value = '2'`);
  await page.getByRole('button', { name: 'Go' }).click();
  expect(await clicksOn(page)).toBe(0);
  expect(await endClickGuards(page.frames())).toBe('changed');
});

test.each([
  ['a link', '<a href="/next">Go</a>', link('Go')],
  ['a form', '<form action="/next"><button>Go</button></form>', button('Go')],
  ['a form that is posted', '<form action="/next" method="post"><button>Go</button></form>', button('Go')],
  ['a script', `<button onclick="location.href = '/next'">Go</button>`, button('Go')],
])('waits for the next page where %s leads to one', async (_, html, ladder) => {
  await using server = await testServer((request, response) => {
    const isNext = request.url?.startsWith('/next');
    response.setHeader('content-type', 'text/html');
    // The answer takes its time: whoever does not wait would still see the first page.
    if (isNext) setTimeout(() => response.end('<title>Next</title>'), 300);
    else response.end(`<title>First</title>${html}`);
  });
  const page = await open('');
  await page.goto(server.url);
  expect(await fastClick(page, ladder, options)).toBe(true);
  expect(await page.title()).toBe('Next');
});

test.each([
  ['the answer has no content', true],
  ['the page stays where it is', false],
])('does not wait where %s', async (_, isSent) => {
  await using server = await testServer((request, response) => {
    if (request.url?.startsWith('/empty')) return void response.writeHead(204).end();
    const form = isSent ? '' : ' onsubmit="event.preventDefault()"';
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(`<form action="/empty"${form}><button>Go</button></form>`);
  });
  const page = await open('');
  await page.goto(server.url);
  expect(await fastClick(page, button('Go'), { timeoutMs: 600_000 })).toBe(true);
});
