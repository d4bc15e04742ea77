import { randomBytes } from 'node:crypto';
import { byToken, principalOf } from '../mcp/auth.ts';
import { type Offer, offerOf, type Services } from '../mcp/offer.ts';
import { buildServer } from '../mcp/server.ts';
import { serveStdio } from '../mcp/stdio.ts';
import { narrowSurface, type Surface, type SurfaceChoice } from '../mcp/surface.ts';
import { loadToolset } from '../mcp/toolsets.ts';
import { createLog } from '../platform/log.ts';
import { type Given, readSettings, settings } from '../platform/settings.ts';
import { type Command, say } from './command.ts';
import { surfaceOf, surfaceSettings } from './surface.ts';

export const serve: Command = {
  name: 'serve',
  usage: '[--http]',
  summary: 'Serve the tools to an MCP client, over stdio or HTTP.',
  settings: [...surfaceSettings, settings.http, settings.host, settings.port, settings.token, settings.logLevel],
  async run(argv) {
    const given = readSettings(serve.settings, argv, process.env);
    const surface = await surfaceOf(given);
    const log = createLog(given.get(settings.logLevel));
    const shutdown = shutdownSignal();
    const services: Services = { loadToolset, log, cwd: process.cwd(), shutdown, principalOf };
    if (given.get(settings.http)) await overHttp(given, surface, services);
    else await overStdio(surface, services);
    return 0;
  },
};

/** Aborted by the first SIGINT or SIGTERM; a second one ends the process at once. */
function shutdownSignal(): AbortSignal {
  const shutdown = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => (shutdown.signal.aborted ? process.exit(130) : shutdown.abort(new Error(signal))));
  }
  return shutdown.signal;
}

async function overStdio(surface: Surface, services: Services): Promise<void> {
  const offer = offerOf(surface, services);
  const served = serveStdio(() => buildServer(offer, services.log), services.log);
  services.shutdown.addEventListener('abort', () => void served.close());
  await served.closed;
}

async function overHttp(given: Given, surface: Surface, services: Services): Promise<void> {
  const { serveHttp } = await import('../mcp/http.ts');
  const ownToken = given.get(settings.token);
  const token = ownToken ?? randomBytes(24).toString('base64url');
  const offers = new Map<string, Offer>();
  const offerFor = (request: Request): Offer => {
    const choice = choiceOf(request);
    const key = JSON.stringify(choice);
    const offer = offers.get(key) ?? offerOf(narrowSurface(surface, choice), services);
    if (offers.size < 1000) offers.set(key, offer);
    return offer;
  };
  const served = await serveHttp({
    host: given.get(settings.host),
    port: given.get(settings.port),
    authenticate: byToken(token),
    serverFor(request) {
      const offer = offerFor(request);
      return () => buildServer(offer, services.log);
    },
    log: services.log,
  });
  say(`Assay serves ${surface.tools.size} tools at ${served.url}`);
  if (ownToken === undefined) say(`Token, new at each start (${settings.token.env} keeps one): ${token}`);
  const shown = ownToken === undefined ? token : `$${settings.token.env}`;
  say(`claude mcp add --transport http assay ${served.url} --header "Authorization: Bearer ${shown}"`);
  await new Promise((resolve) => services.shutdown.addEventListener('abort', resolve, { once: true }));
  await served.close();
}

/** A request may choose within the surface: `?toolsets=coverage&read-only=true`, or the same as `X-Assay-*` headers. */
function choiceOf(request: Request): SurfaceChoice {
  const { searchParams } = new URL(request.url);
  const given = (name: string) => searchParams.get(name) ?? request.headers.get(`x-assay-${name}`) ?? undefined;
  return {
    toolsets: settings.toolsets.parse(given('toolsets'), 'toolsets'),
    tools: settings.tools.parse(given('tools'), 'tools'),
    excludeTools: settings.excludeTools.parse(given('exclude-tools'), 'exclude-tools'),
    readOnly: settings.readOnly.parse(given('read-only'), 'read-only'),
  };
}
