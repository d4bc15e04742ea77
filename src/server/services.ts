import type { BrowserPool } from '../platform/browser/browser-pool.ts';
import { checkPath } from '../platform/files/files.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import type { Logger } from '../platform/log.ts';
import type { Principal } from '../platform/principal.ts';
import type { SettingValues } from '../platform/settings.ts';
import type { SharedInstances } from '../platform/shared-instances.ts';
import type { Store } from '../platform/store/store.ts';
import type { ToolContext, Toolset } from '../tool/tool.ts';
import type { CallMetrics } from './metrics.ts';
import type { CallLimiter } from './rate-limits.ts';

/** Services that are the same for every call and caller. */
export interface Services {
  /** Loads the definitions of a toolset on first use. */
  loadToolset(name: string): Promise<Toolset>;
  log: Logger;
  cwd: string;
  /** The data folder. */
  home: string;
  /** Arguments for Node that start this program again. */
  self: readonly string[];
  /** Aborted when the server shuts down. */
  shutdown: AbortSignal;
  jobs(): Promise<Jobs>;
  store(): Promise<Store>;
  browsers(): Promise<BrowserPool>;
  shared: SharedInstances['shared'];
  /** Returns the value of a setting from a flag or the environment. */
  setting: SettingValues['get'];
  /** Folders whose files a call may access; undefined allows all. */
  folders?: readonly string[] | undefined;
  /** Private addresses that may be visited for a caller; undefined allows every address. */
  allowedPrivateAddresses?: readonly string[] | undefined;
  limiter?: CallLimiter | undefined;
  metrics?: CallMetrics | undefined;
}

/** The part of a tool context that differs per call. */
interface CallDetails {
  principal: Principal;
  signal: AbortSignal;
  progress: ToolContext['progress'];
}

export function createToolContext(services: Services, calling: CallDetails): Omit<ToolContext, 'attach'> {
  const { log, cwd, home, self, jobs, store, browsers, shared, setting, folders, allowedPrivateAddresses } = services;
  return {
    ...calling,
    log,
    cwd,
    home,
    self,
    jobs,
    store,
    browsers,
    shared,
    setting,
    allowedPrivateAddresses,
    checkPath: (path) => checkPath(path, cwd, folders),
    addresses: async () =>
      (await import('../platform/network/address-guard.ts')).createAddressGuard(allowedPrivateAddresses),
  };
}
