import { text } from 'node:stream/consumers';
import { cleanPage, type SiteHandler } from '../serve.ts';

export const visitor = { username: 'kim.visitor@example.com', password: 'let-Me-In-31' };

const fields =
  '<label>Email <input name="user" autocomplete="username"></label><label>Password <input type="password" name="pass"></label><button>Log in</button>';
const inside =
  '<form method="post" action="/messages"><h2>Contact us</h2><label>Message <textarea name="message" required></textarea></label><button>Send message</button></form>';
const entry = { headers: { 'set-cookie': 'in=yes; Path=/' } };

/** Answers the login with the page itself; its URL keeps showing the form. */
export const answersAtOnce: SiteHandler = async (path, request) => {
  const sent = new URLSearchParams(request.method === 'POST' ? await text(request) : '');
  const isIn = request.headers.cookie?.includes('in=yes') === true;
  const messages = cleanPage('Messages', inside);
  if (path === '/login' && sent.get('pass') === visitor.password) return { ...entry, body: messages };
  if (path === '/login') return cleanPage('Sign in', `<form method="post" action="/login">${fields}</form>`);
  if (path !== '/') return undefined;
  return isIn ? messages : cleanPage('Welcome', '<a href="/login">Log in</a>');
};

/** Is rendered by a script of another site, before and after the login. */
export const drawnFrom =
  (elsewhere: string): SiteHandler =>
  async (path, request) => {
    if (path === '/api/login' && request.method === 'POST')
      return (await text(request)) === visitor.password ? { ...entry, body: 'welcome' } : { status: 403, body: 'no' };
    return path === '/'
      ? cleanPage('App', `<div id="app"></div><script src="${elsewhere}/app.js"></script>`)
      : undefined;
  };

export const appScript: SiteHandler = (path) =>
  path === '/app.js'
    ? {
        type: 'text/javascript',
        body: `const app = document.getElementById('app');
if (document.cookie.includes('in=yes')) app.innerHTML = ${JSON.stringify(inside)};
else {
  app.innerHTML = ${JSON.stringify(`<h2>Sign in</h2><form>${fields}</form>`)};
  app.querySelector('form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const answer = await fetch('/api/login', { method: 'POST', body: app.querySelector('[type=password]').value });
    if (answer.ok) location.href = '/';
  });
}`,
      }
    : undefined;
