import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { cleanPage, type SiteHandler } from '../serve.ts';

export const teller = { username: 'kim.teller@example.com', password: 'p@ss "w<o>rd" & ünï/+=7' };

const sections = [
  'orders',
  'bills',
  'notes',
  'visits',
  'goods',
  'drafts',
  'people',
  'places',
  'tasks',
  'ideas',
  'plans',
  'polls',
];
const inHtml = (said: string) =>
  said.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const { password: key, username } = teller;
const shown = inHtml(key);
const [base64, hex] = (['base64', 'hex'] as const).map((encoding) => Buffer.from(key).toString(encoding));

/** Shows the password of the signed-in user everywhere on the page, in every encoding. */
const leaks = `
<h2>Your password is ${shown}</h2><p>${base64} ${hex} of ${username}</p>
<pre>${inHtml(JSON.stringify({ key, again: JSON.stringify(key) }))}</pre>
<nav>${sections.map((section) => `<a href="/${section}?p=${encodeURIComponent(key)}">${section} ${shown}</a>`).join(' ')}
<a href="/raw?p=${shown}">raw ${base64}</a><a href="/form?${new URLSearchParams({ p: key })}">form</a>
<a href="/delete/${encodeURIComponent(key).toLowerCase()}">Delete ${shown}</a></nav>
<form method="post" action="/send/${encodeURIComponent(key)}"><label>Message for ${shown} <textarea name="${shown}" placeholder="${shown}"></textarea></label>
<label>To <select name="to"><option value="${shown}">${shown}</option><option>${base64}</option></select></label>
<input name="text" value="${shown}" aria-label="Text"><button>Send message to ${shown}</button></form>
<p role="alert">${shown}</p><script>console.error(${JSON.stringify(key)}); throw new Error(${JSON.stringify(key)})</script>`;

interface Said {
  title: string;
  body: string;
  /** Query of the landing page. */
  landing: string;
}

/** A site that repeats the password. Responses are slow enough that the scan writes checkpoints. */
const sayingSite = (password: string, { title, body, landing }: Said): SiteHandler => {
  return async (path, request) => {
    const sent = new URLSearchParams(request.method === 'POST' ? await text(request) : '');
    await pause(200);
    const [name = ''] = path.split('?');
    const isIn = request.headers.cookie?.includes('in=yes') === true;
    if (name === '/login' && sent.get('pass') === password)
      return {
        status: 303,
        headers: { location: `/inside?${new URLSearchParams({ p: landing })}`, 'set-cookie': 'in=yes; Path=/' },
      };
    if (isIn && (name === '/inside' || sections.includes(name.slice(1)))) return cleanPage(`${name} ${title}`, body);
    if (name === '/' || name === '/login')
      return cleanPage(
        'Sign in',
        '<form method="post" action="/login"><label>Email <input name="user" autocomplete="username"></label><label>Password <input type="password" name="pass"></label><button>Log in</button></form>',
      );
    return undefined;
  };
};

export const telltale = sayingSite(key, { title: shown, body: leaks, landing: key });

export const disguiser = { username: 'kim.disguiser@example.com', password: 'Vault-Tiger-90417' };
const characters = [...disguiser.password];
const reversed = characters.toReversed().join('');

/** The password in disguise: reversed, spaced, with zero-width characters, in parts, one element per character. */
const disguises = [
  reversed,
  characters.join(' '),
  characters.join('\u200b'),
  characters.toReversed().join(' - '),
  'Vault Tiger, 904 17',
  disguiser.password.toUpperCase().split('').join('.'),
];

const disguised = disguises
  .map(
    (said, number) => `
<h2>${sections[number]}: ${said}</h2><p role="alert">${said}</p><p title="${said}" data-x="${said}">${said}</p>
<nav><a href="/${sections[number]}?p=${encodeURIComponent(said)}">${sections[number]} ${said}</a></nav>
<form method="post" action="/send/${encodeURIComponent(said)}"><label>Message for ${said} <textarea name="m${number}" placeholder="${said}"></textarea></label>
<button>Send message to ${said}</button></form>
<script>console.error(${JSON.stringify(said)}); setTimeout(() => { throw new Error(${JSON.stringify(said)}) })</script>`,
  )
  .join('');
const eachAlone = characters.map((one) => `<span>${one}</span>`).join('');
const listed = characters.map((one) => `<li>${one}</li>`).join('');
const saidAlone = `<script>for (const one of ${JSON.stringify(characters)}) console.warn(one)</script>`;

/** A site that shows the disguised password in title, texts, errors, console, URLs and attributes. */
export const disguisingSite = sayingSite(disguiser.password, {
  title: reversed,
  body: `${disguised}<p>${eachAlone}</p><ul>${listed}</ul>${saidAlone}`,
  landing: reversed,
});
