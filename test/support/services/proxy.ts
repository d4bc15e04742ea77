import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

export interface Proxy extends AsyncDisposable {
  /** Its address, to use instead of the address of the server. */
  url: string;
  /** How many requests it has lost. */
  lost(): number;
}

/** A proxy that drops the requests for whose body the function returns true. */
export async function losing(server: string, isLost: (body: string) => boolean): Promise<Proxy> {
  let lost = 0;
  const proxy = createServer(async (requested, answer) => {
    const body = await buffer(requested);
    if (isLost(body.toString())) {
      lost++;
      requested.socket.destroy();
      return;
    }
    const { method, headers, url = '/' } = requested;
    const onwards = request(new URL(url, server), { method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(answer);
    });
    onwards.on('error', () => answer.destroy());
    onwards.end(body);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const url = new URL(server);
  url.port = String(port);
  return {
    url: url.href,
    lost: () => lost,
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
