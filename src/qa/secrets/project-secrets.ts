import { Failure, quote } from '../../platform/errors.ts';
import type { PrivateText } from '../../platform/page/capture/private-text.ts';
import { buildPagePatterns, createRedactor, type Redactor } from '../../platform/redaction/redactor.ts';
import type { SecretVault } from '../../platform/secrets/secret-vault.ts';
import type { QaSecret, QaStore } from '../store/qa-store.ts';
import { createSecretPlaceholders, type SecretPlaceholders } from './secret-placeholders.ts';

/** The secrets of a project while a run works with them. They go into pages, and nowhere else. */
export interface ProjectSecrets {
  /** Names and what they are for. */
  list: readonly { id: string; name: string; description: string | null }[];
  value(name: string): string;
  /** Whatever leaves the run as text goes through this. */
  redactor: Redactor;
  /** Addresses and locators that are kept go through this, and come back through it. */
  placeholders: SecretPlaceholders;
  /** Whether a text holds a value that opens something, however it is written. Names of users open nothing. */
  holdsCredential(text: string): boolean;
  /** What no picture may show. */
  privateText: PrivateText;
}

export async function openProjectSecrets(
  store: QaStore,
  vault: () => Promise<SecretVault>,
  projectId: string,
  /** What somebody wrote in the open, such as the address of the site. */
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

/** The same for secrets whose values are known. */
export function projectSecretsFrom(
  rows: readonly Pick<QaSecret, 'id' | 'name' | 'description'>[],
  values: ReadonlyMap<string, string>,
  open: readonly string[] = [],
): ProjectSecrets {
  const userNames = rows.filter(isUserName).map(({ name }) => name);
  // A user name that is a plain word, such as admin or editor, opens nothing and stands on most pages: it stays.
  const names = userNames.map((name) => values.get(name) ?? '').filter(isDistinctive);
  const keys = [...values].flatMap(([name, value]) => (userNames.includes(name) ? [] : [value]));
  return {
    list: rows.map(({ id, name, description }) => ({ id, name, description })),
    redactor: createRedactor([...keys, ...names], names),
    placeholders: createSecretPlaceholders(values, { userNames, publicUrls: open }),
    holdsCredential: createRedactor(keys).finds,
    privateText: pagePrivateText([...keys, ...names], names),
    value(name) {
      const value = values.get(name);
      if (value !== undefined) return value;
      const message = `The project has no secret ${quote(name)}: qa_secret_create makes it.`;
      throw new Failure('not_found', 'NO_SECRET', message, { secretName: name });
    },
  };
}

/** Pages show white space as a single blank. */
function pagePrivateText(values: readonly string[], userNames: readonly string[]): PrivateText {
  const shown = (texts: readonly string[]) => texts.flatMap((text) => [text, text.replaceAll(/\s+/g, ' ').trim()]);
  const { source, short } = buildPagePatterns(shown(values), shown(userNames));
  return { source, alone: [...short].map((text) => text.toLowerCase()) };
}

/** Nobody writes it but who means this user. */
function isDistinctive(userName: string): boolean {
  return !/^\p{L}*$/u.test(userName);
}

const userNameWords = new Set([
  'user',
  'username',
  'email',
  'mail',
  'login',
  'account',
  'uid',
  'benutzer',
  'benutzername',
]);
/** Words that leave a name of a user what it is: `USER_1`, `loginName`, `account id`. */
const neutralWords = new Set(['name', 'id', 'address', 'test', 'my', 'the', 'qa', 'demo', 'admin', 'e']);
const keyWords = /pass|pwd|token|key|secret|code|kennwort|otp|cookie|session/i;

/** Whether a secret only says who a user is, and opens nothing. Read from the words of its name: `TEST_USER`, `userName2`. */
export function isUserName({ name }: Pick<QaSecret, 'name'>): boolean {
  if (keyWords.test(name)) return false;
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
  const last = words.findLast((word) => !neutralWords.has(word));
  return last !== undefined && userNameWords.has(last);
}

/** What a sealed value is bound to. */
export function secretBinding({ projectId, id }: Pick<QaSecret, 'projectId' | 'id'>): string[] {
  return ['qa_secrets', projectId, id];
}
