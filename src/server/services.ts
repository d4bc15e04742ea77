import { checkPath } from '../platform/files/files.ts';
import type { Principal } from '../platform/principal.ts';
import type { PlatformServices } from '../platform/services.ts';
import type { SharedInstances } from '../platform/shared-instances.ts';
import type { CallContext, ToolContext, ToolDefinitions } from '../tool/tool.ts';
import type { CallMetrics } from './metrics.ts';
import type { CallLimiter } from './rate-limits.ts';

/** Services that are the same for every call and caller. */
export interface Services extends PlatformServices {
  /** Loads the definitions of a toolset on first use. */
  loadToolset(name: string): Promise<ToolDefinitions>;
  cwd: string;
  /** Aborted when the server shuts down. */
  shutdown: AbortSignal;
  shared: SharedInstances['shared'];
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

export function createToolContext(services: Services, calling: CallDetails): CallContext {
  const { log, cwd, home, self, jobs, store, artifacts, browsers, shared, setting, folders, allowedPrivateAddresses } =
    services;
  return {
    ...calling,
    log,
    cwd,
    home,
    self,
    jobs,
    store,
    artifacts,
    browsers,
    shared,
    setting,
    allowedPrivateAddresses,
    checkPath: (path) => checkPath(path, cwd, folders),
    addresses: async () =>
      (await import('../platform/network/address-guard.ts')).createAddressGuard(allowedPrivateAddresses),
  };
}
