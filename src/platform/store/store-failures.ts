import { type AffectedResource, cannotUseFailure, type EnvironmentProblem } from '../environment-failure.ts';
import type { Failure } from '../errors.ts';
import { escapeName } from '../text/untrusted-text.ts';

/** Another process has locked the store, or its server is unreachable. */
export const storeUnavailable: EnvironmentProblem = {
  kind: 'unavailable',
  code: 'STORE_UNAVAILABLE',
  fix: 'Try again in a moment.',
  isPathSpecific: false,
};

export const storeNotOpened: EnvironmentProblem = {
  kind: 'configuration',
  code: 'STORE_UNAVAILABLE',
  fix: 'Check that it is a file, and that the user who runs Assay may read and write it and its folder.',
  isPathSpecific: true,
};

export const storeDamaged: EnvironmentProblem = {
  kind: 'configuration',
  code: 'STORE_DAMAGED',
  fix: 'Restore it from a backup, or move it away to begin with an empty one.',
  isPathSpecific: true,
};

const rowDamaged: EnvironmentProblem = {
  ...storeDamaged,
  fix: 'Restore the store from a backup, or delete the row.',
  isPathSpecific: false,
};
const MAX_ID_CHARACTERS = 100;

/** For a row that was changed outside Assay: JSON that does not parse, or a value of another type than its column. */
export function damagedRowFailure(table: string, id: unknown, column: string, cause?: unknown): Failure {
  const name = `the row ${escapeName(String(id), MAX_ID_CHARACTERS)} of the table ${table}`;
  return cannotUseFailure({ name, remoteName: name }, `its column ${column} is damaged`, rowDamaged, cause);
}

/** Named without its address, which may contain a password. */
export const configuredDatabase: AffectedResource = {
  name: 'the database of ASSAY_DATABASE_URL',
  remoteName: "the server's database",
};
