import { createLog, type Logger } from '../../../src/platform/log.ts';
import { type Authenticator, noAuthentication } from '../../../src/server/auth.ts';
import { type RunningHttpServer, serveHttp } from '../../../src/server/http-server.ts';
import { createMcpServer } from '../../../src/server/mcp-server.ts';
import { createMetrics } from '../../../src/server/metrics.ts';
import type { ServedSurface } from '../../../src/server/served-surface.ts';

const loopback = ['127.0.0.1', 'localhost'];

/** Accepts every caller under the name that it gives as its token. */
export const byName: Authenticator = {
  issuers: [],
  ready: async () => true,
  async authenticate(authorization) {
    const name = authorization?.replace('Bearer ', '') ?? 'anonymous';
    const principal = { issuer: 'https://issuer.example', subject: name, client: name };
    return { ok: true, caller: { principal, scopes: 'all' } };
  },
};

/** Our HTTP server in this process, on a free port of 127.0.0.1, with these tools. */
export function serveSurface(
  surface: ServedSurface,
  {
    log = createLog('error'),
    authenticator = noAuthentication,
    ...rest
  }: { log?: Logger; authenticator?: Authenticator } & Partial<Parameters<typeof serveHttp>[0]> = {},
): Promise<RunningHttpServer> {
  return serveHttp({
    host: '127.0.0.1',
    port: 0,
    allowed: { hosts: loopback, origins: loopback },
    authenticator,
    surfaceFor: () => surface,
    createServer: (served, tracker) => createMcpServer(served, log, {}, tracker),
    mostCalls: 64,
    largestMessageBytes: 4 * 1024 * 1024,
    requestsPerHour: 1_000_000_000,
    metrics: createMetrics(),
    log,
    ...rest,
  });
}
