import type { AffectedResource, EnvironmentProblem } from '../environment-failure.ts';

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

/** Named without its address, which may contain a password. */
export const configuredDatabase: AffectedResource = {
  name: 'the database of ASSAY_DATABASE_URL',
  remoteName: "the server's database",
};
