/** The same trivial tool served by Assay: with token verification, scope and rate limit checks, and metrics. */

import { createMetrics } from '../../src/server/metrics.ts';
import { createOpenIdAuthenticator } from '../../src/server/openid.ts';
import { createCallLimiter, createMemoryCallLog } from '../../src/server/rate-limits.ts';
import { createEchoSurface } from '../../test/support/server/echo.ts';
import { serveSurface } from '../../test/support/server/in-process.ts';

const [issuer = '', audience = ''] = process.argv.slice(2);
const metrics = createMetrics();
const limiter = createCallLimiter({ calls: createMemoryCallLog(), perHour: () => 1000, now: fastClock() });
const surface = await createEchoSurface(async ({ text }) => ({ said: text }), { limiter, metrics });
const served = await serveSurface(surface, {
  authenticator: createOpenIdAuthenticator({ issuer, audience }),
  resource: new URL(audience),
  metrics,
});
process.stdout.write(`${served.url}\n`);

/** A clock that advances an hour in 500 calls, so that the limiter runs without ever rejecting a call. */
function fastClock(): () => number {
  let now = Date.now();
  return () => {
    now += 7200;
    return now;
  };
}
