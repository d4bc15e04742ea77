import type { ArtifactStore } from '../platform/artifacts/artifact-store.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Principal } from '../platform/principal.ts';
import type { SecretVault } from '../platform/secrets/secret-vault.ts';
import type { SettingValues } from '../platform/settings.ts';
import type { QaStore } from './store/qa-store.ts';

/** The services of the QA tools for one caller. */
export interface QaContext {
  store: QaStore;
  jobs: Jobs;
  artifacts: ArtifactStore;
  principal: Principal;
  /** Owner key of every row that this caller creates. */
  owner: string;
  home: string;
  /** Node arguments that start this program in another process. */
  self: readonly string[];
  signal: AbortSignal;
  setting: SettingValues['get'];
  vault(): Promise<SecretVault>;
  /** Throws if the caller may not visit the address. */
  checkAddress(url: string): Promise<void>;
  /** Private addresses that may be visited; undefined allows all. */
  allowedPrivateAddresses: readonly string[] | undefined;
}
