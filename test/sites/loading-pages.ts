import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** The way in which a page gets its content, and when a person would call it ready. */
interface LoadingPage {
  html: string;
  /** Asks for something that cannot be told from what the page waits for, so it is to be reported as late. */
  isLate?: true;
}

const READY = 'window.readyAt = Date.now();';
const SHOW = `document.querySelector('main').innerHTML = '<h1>Done</h1><button>Buy</button>';${READY}`;
const FULL = '<h1>Ready</h1><p>Text</p><button>Buy</button>';
const KEYFRAMES =
  '<style>@keyframes glow { to { opacity: 0.5 } } .glow { animation: glow 1s infinite; width: 200px; height: 20px; background: #ccc }</style>';
const WAIT = 'const wait = (ms) => new Promise((done) => setTimeout(done, ms));';

function page(script: string, main = '', attributes = ''): LoadingPage {
  const header = '<header><a href="/static">Home</a> <a href="/plain">Shop</a></header>';
  const body = `${header}<main${attributes}>${main}</main>${script && `<script>${script}</script>`}`;
  return { html: `<!doctype html><html lang="en"><title>Page</title><body>${body}</body></html>` };
}

const fetchThenShow = (path: string) => `fetch('${path}').then(() => { ${SHOW} });`;
const finish = `document.querySelector('main').removeAttribute('aria-busy');${SHOW}`;

/** Pages by name. `other` is the same server under the address of another site. */
export function loadingPages(other: string): Record<string, LoadingPage> {
  const hanging = (request: string) => page(READY + request, FULL);
  return {
    plain: page('', FULL),
    static: page(READY, FULL),
    'after 80 ms': page(fetchThenShow('/wait?80')),
    'after 300 ms': page(fetchThenShow('/wait?300')),
    'after 1,000 ms': page(fetchThenShow('/wait?1000')),
    'after 3,000 ms': page(fetchThenShow('/wait?3000')),
    'after 3,000 ms below a heading': page(fetchThenShow('/wait?3000'), '<h1>Products</h1>'),
    'after 7,000 ms, aria-busy': page(`fetch('/wait?7000').then(() => { ${finish} });`, 'Loading', ' aria-busy="true"'),
    'after 7,000 ms without a sign': { ...page(fetchThenShow('/wait?7000'), '<h1>Products</h1>'), isLate: true },
    'after a chain': page(
      `fetch('/wait?200').then(() => fetch('/wait?200&again')).then(() => fetch('/wait?300')).then(() => { ${SHOW} });`,
      '<h1>P</h1>',
    ),
    'after a chain with pauses': page(
      `${WAIT} (async () => { await fetch('/wait?200'); await wait(40); await fetch('/wait?200&b'); await wait(40); await fetch('/wait?200&c'); ${SHOW} })();`,
      '<h1>P</h1>',
    ),
    'after an import': page(`import('/chunk.js?600').then(() => { ${SHOW} });`, '<h1>P</h1>'),
    'after a slow long answer': page(
      `fetch('/drip').then((answer) => answer.text()).then(() => { ${SHOW} });`,
      '<h1>P</h1>',
    ),
    'skeleton with a timer': page(`setTimeout(() => { ${finish} }, 1500);`, 'wait', ' aria-busy="true"'),
    'skeleton without ARIA': page(fetchThenShow('/wait?5000'), `<h1>Products</h1>${KEYFRAMES}<div class="glow"></div>`),
    'in a shadow root': page(
      `const root = document.querySelector('main').attachShadow({ mode: 'open' }); fetch('/wait?700').then(() => { root.innerHTML = '<h1>Done</h1>'; ${READY} });`,
    ),
    'long poll': { ...hanging(`fetch('/hang')`), isLate: true },
    'repeated poll': hanging(`(async () => { for (;;) await fetch('/wait?400'); })();`),
    'event stream': hanging(`new EventSource('/stream');`),
    'fetched stream': hanging(
      `fetch('/stream').then(async (answer) => { const reader = answer.body.getReader(); for (;;) await reader.read(); });`,
    ),
    'unread answer': hanging(`fetch('/wait?50');`),
    'web socket': hanging(`new WebSocket('ws://' + location.host + '/socket');`),
    beacon: hanging(`navigator.sendBeacon('/hang', 'x');`),
    'keepalive request of another site': {
      ...hanging(`fetch('${other}/hang', { method: 'POST', keepalive: true, mode: 'no-cors', body: 'x' });`),
      isLate: true,
    },
    pixel: hanging(`new Image().src = '/hang';`),
    'opaque request': { ...hanging(`fetch('${other}/hang', { mode: 'no-cors' });`), isLate: true },
    'hanging script of another site': hanging(
      `const script = document.createElement('script'); script.async = true; script.src = '${other}/hang'; document.body.append(script);`,
    ),
    clock: hanging(`setInterval(() => { document.querySelector('p').textContent = Date.now(); }, 1000);`),
    ticker: hanging(`setInterval(() => { document.querySelector('p').textContent = Date.now(); }, 30);`),
    carousel: page(
      `${READY} let turn = 0; setInterval(() => { const list = document.querySelector('ul'); list.style.transition = 'transform 0.4s'; list.style.transform = 'translateX(' + ((turn++ % 3) * -50) + 'px)'; }, 500);`,
      `${FULL}<ul><li>a<li>b<li>c</ul>`,
    ),
    decoration: page(READY, `${FULL}${KEYFRAMES}<div class="glow"></div>`),
  };
}

/** Serves the pages at `/` and their URI-encoded name, and the resources that they ask for. */
export function serveLoadingPages(pages: () => Record<string, LoadingPage>): RequestListener {
  return (request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://127.0.0.1');
    const found = pages()[decodeURIComponent(pathname.slice(1))];
    if (found) send(response, 'text/html', found.html);
    else
      resources[pathname]?.(request, response, Number.parseInt(search.slice(1), 10) || 0) ??
        response.writeHead(404).end();
  };
}

const resources: Record<string, (request: IncomingMessage, response: ServerResponse, ms: number) => unknown> = {
  '/wait': (_, response, ms) => setTimeout(() => send(response, 'application/json', '{}'), ms),
  '/chunk.js': (_, response, ms) => setTimeout(() => send(response, 'text/javascript', 'export default 1'), ms),
  '/hang': () => true,
  '/socket': () => true,
  '/stream': (request, response) => sendParts(request, response, 'text/event-stream', Number.POSITIVE_INFINITY),
  '/drip': (request, response) => sendParts(request, response, 'application/json', 5),
};

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
}

function sendParts(request: IncomingMessage, response: ServerResponse, type: string, count: number): true {
  response.writeHead(200, { 'content-type': type });
  let sent = 0;
  const timer = setInterval(() => {
    if (++sent > count) response.end();
    else response.write('data: 1\n\n');
  }, 200);
  request.on('close', () => clearInterval(timer));
  response.on('close', () => clearInterval(timer));
  return true;
}
