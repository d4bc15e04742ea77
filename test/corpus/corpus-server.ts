import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type BuiltPage, buildPage, pageScript } from './build-pages.ts';
import type { CorpusLibrary, ServerAnswer } from './corpus-model.ts';

/** Values and errors with which the server draws a form again. */
interface Redrawn {
  values: Record<string, unknown>;
  errors: Record<string, string>;
}

export interface CorpusServer extends AsyncDisposable {
  url(library: string, page: string, answer?: ServerAnswer): string;
  /** What the server received, oldest first. */
  received: { library: string; values: Record<string, unknown> }[];
}

interface PageRequest {
  library: CorpusLibrary;
  page: string;
  answer: ServerAnswer;
}

const EMPTY: Redrawn = { values: {}, errors: {} };
const REFUSED = { email: 'This address has been used before' };
const LONG_MS = 600_000;

/** Serves the pages of the libraries, each bundled when it is first asked for. */
export async function startCorpusServer(libraries: readonly CorpusLibrary[], folder: string): Promise<CorpusServer> {
  const built = new Map<string, Promise<BuiltPage>>();
  const received: CorpusServer['received'] = [];
  const flashes = new Map<string, Redrawn>();

  async function pageOf(library: CorpusLibrary, name: string): Promise<BuiltPage> {
    const script = pageScript(library, name);
    if (!script) throw new Error(`${library.name} has no page ${name}`);
    const known = built.get(script);
    const page = known ?? buildPage(script, folder);
    built.set(script, page);
    return page;
  }

  async function answerRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://corpus');
    const [name = '', page = '', part] = pathname.split('/').slice(1);
    const library = libraries.find((one) => one.name === name);
    if (name === 'thanks') return sendHtml(response, page === 'draft' ? draftPage('/thanks/draft', {}) : thanksPage);
    if (!library) return void response.writeHead(404).end();
    if (part === 'script') return send(response, 'text/javascript', (await pageOf(library, page)).script);
    if (part === 'style') return send(response, 'text/css', (await pageOf(library, page)).style);
    const at = `/${name}/${page}`;
    const answer = (searchParams.get('answer') ?? 'created') as ServerAnswer;
    if (part === 'submit') {
      const isJson = request.headers['content-type']?.includes('json') ?? false;
      const body = await text(request);
      const values: Record<string, unknown> = isJson ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
      received.push({ library: name, values });
      if (answer === 'hang') return void setTimeout(() => response.destroy(), LONG_MS).unref();
      if (isJson) return sendJsonAnswer(response, answer);
      return sendFormAnswer(response, { library, page, answer, values });
    }
    const redrawn = flashes.get(at) ?? EMPTY;
    flashes.delete(at);
    return sendPage(response, { library, page, answer, redrawn });
  }

  async function sendPage(
    response: ServerResponse,
    { library, page, answer, redrawn, status }: PageRequest & { redrawn: Redrawn; status?: number },
  ): Promise<void> {
    const at = `/${library.name}/${page}`;
    const action = `${at}/submit?answer=${encodeURIComponent(answer)}`;
    const markup = library.render?.(page, { ...redrawn, action }) ?? '';
    sendHtml(response, formPage(at, { redrawn, markup, style: (await pageOf(library, page)).style }), status);
  }

  /** Answers of a site whose forms are sent by the browser. */
  async function sendFormAnswer(
    response: ServerResponse,
    { library, page, answer, values }: PageRequest & { values: Redrawn['values'] },
  ): Promise<void> {
    const at = `/${library.name}/${page}`;
    const redraw = (redrawn: Redrawn, status = 200) => {
      return sendPage(response, { library, page, answer, redrawn, status });
    };
    if (answer === 'created') return redirect(response, '/thanks');
    if (answer === 'refused') return redraw({ values, errors: REFUSED }, 422);
    if (answer === 'refused with 200') return redraw({ values, errors: REFUSED });
    if (answer === 'mute') return redraw({ values, errors: {} });
    if (answer === 'reset') return redraw(EMPTY);
    if (answer === 'draft') return sendHtml(response, draftPage(at, values));
    if (answer === 'e-mail') return sendHtml(response, emailPage);
    if (answer === 'broken')
      return sendHtml(response, '<!doctype html><title>Error</title><h1>Internal Server Error</h1>', 500);
    flashes.set(at, { values, errors: REFUSED });
    return redirect(response, `${at}?answer=flash`);
  }

  const server = createServer((request, response) => {
    answerRequest(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  return {
    received,
    url: (library, page, answer = 'created') => `${base}/${library}/${page}?answer=${encodeURIComponent(answer)}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers of a site whose forms are sent by a script. */
function sendJsonAnswer(response: ServerResponse, answer: ServerAnswer): void {
  const [status, body] = jsonAnswers[answer];
  const type = status === 422 ? 'application/problem+json' : 'application/json';
  response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body));
}

const jsonAnswers: Record<ServerAnswer, [number, unknown]> = {
  created: [201, { id: 4711, message: 'Your reference number is 4711.' }],
  refused: [422, { type: 'about:blank', title: 'Unprocessable Content', status: 422, errors: REFUSED }],
  'refused with 200': [200, { success: false, errors: REFUSED }],
  flash: [409, { errors: REFUSED }],
  mute: [200, {}],
  reset: [200, { isReset: true }],
  draft: [200, { next: '/thanks/draft' }],
  'e-mail': [202, { message: 'Open the link in the e-mail that we have sent you to complete your registration.' }],
  hang: [200, {}],
  broken: [500, { error: 'Internal Server Error' }],
};

const escaped = (value: unknown) =>
  String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

interface DrawnPage {
  redrawn: Redrawn;
  markup: string;
  style: string;
}

function formPage(at: string, { redrawn, markup, style }: DrawnPage): string {
  const state = JSON.stringify(redrawn).replaceAll('<', '\\u003c');
  const styles = style === '' ? '' : `<link rel="stylesheet" href="${at}/style">`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Order</title>${styles}
<script>window.corpusRedrawn = ${state}</script></head><body><div id="app">${markup}</div><script src="${at}/script"></script></body></html>`;
}

const thanksPage =
  '<!doctype html><html lang="en"><title>Order placed</title><h1>Thank you for your order</h1><p>Your reference number is 4711.</p>';
const emailPage =
  '<!doctype html><html lang="en"><title>Almost done</title><h1>Check your inbox</h1><p>Open the link in the e-mail that we have sent you to complete your registration.</p>';

const draftPage = (at: string, values: Redrawn['values']) =>
  `<!doctype html><html lang="en"><title>Check your answers</title><h1>Check your answers before sending</h1><dl>${Object.entries(
    values,
  )
    .map(([key, value]) => `<dt>${escaped(key)}</dt><dd>${escaped(value)}</dd>`)
    .join('')}</dl><form method="post" action="${at}/submit"><button>Accept and send</button></form>`;

const redirect = (response: ServerResponse, to: string) => void response.writeHead(303, { location: to }).end();
const sendHtml = (response: ServerResponse, html: string, status = 200) =>
  send(response, 'text/html; charset=utf-8', html, status);
const send = (response: ServerResponse, type: string, body: string, status = 200) =>
  void response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
