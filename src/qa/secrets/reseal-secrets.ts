import type { SecretKeys } from '../../platform/secrets/secret-keys.ts';
import { createSecretVault } from '../../platform/secrets/secret-vault.ts';
import type { Store } from '../../platform/store/store.ts';
import { webhookKeyBinding } from '../delivery/save-preferences.ts';
import { createQaStore } from '../store/qa-store.ts';
import { secretBinding } from './project-secrets.ts';

/**
 * Seals every secret, and every key that signs webhooks, anew with the first key; the others only open. All or nothing:
 * where one does not open, nothing is changed. Answers with how many there were.
 */
export async function resealStoredSecrets(store: Store, keys: SecretKeys): Promise<number> {
  const vault = createSecretVault(keys);
  const qa = createQaStore(store);
  const rows = (await qa.secrets.list({})).filter(({ keyId }) => keyId !== vault.keyId);
  const anew = rows.map((row) => ({
    row,
    sealed: vault.seal(vault.open(row.sealed, secretBinding(row)), secretBinding(row)),
  }));
  const keysAnew = (await qa.preferences.list({})).flatMap(({ id, projectId, webhookSecret, updatedAt }) => {
    if (webhookSecret === null || webhookSecret.startsWith(`${vault.keyId}.`)) return [];
    const binding = webhookKeyBinding(projectId);
    return [{ id, updatedAt, before: webhookSecret, sealed: vault.seal(vault.open(webhookSecret, binding), binding) }];
  });
  await qa.transaction(async ({ secrets, preferences }) => {
    for (const { row, sealed } of anew) {
      const { id, updatedAt } = row;
      // The condition keeps a value that was changed concurrently.
      await secrets.updateAll({ id, sealed: row.sealed }, { sealed, keyId: vault.keyId, updatedAt });
    }
    for (const { id, before, sealed, updatedAt } of keysAnew)
      await preferences.updateAll({ id, webhookSecret: before }, { webhookSecret: sealed, updatedAt });
  });
  return rows.length + keysAnew.length;
}
