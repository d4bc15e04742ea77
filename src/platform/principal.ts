import { createHash } from 'node:crypto';

/** Who calls: the issuer of their identity, the subject at that issuer, and the client program they use. */
export interface Principal {
  issuer: string;
  subject: string;
  client: string;
}

/** Issues the identity of the user of this machine. */
export const localIssuer = 'local';

/** A short name for whoever owns a thing, the same from every client of theirs, and harmless in a file name. */
export function ownerKey({ issuer, subject }: Pick<Principal, 'issuer' | 'subject'>): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
    .slice(0, 16);
}
