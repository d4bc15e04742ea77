import { createHash } from 'node:crypto';
import { errors, type FlattenedJWSInput, type JWSHeaderParameters, type JWTPayload, jwtVerify } from 'jose';
import * as z from 'zod';
import { Failure } from '../platform/errors.ts';
import { type Authentication, type Authenticator, bearerToken, type Caller } from './auth.ts';
import { createIssuerKeys, type KeySet } from './issuer-keys.ts';

interface OpenIdOptions {
  issuer: string;
  audience: string;
  /** See `IssuerKeysOptions`. */
  keysMaxAgeMs?: number;
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
const REMEMBERED_TOKENS = 10_000;
const CLOCK_TOLERANCE_S = 5;
/** RFC 9068 uses `at+jwt` for access tokens; many issuers use `JWT` or nothing. ID, logout and DPoP tokens use other types. */
const TOKEN_TYPES: readonly unknown[] = [undefined, 'jwt', 'at+jwt'];

interface VerifiedToken {
  caller: Caller;
  /** Milliseconds since 1970. */
  expiresAt: number;
  /** Whether the keys that verified it are still fresh; otherwise it is verified again. */
  isFresh: KeySet['isFresh'];
}

/** Verifies JWT access tokens of an OpenID provider (Auth0, Keycloak, …) with its published keys. */
export function createOpenIdAuthenticator(options: OpenIdOptions): Authenticator {
  const { issuer, audience, keysMaxAgeMs: maxAgeMs, keysIntervalMs: intervalMs } = options;
  const keys = createIssuerKeys({ issuer, maxAgeMs, intervalMs });
  const verified = new Map<string, VerifiedToken>();

  async function verify(token: string): Promise<Authentication> {
    try {
      let set = await keys.current();
      const findKey = async (header: JWSHeaderParameters, jws: FlattenedJWSInput) => {
        const found = await keys.find(header, jws);
        set = found.set;
        return found.key;
      };
      const { payload, protectedHeader } = await jwtVerify(token, findKey, {
        audience,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: CLOCK_TOLERANCE_S,
      });
      const description = checkClaims(payload, protectedHeader.typ, set.issuer);
      if (description) return { ok: false, description };
      const caller = callerFromClaims(set.issuer, payload);
      remember(token, { caller, expiresAt: (payload.exp ?? 0) * 1000, isFresh: set.isFresh });
      return { ok: true, caller };
    } catch (error) {
      if (isTokenError(error)) return { ok: false, description: describeTokenError(error) };
      throw issuerUnavailable(error);
    }
  }

  function remember(token: string, result: VerifiedToken): void {
    const [oldest] = verified.keys();
    if (verified.size >= REMEMBERED_TOKENS && oldest) verified.delete(oldest);
    verified.set(fingerprint(token), result);
  }

  return {
    issuers: [issuer],
    ready: () =>
      keys.current().then(
        () => true,
        () => false,
      ),
    async authenticate(authorization) {
      const token = bearerToken(authorization);
      if (token === undefined) return { ok: false };
      const known = verified.get(fingerprint(token));
      if (known && known.expiresAt > Date.now() && known.isFresh()) return { ok: true, caller: known.caller };
      return verify(token);
    },
  };
}

const fingerprint = (token: string) => createHash('sha256').update(token).digest('base64');

/** Returns why a token with a valid signature is not accepted as a bearer token. `type` is the `typ` of its header. */
function checkClaims({ iss, cnf, iat }: JWTPayload, type: unknown, issuer: string): string | undefined {
  if (iss !== issuer) return 'The token is from another issuer';
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
    if (error.claim === 'nbf') return 'The token is not valid yet';
    return 'A claim of the token is missing or wrong';
  }
  return 'The token is not valid';
}

function issuerUnavailable(error: unknown): Failure {
  const message = 'The token issuer cannot be reached. Try again later.';
  return new Failure('unavailable', 'ISSUER_UNAVAILABLE', message, {}, { cause: error });
}
