import type { ArtifactStore } from './artifacts/artifact-store.ts';
import type { BrowserPool } from './browser/browser-pool.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Logger } from './log.ts';
import type { SettingValues } from './settings.ts';
import type { Store } from './store/store.ts';

/** What domain code works with in this process, in a call and in a job. Each service is created on first use. */
export interface PlatformServices {
  log: Logger;
  /** The folder in which Assay keeps its data. */
  home: string;
  /** The arguments with which Node starts this program again. */
  self: readonly string[];
  /** Work that outlives the call that submits it. */
  jobs(): Promise<Jobs>;
  store(): Promise<Store>;
  /** The files that jobs need and make. */
  artifacts(): Promise<ArtifactStore>;
  /** The browser that all work of this process shares. */
  browsers(): Promise<BrowserPool>;
  /** The value of a setting, from a flag or from the environment. */
  setting: SettingValues['get'];
}
