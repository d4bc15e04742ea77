import { createHash, timingSafeEqual } from 'node:crypto';
import { userInfo } from 'node:os';
import type { AuthInfo, ServerContext } from '@modelcontextprotocol/server';
import type { Principal } from './tool.ts';

/** Decides who a request comes from; undefined refuses it. */
export type Authenticate = (authorization: string | undefined) => Promise<AuthInfo | undefined>;

/** The one who started the server, known by the token that it printed. */
export function byToken(token: string): Authenticate {
  const expected = digest(token);
  return async (authorization) => {
    const given = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
    if (given === undefined || !timingSafeEqual(digest(given), expected)) return undefined;
    return { token: given, clientId: 'http', scopes: [] };
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest();

export function principalOf(context: ServerContext): Principal {
  return { ...localUser, client: context.http?.authInfo?.clientId ?? 'stdio' };
}

export const localUser: Principal = { issuer: 'local', subject: userName(), client: 'cli' };

/** A user id without an entry in the user database has no name; containers do that. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}
