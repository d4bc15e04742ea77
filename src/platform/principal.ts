import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** The caller: the issuer of the identity, the subject at that issuer, and the client program. */
export interface Principal {
  issuer: string;
  subject: string;
  client: string;
}

/** The owner of a stored object: a person or machine, independent of the client program. */
export type Owner = Pick<Principal, 'issuer' | 'subject'>;

/** The issuer of the local user's identity. */
export const localIssuer = 'local';

/** A short key of an owner, the same for all their clients, that is safe in a file name. */
export function ownerKey({ issuer, subject }: Owner): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
    .slice(0, 16);
}

/**
 * The folder of an owner's files, relative to the data folder: an empty path for the local user, `owners/<ownerKey>` for
 * owners of an OAuth issuer. Every domain that writes files uses this rule, so that no id of one owner leads to a file of
 * another.
 */
export function ownerFolder(owner: Owner): string {
  return owner.issuer === localIssuer ? '' : join('owners', ownerKey(owner));
}

export function ownerHome(home: string, owner: Owner): string {
  return join(home, ownerFolder(owner));
}
