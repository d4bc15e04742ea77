/** The same trivial tool behind our door: token verified, scope and limit checked, metrics counted. */

import { createMetrics } from '../../src/server/metrics.ts';
import { createOpenIdAuthenticator } from '../../src/server/openid.ts';
import { createCallLimiter, createMemoryCallLog } from '../../src/server/rate-limits.ts';
import { createEchoSurface } from '../../test/support/echo.ts';
import { serveSurface } from '../../test/support/in-process.ts';

const [issuer = '', audience = ''] = process.argv.slice(2);
const metrics = createMetrics();
const limiter = createCallLimiter({ calls: createMemoryCallLog(), perHour: () => 1000, now: pastHours() });
const offer = await createEchoSurface(async ({ text }) => ({ said: text }), { limiter, metrics });
const served = await serveSurface(offer, {
  authenticator: createOpenIdAuthenticator({ issuer, audience }),
  resource: new URL(audience),
  metrics,
});
process.stdout.write(`${served.url}\n`);

/** A clock on which 500 calls are an hour, so that the limiter does its work without ever refusing. */
function pastHours(): () => number {
  let now = Date.now();
  return () => {
    now += 7200;
    return now;
  };
}
