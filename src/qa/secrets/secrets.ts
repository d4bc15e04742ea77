import { quote } from '../../platform/errors.ts';
import { createRedactor, SHORTEST_WITHIN_TEXT } from '../../platform/redaction/redactor.ts';
import { sealedBytes } from '../../platform/secrets/secret-vault.ts';
import { invalidArgument, requireOwned, requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import type { QaSecret } from '../store/qa-store.ts';
import type { RowChanges } from '../store/repository.ts';
import type { PageRequest, ResultPage } from '../store/result-page.ts';
import {
  isUserName,
  openProjectSecrets,
  type ProjectSecrets,
  projectSecretsFrom,
  secretBinding,
} from './project-secrets.ts';
import { redactProjectRows } from './redact-rows.ts';
import { rejectRenameWhileRunning, renameSecretReferences } from './rename-secret.ts';

const LONGEST_VALUE = 10_000;
const MOST_SECRETS = 200;
/** Every text of a project is searched for all values, so their total bounds the time of each call. */
const MOST_BYTES = 50_000;

interface SecretInput {
  name: string;
  value: string;
  description?: string | undefined;
  source?: 'user' | 'agent' | undefined;
}

export async function createSecret(qa: QaContext, projectId: string, facts: SecretInput): Promise<QaSecret> {
  await requireProject(qa, projectId);
  const { store, owner } = qa;
  const name = checkName(facts.name);
  const value = checkValue(facts.value);
  rejectValueInName(name, value);
  await rejectSameName(qa, projectId, name);
  if ((await store.secrets.count({ projectId })) >= MOST_SECRETS)
    throw invalidArgument(
      'projectId',
      `The project has ${MOST_SECRETS} secrets, which is the limit: delete one first.`,
    );
  await rejectTooMuch(qa, projectId, value);
  const others = await openProjectSecrets(store, qa.vault, projectId);
  rejectOtherValuesInName(name, others);
  const id = store.createId('sec');
  const vault = await qa.vault();
  const described = redactValue(facts.description ?? '', value);
  const secret = {
    ...{ id, owner, projectId, name },
    description: others.redactor.text(described) || null,
    source: facts.source ?? 'user',
    sealed: vault.seal(value, secretBinding({ projectId, id })),
    keyId: vault.keyId,
  };
  try {
    return await store.transaction(async (tables) => {
      const made = await tables.secrets.insert(secret);
      await redactProjectRows(tables, projectId, projectSecretsFrom([made], new Map([[name, value]])));
      return made;
    });
  } catch (error) {
    // A concurrent call may have taken the name.
    await rejectSameName(qa, projectId, name);
    throw error;
  }
}

export async function updateSecret(
  qa: QaContext,
  secretId: string,
  changes: RowChanges<SecretInput>,
): Promise<QaSecret> {
  const secret = await ownSecret(qa, secretId);
  const { projectId } = secret;
  if (changes.name === undefined && changes.value === undefined && changes.description === undefined)
    throw invalidArgument('name', 'Nothing to change: give name, value or description.');
  const name = changes.name === undefined ? secret.name : checkName(changes.name);
  const isRenamed = name !== secret.name;
  if (isRenamed) await rejectSameName(qa, projectId, name);
  if (changes.value !== undefined) await rejectTooMuch(qa, projectId, changes.value, secretId);
  const sealed = changes.value === undefined ? {} : await seal(qa, secret, checkValue(changes.value));
  const needsRedaction = changes.description !== undefined || changes.name !== undefined;
  const value =
    changes.value ?? (needsRedaction ? (await qa.vault()).open(secret.sealed, secretBinding(secret)) : undefined);
  if (value) rejectValueInName(name, value);
  const others = needsRedaction ? await openProjectSecrets(qa.store, qa.vault, projectId) : undefined;
  if (others && isRenamed) rejectOtherValuesInName(name, others);
  const given = changes.description ?? secret.description ?? '';
  const redactedText = others?.redactor.text(given) ?? given;
  const description = (value ? redactValue(redactedText, value) : redactedText) || null;
  if (isRenamed) await rejectRenameWhileRunning(qa, secret);
  return qa.store.transaction(async (tables) => {
    const changed = (await tables.secrets.update(secret.id, { name, description, ...sealed })) ?? secret;
    if (isRenamed) await renameSecretReferences(tables, projectId, { from: secret.name, to: name });
    if (changes.value !== undefined)
      await redactProjectRows(tables, projectId, projectSecretsFrom([changed], new Map([[name, changes.value]])));
    return changed;
  });
}

async function seal(qa: QaContext, secret: QaSecret, value: string): Promise<{ sealed: string; keyId: string }> {
  const vault = await qa.vault();
  return { sealed: vault.seal(value, secretBinding(secret)), keyId: vault.keyId };
}

export async function listSecrets(
  qa: QaContext,
  projectId: string,
  request: PageRequest,
): Promise<ResultPage<QaSecret>> {
  await requireProject(qa, projectId);
  return qa.store.secrets.page({ projectId }, request);
}

export function ownSecret(qa: QaContext, secretId: string): Promise<QaSecret> {
  return requireOwned(qa, qa.store.secrets, 'secretId', secretId);
}

export async function deleteSecret(qa: QaContext, secretId: string): Promise<void> {
  await ownSecret(qa, secretId);
  await qa.store.secrets.remove(secretId);
}

async function rejectSameName({ store }: QaContext, projectId: string, name: string): Promise<void> {
  const same = await store.secrets.first({ projectId, name });
  if (!same) return;
  const message = `The project has a secret ${quote(name)} already: ${same.id}. Change it with qa_secret_update.`;
  throw invalidArgument('name', message, { existingSecretId: same.id });
}

/** Brackets would break the placeholder `[secret:NAME]`. */
function checkName(given: string): string {
  const name = given.trim();
  if (name === '' || /\p{Cc}/u.test(name))
    throw invalidArgument('name', 'name must not be blank, and be one line without control characters.');
  if (/[[\]%]/.test(name)) throw invalidArgument('name', 'name must hold no brackets and no percent sign.');
  return name;
}

/**
 * Names are shown to everybody. A user's name is often a word in capitals of the name, as admin in ADMIN_USER: that gives
 * nothing away that the word would not.
 */
function rejectValueInName(name: string, value: string): void {
  const within = value.trim();
  const isWithin = isUserName({ name }) ? name.includes(within) : createRedactor([within]).finds(name);
  if (name === within || (within.length >= SHORTEST_WITHIN_TEXT && isWithin))
    throw invalidArgument('name', 'name must not hold the value: names are shown, values are not.');
}

function rejectOtherValuesInName(name: string, { holdsCredential }: Pick<ProjectSecrets, 'holdsCredential'>): void {
  if (holdsCredential(name))
    throw invalidArgument('name', 'name must not hold the value of another secret: names are shown, values are not.');
}

/** Errors never contain the value. */
function checkValue(value: string): string {
  if (value === '') throw invalidArgument('value', 'value must not be empty.');
  if (value.includes('\0')) throw invalidArgument('value', 'value must not hold a NUL character.');
  if (value.length <= LONGEST_VALUE) return value;
  throw invalidArgument('value', `value must have at most ${LONGEST_VALUE} characters, got ${value.length}.`);
}

/** Sizes are those of the sealed values: a value that cannot be opened must not prevent that it is set again. */
async function rejectTooMuch({ store }: QaContext, projectId: string, value: string, secretId?: string): Promise<void> {
  const others = (await store.secrets.list({ projectId })).filter(({ id }) => id !== secretId);
  const total = others.reduce((sum, { sealed }) => sum + sealedBytes(sealed), Buffer.byteLength(value, 'utf8'));
  if (total <= MOST_BYTES) return;
  const message = `The secrets of the project would have ${total} bytes together, and the limit is ${MOST_BYTES}: shorten the value, or delete a secret with qa_secret_delete.`;
  throw invalidArgument('value', message);
}

/** Descriptions are shown, so they must not contain the value. */
function redactValue(description: string, value: string): string {
  return createRedactor([value]).text(description.trim());
}
