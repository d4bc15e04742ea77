import { createHash, timingSafeEqual } from 'node:crypto';
import { userInfo } from 'node:os';
import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import { localIssuer, type Principal } from '../platform/principal.ts';
import type { Scopes } from './scopes.ts';

/** An authenticated caller. The token itself is not passed on. */
export interface Caller {
  principal: Principal;
  scopes: Scopes;
}

/** Identifies a caller. The same person with another client is another caller. */
export function callerKey({ principal: { issuer, subject, client } }: Caller): string {
  return JSON.stringify([issuer, subject, client]);
}

export type Authentication =
  | { ok: true; caller: Caller }
  /** `description` explains why the token is rejected; it is missing when no token was sent. */
  | { ok: false; description?: string };

export interface Authenticator {
  /** Rejects with a `Failure` when the token issuer cannot be reached. */
  authenticate(authorization: string | undefined): Promise<Authentication>;
  /** Token issuers, for the OAuth resource metadata. */
  issuers: readonly string[];
  ready(): Promise<boolean>;
}

export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization ?? '')?.[1];
}

/** Authenticates the user who started the server by the token that it printed. */
export function createTokenAuthenticator(token: string): Authenticator {
  const caller: Caller = { principal: { ...localUser, client: 'http' }, scopes: 'all' };
  return {
    issuers: [],
    ready: async () => true,
    async authenticate(authorization) {
      const presented = bearerToken(authorization);
      if (presented === undefined) return { ok: false };
      if (!isSameSecret(presented, token)) return { ok: false, description: 'The token is not the printed one' };
      return { ok: true, caller };
    },
  };
}

/** Accepts every caller. Only for a loopback address. */
export const noAuthentication: Authenticator = {
  issuers: [],
  ready: async () => true,
  authenticate: async () => ({ ok: true, caller: { principal: { ...localUser, client: 'http' }, scopes: 'all' } }),
};

/** Compares secrets in constant time. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

const digest = (text: string) => createHash('sha256').update(text).digest();

export const localUser: Principal = { issuer: localIssuer, subject: userName(), client: 'cli' };

/** In containers a user id often has no name in the user database. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

/** Wraps a caller for the SDK, which passes it to the request handlers. It contains no token. */
export function toAuthInfo(caller: Caller): AuthInfo {
  return { token: '', clientId: caller.principal.client, scopes: [], extra: { caller } };
}

/** Returns the authenticated HTTP caller, or the local user over stdio. */
export function getCaller(context: ServerContext): Caller {
  const caller = context.http?.authInfo?.extra?.['caller'];
  return isCaller(caller) ? caller : { principal: { ...localUser, client: 'stdio' }, scopes: 'all' };
}

/** `extra` contains the caller of `toAuthInfo`, or nothing. */
function isCaller(value: unknown): value is Caller {
  return typeof value === 'object' && value !== null && 'principal' in value && 'scopes' in value;
}
