import { Failure, quote } from '../platform/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../platform/json.ts';

export interface ScanRequest {
  urls: readonly string[];
  auditName?: string | undefined;
  plugins?: Readonly<Record<string, boolean>> | undefined;
  maxLinksPerDomain?: number | undefined;
  viewportSizes?: JsonObject | undefined;
}

const MAX_URLS = 10_000;

/** Parses the start URLs: distinct http(s) URLs in the given order. Throws NO_URLS, TOO_MANY_URLS or INVALID_URL. */
export function parseStartUrls(urls: readonly string[]): URL[] {
  if (urls.length === 0) throw new Failure('bad_input', 'NO_URLS', 'At least one URL is required');
  if (urls.length > MAX_URLS)
    throw new Failure('bad_input', 'TOO_MANY_URLS', `At most ${MAX_URLS} URLs in one scan, got ${urls.length}`);
  const parsed = urls.map((text) => {
    const url = URL.parse(text);
    const isScannable =
      url &&
      /^https?:$/.test(url.protocol) &&
      url.hostname !== '' &&
      url.username === '' &&
      url.password === '' &&
      !/\p{Cc}/u.test(text);
    if (!isScannable)
      throw new Failure(
        'bad_input',
        'INVALID_URL',
        `Invalid URL: ${text.length > 200 ? quote(text) : text}${schemeHint(text)}`,
      );
    return url;
  });
  return [...new Map(parsed.map((url) => [url.href, url])).values()];
}

/** Explains `localhost:8080`, which the URL parser reads as an address with the scheme `localhost`. */
function schemeHint(text: string): string {
  if (text.length > 200 || /^[a-z][a-z\d+.-]*:\/\/|@|\p{Cc}/iu.test(text) || !URL.canParse(`http://${text}`)) return '';
  return `. A URL must start with http:// or https://, for example http://${text}`;
}

/** CWAC's rule for audit names in folder names. */
export function sanitiseName(name: string): string {
  return name
    .trim()
    .replaceAll(/[^a-zA-Z0-9_\-.]/g, '_')
    .replaceAll(/_+/g, '_')
    .slice(0, 50);
}

export function timestampAuditName(at: Date): string {
  const part = (value: number) => String(value).padStart(2, '0');
  const day = [at.getFullYear(), part(at.getMonth() + 1), part(at.getDate())].join('-');
  return `scan_${day}_${[at.getHours(), at.getMinutes(), at.getSeconds()].map(part).join('-')}`;
}

/**
 * Applies the caller's request to the default config. An unknown plugin becomes a warning, because CWAC exits when the config
 * contains one. `builtIn` are plugins that the engine has even when the default config does not list them.
 */
export function applyScanRequest(
  defaults: JsonObject,
  choice: ScanRequest,
  urls: readonly URL[],
  builtIn: JsonObject = {},
): { config: JsonObject; warnings: string[] } {
  const warnings: string[] = [];
  const known = isJsonObject(defaults['audit_plugins']) ? defaults['audit_plugins'] : builtIn;
  const plugins: JsonObject = structuredClone(known);
  for (const [name, enabled] of Object.entries(choice.plugins ?? {})) {
    const all = { ...builtIn, ...plugins };
    const plugin = Object.hasOwn(all, name) ? all[name] : undefined;
    if (isJsonObject(plugin)) plugins[name] = { ...plugin, enabled };
    else if (enabled)
      warnings.push(
        `Unknown plugin ${quote(name, 60)} was ignored. Available plugins: ${Object.keys(all).join(', ')}.`,
      );
  }
  const config: JsonObject = {
    ...defaults,
    audit_plugins: plugins,
    ...(choice.maxLinksPerDomain !== undefined && { max_links_per_domain: choice.maxLinksPerDomain }),
    ...(choice.viewportSizes && { viewport_sizes: checkViewportSizes(choice.viewportSizes, defaults) }),
    ...(urls.some(({ protocol }) => protocol === 'http:') && { only_allow_https: false }),
  };
  return { config, warnings };
}

/** CWAC has no value for "no limit"; this one is never reached. */
const CWAC_UNLIMITED = 1_000_000;

/** Adapts a config to CWAC: it uses one browser per site, so more threads than sites are useless, and it needs a page limit. */
export function adaptToCwac(config: JsonObject, sites: number): JsonObject {
  const { thread_count: threads, max_links_per_domain: links } = config;
  return {
    ...config,
    ...(typeof threads === 'number' && { thread_count: Math.min(threads, sites) }),
    ...(links === 0 && { max_links_per_domain: CWAC_UNLIMITED }),
  };
}

/** Accepts `{width, height}` or CWAC's map of names to sizes. A single size keeps the small viewport, which the reflow audit needs. */
function checkViewportSizes(given: JsonObject, defaults: JsonObject): Json {
  const isSize = (value: unknown) =>
    isJsonObject(value) &&
    [value['width'], value['height']].every(
      (side) => Number.isInteger(side) && Number(side) >= 100 && Number(side) <= 10_000,
    );
  if (isSize(given)) {
    const small = isJsonObject(defaults['viewport_sizes']) ? defaults['viewport_sizes']['small'] : undefined;
    return { ...(small !== undefined && { small }), custom: given };
  }
  const sizes = Object.entries(given);
  if (
    sizes.length > 0 &&
    sizes.length <= 10 &&
    sizes.every(([name, size]) => /^[\w-]{1,30}$/.test(name) && isSize(size))
  )
    return given;
  const message = `viewport_sizes must be a size such as {"width": 1280, "height": 800} or an object of named sizes, each side 100 to 10000; got ${quote(given)}`;
  throw new Failure('bad_input', 'INVALID_VIEWPORT', message);
}
