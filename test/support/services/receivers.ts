import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export interface MailServer extends AsyncDisposable {
  url: string;
  mails: Email[];
}

/** A real mail server. It rejects mails to `nobody@…` permanently. */
export async function startMailServer({ refusals = 0 }: { refusals?: number } = {}): Promise<MailServer> {
  const mails: Email[] = [];
  let left = refusals;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, callback) {
      const refuse = (responseCode: number, text: string) => callback(Object.assign(new Error(text), { responseCode }));
      if (address.startsWith('nobody@')) return refuse(550, 'there is nobody of that name');
      if (left-- > 0) return refuse(451, 'come back later');
      callback();
    },
    onData(stream, _session, callback) {
      buffer(stream)
        .then((bytes) => PostalMime.parse(bytes))
        .then(
          (mail) => {
            mails.push(mail);
            callback();
          },
          (error: Error) => callback(error),
        );
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

interface Received {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Receiver extends AsyncDisposable {
  url: string;
  received: Received[];
}

/** An HTTP server that records requests and responds with these statuses in turn, then always with the last one. */
export async function startReceiver(statuses: readonly number[] = [200], headers = {}): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((bytes) => {
      const status = statuses[Math.min(received.length, statuses.length - 1)] ?? 200;
      received.push({ method: request.method, path: request.url, headers: request.headers, body: bytes.toString() });
      response.writeHead(status, headers).end('thank you');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
