import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Failure } from '../platform/errors.ts';
import type { Logger } from '../platform/log.ts';
import { type SettingValues, settings } from '../platform/settings.ts';
import { type Authenticator, createTokenAuthenticator, noAuthentication } from '../server/auth.ts';
import { serveHttp } from '../server/http-server.ts';
import { createLeanSurface } from '../server/lean-surface.ts';
import { createMcpServer } from '../server/mcp-server.ts';
import { createMetrics } from '../server/metrics.ts';
import { createOpenIdAuthenticator } from '../server/openid.ts';
import {
  type CallLimiter,
  createCallLimiter,
  createMemoryCallLog,
  REQUESTS_LIMIT,
  steadyNow,
} from '../server/rate-limits.ts';
import { createServedSurface, type ServedSurface } from '../server/served-surface.ts';
import { hideServerPaths } from '../server/server-paths.ts';
import type { Services } from '../server/services.ts';
import { withShortNames } from '../server/short-name-surface.ts';
import { chooseSurface, narrowSurface, type Surface, type SurfaceChoice } from '../server/surface.ts';
import { type Catalog, loadCatalog } from '../tool/catalog.ts';
import { loadToolsetMigrations } from '../tool/toolsets.ts';
import { printStderr } from './command.ts';
import { createLocalServices, scheduleResume } from './local-services.ts';
import { readSurfaceChoice } from './startup/surface-settings.ts';

const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];
const LOOPBACK_HOSTS = ['127.0.0.1', '[::1]', 'localhost'];
const DRAIN_WITHIN_MS = 10_000;
const MOST_CACHED_SURFACES = 1000;
const LARGEST_OVER_HTTP = 4 * 1024 * 1024;
const REQUESTS_PER_HOUR = 36_000;

/** Serves over HTTP until the stop signal, then drains running calls. */
export async function serveOverHttp(values: SettingValues, log: Logger, stop: AbortSignal): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  const catalog = await loadCatalog();
  const surface = remoteSurface(values, catalog);
  const shutdown = new AbortController();
  const { services, jobService, browserCounts, close } = createLocalServices(
    values,
    log,
    shutdown.signal,
    values.get(settings.runJobs) ? 'here' : 'elsewhere',
    {
      onJobEnd: (kind, outcome) => metrics.jobEnded(kind, outcome),
    },
  );
  cleanup.defer(close);
  const metrics = createMetrics({ jobs: jobService.statistics, browsers: browserCounts });
  scheduleResume(jobService, log);
  const surfaceFor = createSurfaceCache(
    surface,
    {
      ...services,
      folders: values.get(settings.folders) ?? [],
      allowedPrivateAddresses: values.get(settings.allowAddresses) ?? [],
      limiter: await createServerLimiter(values, surface, cleanup),
      metrics,
    },
    { isLean: values.get(settings.lean), maxNameLength: values.get(settings.maxNameLength) },
  );
  const { host, publicUrl } = readAllowedHosts(values);
  const authentication = createAuthenticator(values, publicUrl);
  const served = await serveHttp({
    host,
    port: values.get(settings.port),
    allowed: {
      hosts: [
        ...(LOOPBACK.includes(host) ? LOOPBACK_HOSTS : []),
        ...(publicUrl ? [publicUrl.hostname] : []),
        ...(values.get(settings.allowedHosts) ?? []),
      ],
      origins: [...(LOOPBACK.includes(host) ? LOOPBACK_HOSTS : []), ...(values.get(settings.allowedOrigins) ?? [])],
    },
    authenticator: authentication.authenticator,
    resource: authentication.authenticator.issuers.length > 0 ? publicUrl : undefined,
    surfaceFor,
    createServer: (served, watch) => createMcpServer(served, log, {}, watch),
    mostCalls: values.get(settings.maxCalls),
    largestMessageBytes: values.get(settings.maxMessageBytes) ?? LARGEST_OVER_HTTP,
    requestsPerHour: values.get(settings.rateLimits).get(REQUESTS_LIMIT) ?? REQUESTS_PER_HOUR,
    metrics,
    metricsToken: values.get(settings.metricsToken),
    log,
  });
  announce(surface, catalog, served.url, authentication.shown);
  if (!stop.aborted) await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  await served.drain(DRAIN_WITHIN_MS);
  shutdown.abort();
  await served.close();
}

/** Selects the surface of HTTP callers. Tools with local access must be named, with the folders that they may access. */
function remoteSurface(values: SettingValues, catalog: Catalog): Surface {
  const surface = chooseSurface(catalog, {
    ...readSurfaceChoice(values),
    remote: true,
    withFolders: Boolean(values.get(settings.folders)?.length),
  });
  const touching = [...surface.tools.values()].find(({ local }) => local === 'files' || local === 'programs');
  if (touching && !values.get(settings.folders)?.length) {
    const message = `The toolset "${touching.toolset}" accesses files of this machine. Name the folders that HTTP callers may access: --folders <a,b>.`;
    throw new Failure('configuration', 'FOLDERS_MISSING', message);
  }
  for (const folder of values.get(settings.folders) ?? []) {
    if (!existsSync(folder))
      throw new Failure(
        'configuration',
        'FOLDERS_MISSING',
        `--folders names ${JSON.stringify(folder)}, which does not exist. Create the folder, or correct the path.`,
      );
  }
  return surface;
}

/** A request may narrow the surface: `?toolsets=coverage&read-only=true`, or the same as `X-Assay-*` headers. */
function createSurfaceCache(
  surface: Surface,
  services: Services,
  listing: { isLean: boolean; maxNameLength: number },
): (request: Request) => ServedSurface {
  const cache = new Map<string, ServedSurface>();
  const { home, cwd, folders = [] } = services;
  const paths = { home: resolve(home), cwd, folders: folders.map((folder) => resolve(cwd, folder)) };
  return (request) => {
    const { searchParams } = new URL(request.url);
    const chosen = (name: string) => searchParams.get(name) ?? request.headers.get(`x-assay-${name}`) ?? undefined;
    const choice: SurfaceChoice = {
      toolsets: settings.toolsets.parse(chosen('toolsets'), 'toolsets'),
      tools: settings.tools.parse(chosen('tools'), 'tools'),
      excludeTools: settings.excludeTools.parse(chosen('exclude-tools'), 'exclude-tools'),
      readOnly: settings.readOnly.parse(chosen('read-only'), 'read-only'),
    };
    const isLean = listing.isLean || settings.lean.parse(chosen('lean'), 'lean');
    const length = chosen('max-name-length') ?? String(listing.maxNameLength);
    const maxNameLength = settings.maxNameLength.parse(length, 'max-name-length');
    const key = JSON.stringify([choice, isLean, maxNameLength]);
    const create = () => {
      const specified = hideServerPaths(createServedSurface(narrowSurface(surface, choice), services), paths);
      const full = withShortNames(specified, maxNameLength);
      return isLean ? createLeanSurface(full, services.log) : full;
    };
    const served = cache.get(key) ?? create();
    if (cache.size < MOST_CACHED_SURFACES) cache.set(key, served);
    return served;
  };
}

async function createServerLimiter(
  values: SettingValues,
  { tools }: Surface,
  cleanup: AsyncDisposableStack,
): Promise<CallLimiter> {
  const limits = values.get(settings.rateLimits);
  for (const tool of limits.keys()) {
    if (tool !== '*' && tool !== REQUESTS_LIMIT && !tools.has(tool))
      throw new Failure('configuration', 'UNKNOWN_NAME', `--rate-limits names ${tool}, which is not served.`);
  }
  const others = limits.get('*') ?? 3600;
  const perHour = (tool: string) => limits.get(tool) ?? tools.get(tool)?.perHour ?? others;
  if (!values.get(settings.sharedLimits))
    return createCallLimiter({ calls: createMemoryCallLog(), perHour, now: steadyNow });
  const { openStore } = await import('../platform/store/store.ts');
  const { createStoredCallLog } = await import('../platform/store/call-log.ts');
  const location = { home: values.get(settings.home), url: values.get(settings.databaseUrl) };
  const store = cleanup.use(await openStore({ ...location, migrations: await loadToolsetMigrations() }));
  return createCallLimiter({ calls: createStoredCallLog(store), perHour, now: Date.now });
}

function readAllowedHosts(values: SettingValues): { host: string; publicUrl: URL | undefined } {
  const host = values.get(settings.host);
  const publicUrl = values.get(settings.publicUrl);
  const issuer = values.get(settings.oauthIssuer);
  if (!issuer && !LOOPBACK.includes(host)) {
    const message = `--host must be a loopback address (${LOOPBACK.join(', ')}) without --oauth-issuer, got ${JSON.stringify(host)}.`;
    throw new Failure('configuration', 'BAD_SETTING', message);
  }
  if (issuer && !publicUrl) {
    const message = '--oauth-issuer needs the URL that callers use. Pass --public-url https://…/mcp.';
    throw new Failure('configuration', 'BAD_SETTING', message);
  }
  return { host, publicUrl };
}

/** Creates the authenticator, and the text that the start message shows as the token. */
function createAuthenticator(
  values: SettingValues,
  publicUrl: URL | undefined,
): { authenticator: Authenticator; shown?: string } {
  const issuer = values.get(settings.oauthIssuer);
  if (!values.get(settings.auth)) {
    if (issuer) throw new Failure('configuration', 'BAD_SETTING', '--no-auth and --oauth-issuer exclude each other.');
    return { authenticator: noAuthentication };
  }
  if (issuer && publicUrl) {
    const audience = values.get(settings.oauthAudience) ?? publicUrl.href;
    return { authenticator: createOpenIdAuthenticator({ issuer, audience }) };
  }
  const own = values.get(settings.token);
  if (own !== undefined) return { authenticator: createTokenAuthenticator(own), shown: `$${settings.token.env}` };
  const token = randomBytes(24).toString('base64url');
  printStderr(`Token of this start (set ${settings.token.env} for a fixed one): ${token}`);
  return { authenticator: createTokenAuthenticator(token), shown: token };
}

function announce(surface: Surface, { toolsets }: Catalog, url: string, token: string | undefined): void {
  printStderr(`Assay serves ${surface.tools.size} tools at ${url}`);
  const sizes = new Map(toolsets.map(({ name, tools }) => [name, tools.length]));
  for (const [reason, tools] of surface.leftOut) {
    const parts = [...Map.groupBy(tools, ({ toolset }) => toolset)].map(([name, { length }]) =>
      length === sizes.get(name) ? name : `${name} (${length} of ${sizes.get(name)})`,
    );
    printStderr(`Not served: ${parts.join(', ')}. Reason for each tool: ${reason}`);
  }
  if ([...surface.leftOut.values()].flat().some(({ local }) => local && local !== 'programs'))
    printStderr('To serve every tool, also those that access this machine: --toolsets all --folders <folder>');
  const header = token === undefined ? '' : ` --header "Authorization: Bearer ${token}"`;
  printStderr(`claude mcp add --transport http assay ${url}${header}`);
}
