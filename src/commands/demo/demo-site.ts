import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

export interface DemoSite {
  url: string;
  /** Makes the shop compute wrong prices, like a regression. */
  breakPrices(): void;
  close(): void;
}

/** Starts a small shop with accessibility defects on a free local port. */
export async function startDemoSite(): Promise<DemoSite> {
  let isBroken = false;
  const server = createServer((request, response) => {
    void answer(request, isBroken).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
      response.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    breakPrices() {
      isBroken = true;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answer(request: IncomingMessage, isBroken: boolean): Promise<{ status: number; body: string }> {
  const { pathname } = new URL(request.url ?? '/', 'http://shop');
  if (pathname === '/delivery' && request.method === 'POST') {
    const form = new URLSearchParams(await text(request));
    return { status: 200, body: deliveryPage(form, isBroken) };
  }
  const body = PAGES.get(pathname);
  return body === undefined ? { status: 404, body: '<!doctype html><title>Not found</title>' } : { status: 200, body };
}

const page = (title: string, main: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head>
<body><nav><a href="/">Home</a> <a href="/order">Order</a> <a href="/delivery">Delivery</a></nav>
<main><h1>${title}</h1>${main}</main>
<footer><button type="button"></button></footer></body></html>`;

const DELIVERY = `<form method="post" action="/delivery">
<p><label for="weight">Weight in kilograms</label> <input id="weight" name="weight" type="number" min="1" max="30" required></p>
<p><label for="city">City</label> <input id="city" name="city"></p>
<fieldset><legend>How fast?</legend>
<label><input type="radio" name="speed" value="normal" required> In three days</label>
<label><input type="radio" name="speed" value="express"> Tomorrow</label></fieldset>
<p><button type="submit">Calculate</button></p></form>`;

function deliveryPage(form: URLSearchParams, isBroken: boolean): string {
  const weight = Number(form.get('weight'));
  const city = (form.get('city') ?? '').replace(/[^\p{L}\p{N} .-]/gu, '');
  if (!(weight >= 1 && weight <= 30))
    return page('Delivery costs', `<p role="alert">Give a weight from 1 to 30.</p>${DELIVERY}`);
  const express = form.get('speed') === 'express';
  const cost = 4 + weight * 0.5 + (express && !isBroken ? 10 : 0);
  return page(
    'Your delivery',
    `<dl><dt>To</dt><dd>${city || 'the shop'}</dd><dt>Cost</dt><dd>${cost.toFixed(2)} EUR</dd><dt>Arrives</dt><dd>${express ? 'tomorrow' : 'in three days'}</dd></dl>`,
  );
}

const PAGES = new Map([
  ['/', page('The corner shop', '<img src="data:,"><p style="color:#bbb;background:#fff">Fresh every morning</p>')],
  ['/order', page('Order', '<form><input name="street"><input name="city"><button type="submit">Send</button></form>')],
  ['/delivery', page('Delivery costs', DELIVERY)],
]);
