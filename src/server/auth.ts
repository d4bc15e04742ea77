import { createHash, timingSafeEqual } from 'node:crypto';
import { userInfo } from 'node:os';
import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import { localIssuer, type Principal } from '../platform/principal.ts';
import type { Scopes } from './scopes.ts';

/** Somebody who was let in. The token that proved it goes no further than here. */
export interface Caller {
  principal: Principal;
  scopes: Scopes;
}

/** One caller among all: the same person through another client is another one. */
export function callerKey({ principal: { issuer, subject, client } }: Caller): string {
  return JSON.stringify([issuer, subject, client]);
}

export type Authentication =
  | { ok: true; caller: Caller }
  /** `description` tells the caller what is wrong with the token; without one there was none. */
  | { ok: false; description?: string };

export interface Authenticator {
  /** Rejects with a Failure where it cannot tell, because whoever issues the tokens cannot be reached. */
  authenticate(authorization: string | undefined): Promise<Authentication>;
  /** The issuers of tokens, for the metadata by which clients find them. */
  issuers: readonly string[];
  ready(): Promise<boolean>;
}

export function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +([\w.~+/=-]+) *$/i.exec(authorization ?? '')?.[1];
}

/** The one who started the server, known by the token that it printed. */
export function createTokenAuthenticator(token: string): Authenticator {
  const caller: Caller = { principal: { ...localUser, client: 'http' }, scopes: 'all' };
  return {
    issuers: [],
    ready: async () => true,
    async authenticate(authorization) {
      const given = bearerToken(authorization);
      if (given === undefined) return { ok: false };
      if (!isSameSecret(given, token)) return { ok: false, description: 'The token is not the printed one' };
      return { ok: true, caller };
    },
  };
}

/** Whoever reaches the server. Only for a loopback address. */
export const noAuthentication: Authenticator = {
  issuers: [],
  ready: async () => true,
  authenticate: async () => ({ ok: true, caller: { principal: { ...localUser, client: 'http' }, scopes: 'all' } }),
};

/** Compares secrets without telling by the time it takes how much of them is right. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(digest(a), digest(b));
}

const digest = (text: string) => createHash('sha256').update(text).digest();

export const localUser: Principal = { issuer: localIssuer, subject: userName(), client: 'cli' };

/** A user id without an entry in the user database has no name; containers do that. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

/** How the SDK carries a caller from the door to the tools: without the token. */
export function toAuthInfo(caller: Caller): AuthInfo {
  return { token: '', clientId: caller.principal.client, scopes: [], extra: { caller } };
}

/** Who makes this call: the caller at the HTTP door, or over stdio the user of this machine. */
export function getCaller(context: ServerContext): Caller {
  const caller = context.http?.authInfo?.extra?.['caller'];
  return isCaller(caller) ? caller : { principal: { ...localUser, client: 'stdio' }, scopes: 'all' };
}

/** What comes out of `extra` is what `toAuthInfo` put there, or nothing. */
function isCaller(value: unknown): value is Caller {
  return typeof value === 'object' && value !== null && 'principal' in value && 'scopes' in value;
}
