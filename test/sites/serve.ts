import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

interface Reply {
  status?: number;
  type?: string;
  headers?: Record<string, string>;
  /** An iterable is sent with backpressure and stops when the client disconnects. */
  body?: string | Uint8Array | Iterable<Uint8Array>;
}

/** Returns the response for a path with query. Undefined is a 404; a pending promise is a slow page. */
export type SiteHandler = (
  path: string,
  request: IncomingMessage,
) => Reply | string | undefined | Promise<Reply | string | undefined>;

export interface ServedSite extends AsyncDisposable {
  /** Without trailing slash. */
  url: string;
  port: number;
  /** `GET /path` of every request so far. */
  requests: string[];
}

/** Serves a site on a free port of the loopback address. */
export async function serveSite(handler: SiteHandler): Promise<ServedSite> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    answer(handler, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(handler: SiteHandler, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const reply = (await handler(request.url ?? '/', request)) ?? { status: 404, body: 'not here' };
  const {
    status = 200,
    type = 'text/html; charset=utf-8',
    headers = {},
    body = '',
  } = typeof reply === 'string' ? { body: reply } : reply;
  response.writeHead(status, { ...(type ? { 'content-type': type } : {}), ...headers });
  if (request.method === 'HEAD') response.end();
  else if (typeof body === 'string' || body instanceof Uint8Array) response.end(body);
  else await pipeline(Readable.from(body), response);
}

/** A page without accessibility issues, with the given content in its main element. */
export function cleanPage(title: string, main = '', head = ''): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width">
<meta name="description" content="About ${title}">
<link rel="canonical" href="/">
${head}
</head>
<body>
<main>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`;
}
