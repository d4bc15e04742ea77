import { Failure, quote } from '../../platform/errors.ts';
import { once } from '../../platform/once.ts';
import type { PrivateText } from '../../platform/page/capture/private-text.ts';
import { buildPagePatterns, createRedactor, type Redactor } from '../../platform/redaction/redactor.ts';
import type { SecretVault } from '../../platform/secrets/secret-vault.ts';
import type { QaSecret, QaStore } from '../store/qa-store.ts';
import { credentialWords, neutralNameWords, userNameWords } from './secret-name-words.ts';
import { createSecretPlaceholders, type SecretPlaceholders } from './secret-placeholders.ts';

/** The secrets of a project during a run. Values go into pages only. */
export interface ProjectSecrets {
  /** Names and descriptions. */
  list: readonly { id: string; name: string; description: string | null }[];
  value(name: string): string;
  /** Redacts all text that leaves the run. */
  redactor: Redactor;
  /** Hides values in stored URLs and locators, and restores them. */
  placeholders: SecretPlaceholders;
  /** Whether a text holds a credential in any encoding. User names are no credentials. */
  holdsCredential(text: string): boolean;
  /** Text that screenshots mask. */
  readonly privateText: PrivateText;
}

export async function openProjectSecrets(
  store: QaStore,
  vault: () => Promise<SecretVault>,
  projectId: string,
  /** Public URLs, such as that of the site. */
  open: readonly string[] = [],
): Promise<ProjectSecrets> {
  const rows = await store.secrets.list({ projectId });
  const values = new Map<string, string>();
  if (rows.length > 0) {
    const opened = await vault();
    for (const row of rows) values.set(row.name, opened.open(row.sealed, secretBinding(row)));
  }
  return projectSecretsFrom(rows, values, open);
}

/** The same for secrets with known values. */
export function projectSecretsFrom(
  rows: readonly Pick<QaSecret, 'id' | 'name' | 'description'>[],
  values: ReadonlyMap<string, string>,
  open: readonly string[] = [],
): ProjectSecrets {
  const userNames = rows.filter(isUserName).map(({ name }) => name);
  // A user name that is a plain word, such as admin, occurs on most pages and is not redacted.
  const names = userNames.map((name) => values.get(name) ?? '').filter(isDistinctive);
  const keys = [...values].flatMap(([name, value]) => (userNames.includes(name) ? [] : [value]));
  const privateText = once(() => pagePrivateText([...keys, ...names], names));
  return {
    list: rows.map(({ id, name, description }) => ({ id, name, description })),
    redactor: createRedactor([...keys, ...names], names),
    placeholders: createSecretPlaceholders(values, { userNames, publicUrls: open }),
    holdsCredential: createRedactor(keys).finds,
    get privateText() {
      return privateText();
    },
    value(name) {
      const value = values.get(name);
      if (value !== undefined) return value;
      const message = `The project has no secret ${quote(name)}: create it with qa_secret_create.`;
      throw new Failure('not_found', 'NO_SECRET', message, { secretName: name });
    },
  };
}

/** Pages collapse white space. */
function pagePrivateText(values: readonly string[], userNames: readonly string[]): PrivateText {
  const shown = (texts: readonly string[]) => texts.flatMap((text) => [text, text.replaceAll(/\s+/g, ' ').trim()]);
  const { source, short } = buildPagePatterns(shown(values), shown(userNames));
  return { source, alone: [...short].map((text) => text.toLowerCase()) };
}

/** Whether a user name is no plain word. */
function isDistinctive(userName: string): boolean {
  return !/^\p{L}*$/u.test(userName);
}

/** Whether a secret is a user name, by the words of its name: `TEST_USER`, `userName2`. */
export function isUserName({ name }: Pick<QaSecret, 'name'>): boolean {
  if (credentialWords.test(name)) return false;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
  const last = words.findLast((word) => !neutralNameWords.has(word));
  return last !== undefined && userNameWords.has(last);
}

/** Binds a sealed value to its row. */
export function secretBinding({ projectId, id }: Pick<QaSecret, 'projectId' | 'id'>): string[] {
  return ['qa_secrets', projectId, id];
}
