import { html, toText } from '../../../src/web/html.ts';
import { cleanPage, type SiteHandler } from '../serve.ts';

const wall = html`<p>Verify that you are human.</p><div class="g-recaptcha"></div>`;
const contact = html`<form method="post" action="/contact"><label>Email <input type="email" name="email" required></label><label>Message <textarea name="message" required></textarea></label><button>Send message</button></form>`;
const links = ['/calendar?month=1', '/deep', '/flood', '/busy', '/restless', '/contact', '/gone', '/stuck'];

/** A site that leads a scanner astray: a calendar without end, paths that only grow, a page of a gigabyte, scripts that never end. */
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
  if (name === '/flood') {
    const body = Buffer.alloc(100_000_000, '<p>more</p>');
    return { headers: { 'content-length': String(body.length) }, body };
  }
  if (name === '/busy') return cleanPage('Busy', '<script>for (;;);</script>');
  if (name === '/restless')
    return cleanPage('Restless', '<script>setInterval(() => { document.title += "."; }, 5)</script>');
  if (name === '/stuck') return new Promise<undefined>(() => {});
  return undefined;
};
