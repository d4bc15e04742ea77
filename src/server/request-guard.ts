import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { INVALID_REQUEST, UriTemplate, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import { isJsonObject } from '../platform/json.ts';
import type { Authentication, Caller } from './auth.ts';
import { hasScope } from './scopes.ts';
import type { ServedSurface } from './served-surface.ts';
import { REFUSED_CODE, refusalResponse } from './web-exchange.ts';

export interface AllowedHosts {
  /** Allowed host names in the Host header. */
  hosts: readonly string[];
  /** Allowed host names in the Origin header. */
  origins: readonly string[];
}

/** Headers for authorization decisions. Repeated ones are refused, because a proxy may read another one than this server. */
const SINGLE_HEADERS = ['host', 'origin', 'authorization', 'content-type', 'content-encoding', 'mcp-session-id'];

/**
 * Refuses requests of web pages from other origins, also after DNS rebinding. The response does not echo values of the
 * request.
 */
export function checkHostAndOrigin(
  { headers, headersDistinct }: Pick<IncomingMessage, 'headers' | 'headersDistinct'>,
  { hosts, origins }: AllowedHosts,
): Response | undefined {
  const repeated = SINGLE_HEADERS.find((name) => (headersDistinct[name]?.length ?? 0) > 1);
  if (repeated) return refusalResponse(400, INVALID_REQUEST, `The header ${repeated} may be sent only once.`);
  if (!validateHostHeader(headers.host, [...hosts]).ok)
    return refusalResponse(
      403,
      REFUSED_CODE,
      'The Host header is not a host name of this server. The operator adds one with --allowed-hosts.',
    );
  if (!validateOriginHeader(headers.origin, [...origins]).ok)
    return refusalResponse(
      403,
      REFUSED_CODE,
      'Pages of this origin may not use this server. The operator allows an origin with --allowed-origins.',
    );
  return undefined;
}

/** CORS headers for a page of an allowed origin. Only for requests that passed `checkHostAndOrigin`. */
export function crossOriginHeaders({ origin }: IncomingHttpHeaders): Record<string, string> {
  if (!origin) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers':
      'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, X-Request-Id, Retry-After',
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'Origin',
  };
}

export function preflightResponse(): Response {
  const headers = {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers':
      'Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Traceparent, X-Request-Id, X-Assay-Toolsets, X-Assay-Tools, X-Assay-Exclude-Tools, X-Assay-Read-Only, X-Assay-Lean',
    'access-control-max-age': '600',
  };
  return new Response(null, { status: 204, headers });
}

const METADATA = '/.well-known/oauth-protected-resource';

/** URL of the OAuth resource metadata (RFC 9728), which ends in the path of the resource. */
function metadataUrl({ pathname, origin }: URL): string {
  return `${origin}${METADATA}${pathname === '/' ? '' : pathname}`;
}

/** Accepts the plain path, that of the resource, and that of the endpoint, because a proxy may have removed a prefix. */
export function isMetadataPath(path: string, resource: URL): boolean {
  return [METADATA, `${METADATA}/mcp`, new URL(metadataUrl(resource)).pathname].includes(path);
}

export function resourceMetadataResponse(resource: URL, issuers: readonly string[], surface: ServedSurface): Response {
  return Response.json({
    resource: resource.href,
    resource_name: 'Assay',
    authorization_servers: issuers,
    bearer_methods_supported: ['header'],
    scopes_supported: scopesOf(surface),
  });
}

/** Lists all scopes that the served surface needs. */
function scopesOf({ tools, prompts, resources }: ServedSurface): string[] {
  const all = [...tools.values(), ...prompts.values(), ...resources].flatMap(({ scope }) => scope ?? []);
  return [...new Set(all)].sort();
}

/** Creates a 401 response that names the resource metadata of the issuer, or the printed token. */
export function unauthorizedResponse(
  resource: URL | undefined,
  { description }: Authentication & { ok: false },
): Response {
  const parameters = [
    ...(description ? ['error="invalid_token"', `error_description="${description}"`] : []),
    ...(resource ? [`resource_metadata="${metadataUrl(resource)}"`] : ['realm="assay"']),
  ];
  const expected = resource
    ? 'an access token of the authorization server'
    : 'the token that the server printed at its start';
  const message = `${description ? `${description}. ` : ''}Send ${expected}: "Authorization: Bearer <token>".`;
  return refusalResponse(401, REFUSED_CODE, message, { 'www-authenticate': `Bearer ${parameters.join(', ')}` });
}

/** Returns a 403 response that names the missing scope when the caller's scopes do not cover the message. */
export function checkScope(
  message: unknown,
  surface: ServedSurface,
  { scopes }: Caller,
  resource?: URL,
): Response | undefined {
  const needed = scopeNeeded(message, surface);
  if (needed === undefined || hasScope(scopes, needed)) return undefined;
  const parameters = [
    'error="insufficient_scope"',
    `scope="${needed}"`,
    `error_description="This needs the scope ${needed}"`,
    ...(resource ? [`resource_metadata="${metadataUrl(resource)}"`] : []),
  ];
  const explained = `This needs the scope ${needed}, which the token does not have.`;
  return refusalResponse(403, REFUSED_CODE, explained, { 'www-authenticate': `Bearer ${parameters.join(', ')}` });
}

function scopeNeeded(message: unknown, surface: ServedSurface): string | undefined {
  if (!isJsonObject(message) || !isJsonObject(message['params'])) return undefined;
  const { name, arguments: args, uri, ref } = message['params'];
  const prompt = (promptName: unknown) => surface.prompts.get(String(promptName))?.scope;
  switch (message['method']) {
    case 'tools/call': {
      const tool = surface.tools.get(String(name));
      return (tool?.findTarget?.(args) ?? tool)?.scope;
    }
    case 'prompts/get':
      return prompt(name);
    case 'resources/read':
      if (typeof uri !== 'string') return undefined;
      return surface.resources.find(({ template }) => new UriTemplate(template.uriTemplate).match(uri))?.scope;
    case 'completion/complete':
      if (!isJsonObject(ref)) return undefined;
      if (ref['type'] === 'ref/prompt') return prompt(ref['name']);
      return surface.resources.find(({ template }) => template.uriTemplate === ref['uri'])?.scope;
    default:
      return undefined;
  }
}
