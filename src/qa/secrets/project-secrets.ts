import { Failure, quote } from '../../platform/errors.ts';
import { createRedactor, type Redactor } from '../../platform/redact.ts';
import type { Vault } from '../../platform/secrets/vault.ts';
import type { QaStore, Secret } from '../store/store.ts';
import { createPlaces, type SecretPlaces } from './places.ts';

/** The secrets of a project while a run works with them. They go into pages, and nowhere else. */
export interface ProjectSecrets {
  /** Names and what they are for. */
  list: readonly { id: string; name: string; description: string | null }[];
  value(name: string): string;
  /** Whatever leaves the run as text goes through this. */
  redactor: Redactor;
  /** Addresses and locators that are kept go through this, and come back through it. */
  places: SecretPlaces;
}

export async function openProjectSecrets(
  store: QaStore,
  vault: () => Promise<Vault>,
  projectId: string,
  /** What somebody wrote in the open, such as the address of the site. */
  open: readonly string[] = [],
): Promise<ProjectSecrets> {
  const rows = await store.secrets.list({ projectId });
  const values = new Map<string, string>();
  if (rows.length > 0) {
    const opened = await vault();
    for (const row of rows) values.set(row.name, opened.open(row.sealed, placeOf(row)));
  }
  const userNames = rows.filter(isUserName).map(({ name }) => name);
  return {
    list: rows.map(({ id, name, description }) => ({ id, name, description })),
    redactor: createRedactor(
      values.values(),
      userNames.map((name) => values.get(name) ?? ''),
    ),
    places: createPlaces(values, { userNames, open }),
    value(name) {
      const value = values.get(name);
      if (value !== undefined) return value;
      const message = `The project has no secret ${quote(name)}: qa_secret_create makes it.`;
      throw new Failure('not_found', 'NO_SECRET', message, { secretName: name });
    },
  };
}

/** Whether a secret only says who somebody is, and opens nothing. */
function isUserName({ name }: Pick<Secret, 'name'>): boolean {
  return (
    /(^|[^a-z])(user|user[ _-]?name|e-?mail|login|account|benutzer(name)?)([ _-]?id)?$/i.test(name) &&
    !/pass|pwd|token|key|secret|code|kennwort|otp|cookie|session/i.test(name)
  );
}

/** What a sealed value is bound to. */
export function placeOf({ projectId, id }: Pick<Secret, 'projectId' | 'id'>): string[] {
  return ['qa_secrets', projectId, id];
}
