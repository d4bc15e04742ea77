import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Principal } from '../platform/principal.ts';
import type { SecretVault } from '../platform/secrets/secret-vault.ts';
import type { SettingValues } from '../platform/settings.ts';
import type { QaStore } from './store/qa-store.ts';

/** What the tools of this domain work with, on behalf of one caller. */
export interface QaContext {
  store: QaStore;
  jobs: Jobs;
  principal: Principal;
  /** Stands in every row that this caller makes. */
  owner: string;
  home: string;
  /** The arguments by which Node starts this program once more. */
  self: readonly string[];
  signal: AbortSignal;
  setting: SettingValues['get'];
  vault(): Promise<SecretVault>;
  /** Refuses an address that may not be visited for this caller. */
  checkAddress(url: string): Promise<void>;
  /** The addresses of the inside that may be visited; undefined for all. */
  allowedPrivateAddresses: readonly string[] | undefined;
}
