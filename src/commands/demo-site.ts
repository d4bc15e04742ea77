import { createServer } from 'node:http';

/** A small shop with faults that people stumble over, on a free port of this machine. */
export async function demoSite(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const page = PAGES.get(request.url ?? '/');
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page ?? '<!doctype html><title>Not found</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const page = (title: string, main: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><nav><a href="/">Home</a> <a href="/order">Order</a></nav>
<main><h1>${title}</h1>${main}</main>
<footer><button type="button"></button></footer></body></html>`;

const PAGES = new Map([
  ['/', page('The corner shop', '<img src="data:,"><p style="color:#bbb;background:#fff">Fresh every morning</p>')],
  ['/order', page('Order', '<form><input name="street"><input name="city"><button type="submit">Send</button></form>')],
]);
