/** The same trivial tool behind our door: token verified, scope and limit checked, metrics counted. */

import { callsInMemory, createLimiter } from '../../src/server/limits.ts';
import { createMetrics } from '../../src/server/metrics.ts';
import { byOpenId } from '../../src/server/openid.ts';
import { echoOffer } from '../../test/support/echo.ts';
import { serveOffer } from '../../test/support/in-process.ts';

const [issuer = '', audience = ''] = process.argv.slice(2);
const metrics = createMetrics();
const limiter = createLimiter({ calls: callsInMemory(), perHour: () => 1000, now: pastHours() });
const offer = await echoOffer(async ({ text }) => ({ said: text }), { limiter, metrics });
const served = await serveOffer(offer, {
  gatekeeper: byOpenId({ issuer, audience }),
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
