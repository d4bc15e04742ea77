import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { INVALID_REQUEST, UriTemplate, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server';
import { isJsonObject } from '../platform/json.ts';
import type { Authentication, Caller } from './auth.ts';
import { LONGEST_URI } from './mcp-server.ts';
import { hasScope } from './scopes.ts';
import type { ServedSurface } from './served-surface.ts';
import { REFUSED_CODE, refusalResponse } from './web-exchange.ts';

export interface AllowedHosts {
  /** Host names under which this server may be spoken to. */
  hosts: readonly string[];
  /** Host names of the web pages that may speak to it. */
  origins: readonly string[];
}

/** Headers that decide who may do what. Two of one kind are refused: a proxy in front may go by the other one. */
const SINGLE_HEADERS = ['host', 'origin', 'authorization', 'content-type', 'content-encoding', 'mcp-session-id'];

/**
 * A page that a browser was lured to must not reach the server, whichever name it gave to this machine. The answer repeats
 * nothing of what was sent.
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
      'The Host header names no host of this server. The operator adds one with --allowed-hosts.',
    );
  if (!validateOriginHeader(headers.origin, [...origins]).ok)
    return refusalResponse(
      403,
      REFUSED_CODE,
      'Pages of this origin may not use this server. The operator allows one with --allowed-origins.',
    );
  return undefined;
}

/** What lets a page of an allowed origin read the answers. Only for requests that `refuseStranger` let through. */
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
      'Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name, Traceparent, X-Request-Id, X-Assay-Toolsets, X-Assay-Tools, X-Assay-Exclude-Tools, X-Assay-Read-Only',
    'access-control-max-age': '600',
  };
  return new Response(null, { status: 204, headers });
}

const METADATA = '/.well-known/oauth-protected-resource';

/** Where clients read how to get a token (RFC 9728): the path of the resource comes behind, if it has one. */
function metadataUrl({ pathname, origin }: URL): string {
  return `${origin}${METADATA}${pathname === '/' ? '' : pathname}`;
}

/** By its own name, by that of the resource, or, where something in front of us cut the path, by that of the endpoint. */
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

/** Every scope that something on surface needs. */
function scopesOf({ tools, prompts, resources }: ServedSurface): string[] {
  const all = [...tools.values(), ...prompts.values(), ...resources].flatMap(({ scope }) => scope ?? []);
  return [...new Set(all)].sort();
}

/** 401, with the way to a token where there is an issuer, or to the one that was printed. */
export function unauthorizedResponse(
  resource: URL | undefined,
  { description }: Authentication & { ok: false },
): Response {
  const parameters = [
    ...(description ? ['error="invalid_token"', `error_description="${description}"`] : []),
    ...(resource ? [`resource_metadata="${metadataUrl(resource)}"`] : ['realm="assay"']),
  ];
  const wanted = resource
    ? 'an access token of the authorization server'
    : 'the token that the server printed at its start';
  const message = `${description ? `${description}. ` : ''}Send ${wanted}: "Authorization: Bearer <token>".`;
  return refusalResponse(401, REFUSED_CODE, message, { 'www-authenticate': `Bearer ${parameters.join(', ')}` });
}

/** 403 where the message asks for something that the caller's scopes do not cover; it names the scope that would. */
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
  const { name, uri, ref } = message['params'];
  const prompt = (given: unknown) => surface.prompts.get(String(given))?.scope;
  switch (message['method']) {
    case 'tools/call':
      return surface.tools.get(String(name))?.scope;
    case 'prompts/get':
      return prompt(name);
    case 'resources/read':
      // A longer one names no resource, and the template refuses to look at it.
      if (typeof uri !== 'string' || uri.length > LONGEST_URI) return undefined;
      return surface.resources.find(({ template }) => new UriTemplate(template.uriTemplate).match(uri))?.scope;
    case 'completion/complete':
      if (!isJsonObject(ref)) return undefined;
      if (ref['type'] === 'ref/prompt') return prompt(ref['name']);
      return surface.resources.find(({ template }) => template.uriTemplate === ref['uri'])?.scope;
    default:
      return undefined;
  }
}
