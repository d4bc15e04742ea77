import { createLog, type Logger } from '../../src/platform/log.ts';
import { anybody, type Gatekeeper } from '../../src/server/auth.ts';
import { type HttpServed, serveHttp } from '../../src/server/http.ts';
import { createMetrics } from '../../src/server/metrics.ts';
import type { Offer } from '../../src/server/offer.ts';
import { buildServer } from '../../src/server/server.ts';

const loopback = ['127.0.0.1', 'localhost'];

/** Lets everybody in under the name that they give as their token. */
export const byName: Gatekeeper = {
  issuers: [],
  ready: async () => true,
  async authenticate(authorization) {
    const name = authorization?.replace('Bearer ', '') ?? 'nobody';
    const principal = { issuer: 'https://issuer.example', subject: name, client: name };
    return { ok: true, caller: { principal, scopes: 'all' } };
  },
};

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
    largestMessageBytes: 4 * 1024 * 1024,
    requestsPerHour: 1_000_000_000,
    metrics: createMetrics(),
    log,
    ...rest,
  });
}
