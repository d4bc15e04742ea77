import { openStore, type Store } from '../../src/platform/store/store.ts';
import { loadToolsetMigrations } from '../../src/tool/toolsets.ts';

/** Opens a store with the tables of every toolset, as all commands do. */
export async function openTestStore(location: { home: string; url?: string | undefined }): Promise<Store> {
  return openStore({ ...location, migrations: await loadToolsetMigrations() });
}
