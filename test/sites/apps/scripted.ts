import { html, toText, verbatim } from '../../../src/web/html.ts';
import { cleanPage, type SiteHandler } from '../serve.ts';

/** Client-side routes with delayed rendering, and a beacon when the page is left. */
const script = `
const routes = {
  '': '<h1>Workboard</h1><p>Welcome.</p>',
  '/jobs': '<h1>Jobs</h1><label>Sort by <select><option>Date<option>Salary</select></label>' +
    [1, 2, 3, 4].map((id) => '<div class="card"><a href="#/jobs/' + id + '">Job ' + id + '</a></div>').join('') + '<button>Load more</button>',
  '/jobs/:id': '<h1>A job</h1><p>Do things.</p>',
  '/salary': '<h1>Salary calculator</h1><label>Job title <input></label><label>Years <input type="number"></label><button>Calculate</button><output></output>',
  '/enter': '<h1>Sign in</h1><label>Email <input type="email" autocomplete="username"></label><label>Password <input type="password" autocomplete="current-password"></label><button>Sign in</button>',
};
const menu = '<nav><a href="#/">Home</a> <a href="#/jobs">Jobs</a> <a href="#/salary">Salary</a> <a href="#/enter">Sign in</a> <a href="#/logout">Leave</a></nav>';
const draw = () => setTimeout(() => {
  const route = location.hash.slice(1).replace(/\\d+$/, ':id').replace(/^\\/$/, '');
  document.getElementById('app').innerHTML = menu + '<main>' + (routes[route] ?? '<h1>Gone</h1>') + '</main>';
}, 150);
addEventListener('hashchange', draw);
draw();
addEventListener('pagehide', () => {
  navigator.sendBeacon('/left', 'beacon');
  fetch('/left', { method: 'POST', keepalive: true, body: 'fetch' });
});
if (globalThis.SharedWorker) new SharedWorker('/worker.js');
`;

const shell = html`<!DOCTYPE html><html lang="en"><head><title>Workboard</title></head><body><div id="app">Loading</div><script>${verbatim(script)}</script></body></html>`;

/** A page that only the sitemap names. */
const contact = html`<form method="post" action="/admin/contact"><label>Email <input type="email" name="email" required></label><label>Message <textarea name="message" required></textarea></label><button>Send message</button></form><form method="post" action="/admin/digest"><label>Weekly digest <input type="email" name="email"></label><button>Keep me posted</button></form><form method="post" action="/admin/open-day"><label>Guests <input type="number" name="guests"></label><button>Reserve a place</button></form>`;

/** A site that scripts render, below a path that equals the user name. */
export const scriptedSite: SiteHandler = (path, { headers: { host = '' } }) => {
  if (path === '/admin') return toText(shell);
  if (path === '/admin/contact') return cleanPage('Contact', toText(contact));
  if (path === '/sitemap.xml') {
    const pages = ['/admin', '/admin/contact', '/admin/logout'].map(
      (at) => `<url><loc>http://${host}${at}</loc></url>`,
    );
    return { type: 'application/xml', body: `<urlset>${pages.join('')}</urlset>` };
  }
  if (path === '/worker.js')
    return { type: 'text/javascript', body: "fetch('/left', { method: 'POST', body: 'worker' })" };
  return undefined;
};
