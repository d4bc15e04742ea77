import { createHash } from 'node:crypto';
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as z from 'zod';
import { Failure } from '../platform/errors.ts';
import { type Authentication, bearerToken, type Caller, type Gatekeeper } from './auth.ts';

interface OpenIdOptions {
  issuer: string;
  audience: string;
  /** How long a key set is used before it is fetched again. */
  keysMaxAgeMs?: number;
  /** An unknown key id fetches the key set again, but not more often than this. */
  keysCooldownMs?: number;
}

/** Asymmetric ones only: a shared secret or none at all is what attackers ask for. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const LARGEST_DOCUMENT_BYTES = 512 * 1024;
const TIME_LIMIT_MS = 5000;
const REMEMBERED_TOKENS = 10_000;
const REMEMBERED_FOR_MS = 60_000;
const CLOCK_TOLERANCE_S = 5;

const discovered = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** JWT access tokens of an OpenID provider (Auth0, Keycloak, …), verified against the keys that it publishes. */
export function byOpenId(options: OpenIdOptions): Gatekeeper {
  let provider: Promise<{ issuer: string; keys: JWTVerifyGetKey }> | undefined;
  const verified = new Map<string, { caller: Caller; until: number }>();

  /** Found once; a failure is not kept, so that the next request tries again. */
  function find() {
    provider ??= discover(options).catch((error: unknown) => {
      provider = undefined;
      throw unavailable(error);
    });
    return provider;
  }

  async function verify(token: string): Promise<Authentication> {
    const { issuer, keys } = await find();
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience: options.audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_S,
      });
      const caller = callerOf(issuer, payload);
      remember(token, caller, (payload.exp ?? 0) * 1000);
      return { ok: true, caller };
    } catch (error) {
      if (isAboutTheToken(error)) return { ok: false, description: describe(error) };
      throw unavailable(error);
    }
  }

  function remember(token: string, caller: Caller, expiresAt: number): void {
    const [oldest] = verified.keys();
    if (verified.size >= REMEMBERED_TOKENS && oldest) verified.delete(oldest);
    verified.set(fingerprint(token), { caller, until: Math.min(expiresAt, Date.now() + REMEMBERED_FOR_MS) });
  }

  return {
    issuers: [options.issuer],
    ready: () =>
      find().then(
        () => true,
        () => false,
      ),
    async authenticate(authorization) {
      const token = bearerToken(authorization);
      if (token === undefined) return { ok: false };
      const known = verified.get(fingerprint(token));
      if (known && known.until > Date.now()) return { ok: true, caller: known.caller };
      return verify(token);
    },
  };
}

const fingerprint = (token: string) => createHash('sha256').update(token).digest('base64');

async function discover({ issuer, keysMaxAgeMs = 600_000, keysCooldownMs = 5000 }: OpenIdOptions) {
  const base = issuer.replace(/\/$/, '');
  const found = await fetchJson(`${base}/.well-known/openid-configuration`).catch(() =>
    fetchJson(
      new URL(`/.well-known/oauth-authorization-server${new URL(base).pathname}`.replace(/\/$/, ''), base).href,
    ),
  );
  const metadata = discovered.parse(found);
  if (metadata.issuer.replace(/\/$/, '') !== base)
    throw new Error(`the provider at ${base} calls itself ${metadata.issuer}`);
  const keys = createRemoteJWKSet(new URL(metadata.jwks_uri), {
    timeoutDuration: TIME_LIMIT_MS,
    cooldownDuration: keysCooldownMs,
    cacheMaxAge: keysMaxAgeMs,
    [customFetch]: async (url: string, init: RequestInit) => bounded(await fetch(url, init)),
  });
  return { issuer: metadata.issuer, keys };
}

async function fetchJson(url: string): Promise<unknown> {
  const response = await bounded(await fetch(url, { signal: AbortSignal.timeout(TIME_LIMIT_MS), redirect: 'error' }));
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}

/** The same response, read to its end, if it is no longer than such a document can be. */
async function bounded(response: Response): Promise<Response> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > LARGEST_DOCUMENT_BYTES) throw new Error(`the document has more than ${LARGEST_DOCUMENT_BYTES} bytes`);
    parts.push(part);
  }
  return new Response(Buffer.concat(parts), { status: response.status, headers: response.headers });
}

const claims = z.object({
  sub: z.string().min(1),
  client_id: z.string().optional(),
  azp: z.string().optional(),
  /** OAuth says a list in one string; Entra ID says `scp`; Auth0 puts roles' rights into `permissions`. */
  scope: z.union([z.string(), z.array(z.string())]).optional(),
  scp: z.union([z.string(), z.array(z.string())]).optional(),
  permissions: z.array(z.string()).optional(),
});

function callerOf(issuer: string, payload: JWTPayload): Caller {
  const { sub, client_id, azp, scope, scp, permissions = [] } = claims.parse(payload);
  const listed = [scope, scp].flatMap((value) => (typeof value === 'string' ? value.split(' ') : (value ?? [])));
  return {
    principal: { issuer, subject: sub, client: client_id ?? azp ?? sub },
    scopes: new Set([...listed, ...permissions].filter(Boolean)),
  };
}

function isAboutTheToken(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return false;
  // jose reports a key set that it could not fetch by its base class alone.
  return error instanceof z.ZodError || (error instanceof errors.JOSEError && error.code !== errors.JOSEError.code);
}

function describe(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return 'The token is for another audience';
    if (error.claim === 'iss') return 'The token is of another issuer';
    if (error.claim === 'nbf') return 'The token is not valid yet';
    return 'The token lacks a claim, or has a wrong one';
  }
  return 'The token is not valid';
}

function unavailable(error: unknown): Failure {
  const message = 'The issuer of the tokens cannot be reached; try again later.';
  return new Failure('unavailable', 'ISSUER_UNAVAILABLE', message, {}, { cause: error });
}
