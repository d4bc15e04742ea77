import { html, toText } from '../../../src/web/html.ts';
import { cleanPage, type SiteHandler } from '../serve.ts';

const wall = html`<p>Verify that you are human.</p><div class="g-recaptcha"></div>`;
const contact = html`<form method="post" action="/contact"><label>Email <input type="email" name="email" required></label><label>Message <textarea name="message" required></textarea></label><button>Send message</button></form>`;
const links = ['/calendar?month=1', '/deep', '/flood', '/busy', '/restless', '/contact', '/gone', '/stuck'];

const GIGABYTE = 1_000_000_000;

/** A page of a gigabyte without a content length, generated while it is read. */
export function* flood(made = { bytes: 0 }): Generator<Uint8Array> {
  const part = Buffer.alloc(64 * 1024, '<p>more</p>');
  for (; made.bytes < GIGABYTE; made.bytes += part.length) yield part;
}

/** A button that acts at once, as its name says. */
const eager = (name: string, does: string) =>
  `<button type="button" onclick="fetch('/clicked?by${name.replaceAll(' ', '+')}');${does}">${name}</button>`;
const form =
  '<form method="post" action="/notes"><h2>New note</h2><label>Title <input name="title" required></label><label>Text <textarea name="text"></textarea></label><button>Create note</button></form>';
const desks: Record<string, string> = {
  '/': '<a href="/two">Two</a>',
  '/one': [
    eager('New item', "fetch('/items', { method: 'POST' })"),
    eager('Create', "fetch('/api/create?x=1')"),
    eager('Add', "location.href = '/basket?add=3'"),
    eager('Add to cart', "fetch('/innocent?x=1')"),
  ].join(''),
  '/two': [
    eager('Add one', "new Image().src = '/cart/add?id=1'"),
    eager('Create two', "navigator.sendBeacon('/beacon', 'x'); document.forms[0].submit()"),
    `<button type="button" aria-haspopup="dialog" onclick="document.querySelector('dialog').showModal()">New note</button>`,
    `<form method="post" action="/quietly"><input type="hidden" name="x"></form><dialog aria-label="New note">${form}</dialog>`,
  ].join(''),
};

/** An office whose buttons act without a confirmation. */
export const eagerSite: SiteHandler = (path) => {
  if (path.startsWith('/clicked')) return 'noted';
  const desk = desks[path];
  return desk === undefined ? undefined : cleanPage(`Desk ${path}`, `${desk}<a href="/one">One</a>`);
};

/** A hostile site: endless calendar, growing paths, a page of a gigabyte, scripts that never end. */
export const hostileSite: SiteHandler = (path) => {
  const [name = ''] = path.split('?');
  if (name === '/') return cleanPage('Hostile', links.map((to) => `<a href="${to}">${to.slice(1)}</a>`).join(' '));
  if (name === '/wall') return cleanPage('One moment', toText(wall));
  if (name === '/contact') return cleanPage('Contact', toText(contact));
  if (name === '/calendar') {
    const month = Number(/month=(\d+)/.exec(path)?.[1] ?? 1);
    return cleanPage(
      'Calendar',
      `<a href="/calendar?month=${month + 1}">Next month</a> <a href="/calendar/2026/${month}">Month</a>`,
    );
  }
  if (/^\/calendar\/\d+\/\d+$/.test(name)) {
    const month = Number(name.split('/').at(-1));
    return cleanPage('Month', `<a href="/calendar/2026/${month + 1}">Next</a>`);
  }
  if (name.startsWith('/deep')) return cleanPage('Deep', `<a href="${name}/deep">deeper</a>`);
  if (name === '/flood') return { body: flood() };
  if (name === '/busy') return cleanPage('Busy', '<script>for (;;);</script>');
  if (name === '/restless')
    return cleanPage('Restless', '<script>setInterval(() => { document.title += "."; }, 5)</script>');
  if (name === '/stuck') return new Promise<undefined>(() => {});
  return undefined;
};
