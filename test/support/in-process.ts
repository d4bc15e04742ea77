import { anybody, type Gatekeeper } from '../../src/mcp/auth.ts';
import { type HttpServed, serveHttp } from '../../src/mcp/http.ts';
import { createMetrics } from '../../src/mcp/metrics.ts';
import type { Offer } from '../../src/mcp/offer.ts';
import { buildServer } from '../../src/mcp/server.ts';
import { createLog, type Logger } from '../../src/platform/log.ts';

const loopback = ['127.0.0.1', 'localhost'];

/** Our HTTP server in this process, on a free port of 127.0.0.1, for whatever is offered. */
export function serveOffer(
  offer: Offer,
  {
    log = createLog('error'),
    gatekeeper = anybody,
    ...rest
  }: { log?: Logger; gatekeeper?: Gatekeeper } & Partial<Parameters<typeof serveHttp>[0]> = {},
): Promise<HttpServed> {
  return serveHttp({
    host: '127.0.0.1',
    port: 0,
    guests: { hosts: loopback, origins: loopback },
    gatekeeper,
    offerFor: () => offer,
    createServer: (offered, watch) => buildServer(offered, log, {}, watch),
    mostCalls: 64,
    metrics: createMetrics(),
    log,
    ...rest,
  });
}
