import type { Keys } from '../../platform/secrets/keys.ts';
import { createVault } from '../../platform/secrets/vault.ts';
import type { Store } from '../../platform/store/store.ts';
import { qaStore } from '../store/store.ts';
import { placeOf } from './project-secrets.ts';

/**
 * Seals every secret anew with the first key; the others only open. All or nothing: where one does not open, nothing is
 * changed. Answers with how many there were.
 */
export async function resealAll(store: Store, keys: Keys): Promise<number> {
  const vault = createVault(keys);
  const qa = qaStore(store);
  const rows = (await qa.secrets.list({})).filter(({ keyId }) => keyId !== vault.keyId);
  const anew = rows.map((row) => ({ row, sealed: vault.seal(vault.open(row.sealed, placeOf(row)), placeOf(row)) }));
  await qa.transaction(async ({ secrets }) => {
    for (const { row, sealed } of anew) {
      const { id, updatedAt } = row;
      // Whoever changed the value meanwhile has sealed a new one, which must not be overwritten.
      await secrets.updateAll({ id, sealed: row.sealed }, { sealed, keyId: vault.keyId, updatedAt });
    }
  });
  return rows.length;
}
