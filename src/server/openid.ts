import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type CryptoKey,
  createLocalJWKSet,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
  type JWTPayload,
  jwtVerify,
} from 'jose';
import * as z from 'zod';
import { Failure } from '../platform/errors.ts';
import { type Authentication, type Authenticator, bearerToken, type Caller } from './auth.ts';

interface OpenIdOptions {
  issuer: string;
  audience: string;
  /** Lifetime of a fetched key set, and so the time for which a removed key is still accepted. */
  keysMaxAgeMs?: number;
  /** Shortest interval between fetches of the key set. A token with an unknown key id waits for the next one. */
  keysIntervalMs?: number;
}

/** Asymmetric algorithms only: HMAC and `none` enable forged tokens. */
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
const CLOCK_TOLERANCE_S = 5;
/** Together with the fetch itself, a removed key is rejected within a minute. */
const KEYS_MAX_AGE_MS = 50_000;
const KEYS_INTERVAL_MS = 1000;
/** RFC 9068 uses `at+jwt` for access tokens; many issuers use `JWT` or nothing. ID, logout and DPoP tokens use other types. */
const TOKEN_TYPES: readonly unknown[] = [undefined, 'jwt', 'at+jwt'];

const providerMetadata = z.object({ issuer: z.string(), jwks_uri: z.url() });

/** Verifies JWT access tokens of an OpenID provider (Auth0, Keycloak, …) with its published keys. */
export function createOpenIdAuthenticator(options: OpenIdOptions): Authenticator {
  let provider: Promise<{ issuer: string; keys: IssuerKeys }> | undefined;
  const verified = new Map<string, { caller: Caller; until: number }>();

  /** Discovers the provider once; a failure is not cached, so that the next request tries again. */
  function find() {
    provider ??= discover(options).catch((error: unknown) => {
      provider = undefined;
      throw issuerUnavailable(error);
    });
    return provider;
  }

  async function verify(token: string): Promise<Authentication> {
    const { issuer, keys } = await find();
    let keysFreshUntil = 0;
    const findKey = async (header: JWSHeaderParameters, jws: FlattenedJWSInput) => {
      const { key, freshUntil } = await keys.find(header, jws);
      keysFreshUntil = freshUntil;
      return key;
    };
    try {
      const { payload, protectedHeader } = await jwtVerify(token, findKey, {
        issuer,
        audience: options.audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_S,
      });
      const description = checkTokenType(protectedHeader.typ, payload);
      if (description) return { ok: false, description };
      const caller = callerFromClaims(issuer, payload);
      remember(token, caller, Math.min((payload.exp ?? 0) * 1000, keysFreshUntil));
      return { ok: true, caller };
    } catch (error) {
      if (isTokenError(error)) return { ok: false, description: describeTokenError(error) };
      throw issuerUnavailable(error);
    }
  }

  function remember(token: string, caller: Caller, until: number): void {
    const [oldest] = verified.keys();
    if (verified.size >= REMEMBERED_TOKENS && oldest) verified.delete(oldest);
    verified.set(fingerprint(token), { caller, until });
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

async function discover(options: OpenIdOptions) {
  const base = options.issuer.replace(/\/$/, '');
  const found = await fetchJson(`${base}/.well-known/openid-configuration`).catch(() =>
    fetchJson(
      new URL(`/.well-known/oauth-authorization-server${new URL(base).pathname}`.replace(/\/$/, ''), base).href,
    ),
  );
  const metadata = providerMetadata.parse(found);
  if (metadata.issuer.replace(/\/$/, '') !== base)
    throw new Error(`the metadata of ${base} names the issuer ${metadata.issuer}`);
  return { issuer: metadata.issuer, keys: issuerKeys(new URL(metadata.jwks_uri), options) };
}

interface IssuerKeys {
  /** Finds the key of a token, with the expiry time of the key set that holds it. */
  find(header: JWSHeaderParameters, jws: FlattenedJWSInput): Promise<{ key: CryptoKey; freshUntil: number }>;
}

interface KeySet {
  find: ReturnType<typeof createLocalJWKSet>;
  /** When its fetch began, by the monotonic clock. */
  requestedAt: number;
  /** Counts from the begin of the fetch, because a key may be removed while the response is on its way. */
  freshUntil: number;
}

/**
 * Fetches the published keys of an issuer. An unknown key id fetches them again, so that a new key is accepted as soon as it
 * is published; forged key ids share one fetch per interval. jose's remote key set does not tell which fetch a key is from,
 * and a token may be remembered only as long as the key set that verified it.
 */
function issuerKeys(
  url: URL,
  { keysMaxAgeMs = KEYS_MAX_AGE_MS, keysIntervalMs = KEYS_INTERVAL_MS }: OpenIdOptions,
): IssuerKeys {
  let lastFetchAt = Number.NEGATIVE_INFINITY;
  let current: KeySet | undefined;
  let loading: Promise<KeySet> | undefined;

  async function fetchKeys(): Promise<KeySet> {
    await pause(Math.max(0, lastFetchAt + keysIntervalMs - performance.now()));
    const requestedAt = performance.now();
    const freshUntil = Date.now() + keysMaxAgeMs;
    lastFetchAt = requestedAt;
    // jose checks the shape, and throws JWKSInvalid.
    const find = createLocalJWKSet((await fetchJson(url.href)) as JSONWebKeySet);
    current = { find, requestedAt, freshUntil };
    return current;
  }

  function load(): Promise<KeySet> {
    loading ??= fetchKeys().finally(() => {
      loading = undefined;
    });
    return loading;
  }

  return {
    async find(header, jws) {
      const arrivedAt = performance.now();
      let set = current && Date.now() < current.freshUntil ? current : await load();
      for (;;) {
        try {
          return { key: await set.find(header, jws), freshUntil: set.freshUntil };
        } catch (error) {
          // Keys that were fetched before the token arrived may lack its key.
          if (!(error instanceof errors.JWKSNoMatchingKey) || set.requestedAt >= arrivedAt) throw error;
          set = await load();
        }
      }
    },
  };
}

async function fetchJson(url: string): Promise<unknown> {
  const response = await readBounded(
    await fetch(url, { signal: AbortSignal.timeout(TIME_LIMIT_MS), redirect: 'error' }),
  );
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}

/** Reads a response to its end, up to a size limit. */
async function readBounded(response: Response): Promise<Response> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > LARGEST_DOCUMENT_BYTES) throw new Error(`the document has more than ${LARGEST_DOCUMENT_BYTES} bytes`);
    parts.push(part);
  }
  return new Response(Buffer.concat(parts), { status: response.status, headers: response.headers });
}

/** Returns why a token with a valid signature is not accepted as a bearer token. `type` is the `typ` of its header. */
function checkTokenType(type: unknown, { cnf, iat }: JWTPayload): string | undefined {
  const name = typeof type === 'string' ? type.toLowerCase().replace(/^application\//, '') : undefined;
  if ((type !== undefined && name === undefined) || !TOKEN_TYPES.includes(name))
    return 'The typ of the token is not that of an access token';
  if (cnf !== undefined) return 'The token is bound to a sender key (cnf), which is not supported';
  if (iat !== undefined && iat > Date.now() / 1000 + CLOCK_TOLERANCE_S) return 'The token was issued in the future';
  return undefined;
}

const claims = z.object({
  sub: z.string().min(1),
  client_id: z.string().optional(),
  azp: z.string().optional(),
  /** OAuth uses one string with a list; Entra ID uses `scp`; Auth0 puts rights of roles into `permissions`. */
  scope: z.union([z.string(), z.array(z.string())]).optional(),
  scp: z.union([z.string(), z.array(z.string())]).optional(),
  permissions: z.array(z.string()).optional(),
});

function callerFromClaims(issuer: string, payload: JWTPayload): Caller {
  const { sub, client_id, azp, scope, scp, permissions = [] } = claims.parse(payload);
  const listed = [scope, scp].flatMap((value) => (typeof value === 'string' ? value.split(' ') : (value ?? [])));
  return {
    principal: { issuer, subject: sub, client: client_id ?? azp ?? sub },
    scopes: new Set([...listed, ...permissions].filter(Boolean)),
  };
}

function isTokenError(error: unknown): boolean {
  if (error instanceof errors.JWKSInvalid) return false;
  return error instanceof z.ZodError || error instanceof errors.JOSEError;
}

function describeTokenError(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === 'aud') return 'The token is for another audience';
    if (error.claim === 'iss') return 'The token is from another issuer';
    if (error.claim === 'nbf') return 'The token is not valid yet';
    return 'A claim of the token is missing or wrong';
  }
  return 'The token is not valid';
}

function issuerUnavailable(error: unknown): Failure {
  const message = 'The token issuer cannot be reached. Try again later.';
  return new Failure('unavailable', 'ISSUER_UNAVAILABLE', message, {}, { cause: error });
}
