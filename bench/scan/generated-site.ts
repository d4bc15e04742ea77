/** Serves a generated site of realistic pages with 200 to 1,500 nodes and seeded accessibility issues, in its own process. */
import { createServer } from 'node:http';

const count = Number(process.argv[2] ?? 60);
const css = Array.from(
  { length: 400 },
  (_, i) => `.c${i}{margin:${i % 7}px;padding:${i % 5}px;color:#2${i % 10}3}`,
).join('\n');

/** The content of a page depends only on its number. */
function page(number: number): string {
  let seed = number * 2654435761;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const links = [number * 3 + 1, number * 3 + 2, number * 3 + 3].filter((child) => child < count);
  const cards = Array.from({ length: 10 + Math.floor(random() * 90) }, (_, i) => {
    const defect = random();
    const image = defect < 0.1 ? '<img src="/dot.png">' : '<img src="/dot.png" alt="A dot">';
    const button = defect > 0.95 ? '<button></button>' : `<button>Choose ${i}</button>`;
    const style = defect > 0.85 && defect < 0.9 ? ' style="color:#bbb;background:#fff"' : '';
    return `<article class="c${i}"><h3>Item ${i}</h3>${image}<p${style}>Text of item ${i} on page ${number}.</p><ul><li>one</li><li>two</li></ul>${button}</article>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${number}</title><link rel="stylesheet" href="/style.css"></head>
<body><nav aria-label="Main"><a href="/">Home</a> ${links.map((n) => `<a href="/p${n}">Page ${n}</a>`).join(' ')}</nav>
<main><h1>Page ${number}</h1><h2>Items</h2>${cards.join('\n')}</main><footer><a href="/">Imprint</a></footer></body></html>`;
}

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);
const server = createServer((request, response) => {
  const path = request.url ?? '/';
  if (path === '/style.css') return void response.writeHead(200, { 'content-type': 'text/css' }).end(css);
  if (path === '/dot.png') return void response.writeHead(200, { 'content-type': 'image/png' }).end(dot);
  const number = path === '/' ? 0 : Number(/^\/p(\d+)$/.exec(path)?.[1] ?? Number.NaN);
  if (!(number < count)) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': 'text/html' }).end(request.method === 'HEAD' ? '' : page(number));
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}\n`);
});
