import { createHash } from 'node:crypto';
import { join } from 'node:path';

/** Who calls: the issuer of their identity, the subject at that issuer, and the client program they use. */
export interface Principal {
  issuer: string;
  subject: string;
  client: string;
}

/** Who owns a stored thing: the person or machine, whichever client they use. */
export type Owner = Pick<Principal, 'issuer' | 'subject'>;

/** Issues the identity of the user of this machine. */
export const localIssuer = 'local';

/** A short name for whoever owns a thing, the same from every client of theirs, and harmless in a file name. */
export function ownerKey({ issuer, subject }: Owner): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
    .slice(0, 16);
}

/**
 * Where the files of an owner are, relative to the home folder: the home folder itself (an empty path) for the user of this
 * machine, `owners/<ownerKey>` for every owner whose identity comes from an OAuth issuer. Every domain that writes files
 * uses this rule, so that no id of one owner leads to a file of another.
 */
export function ownerFolder(owner: Owner): string {
  return owner.issuer === localIssuer ? '' : join('owners', ownerKey(owner));
}

export function ownerHome(home: string, owner: Owner): string {
  return join(home, ownerFolder(owner));
}
