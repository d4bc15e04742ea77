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

/** What every call is given, whoever makes it. */
export interface Services {
  /** The definitions behind the catalog, loaded when one of them is first called. */
  loadToolset(name: string): Promise<Toolset>;
  log: Logger;
  cwd: string;
  /** Where Assay keeps its data. */
  home: string;
  /** The arguments by which Node starts this program once more. */
  self: readonly string[];
  /** Aborted when the server shuts down. */
  shutdown: AbortSignal;
  jobs(): Promise<Jobs>;
  store(): Promise<Store>;
  browsers(): Promise<BrowserPool>;
  shared: SharedInstances['shared'];
  /** The value of a setting, as the operator gave it by a flag or in the environment. */
  setting: SettingValues['get'];
  /** The only folders whose files a call may touch; without it, all that the user of this machine can. */
  folders?: readonly string[] | undefined;
  /** The addresses inside this network that may be visited for a caller; without it, all that this machine can reach. */
  allowedPrivateAddresses?: readonly string[] | undefined;
  limiter?: CallLimiter | undefined;
  metrics?: CallMetrics | undefined;
}

/** What a caller adds to the services: who they are, and how they hear and stop. */
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
