import type { CallContext } from '../../tool/tool.ts';
import { createScanArchive } from '../scan-archive.ts';
import { chooseEngine } from '../scan-engine.ts';
import type { ScanServices } from '../scans.ts';

/** Creates what the scan tools need, for the caller of this context. */
export async function createScanServices({
  home,
  self,
  jobs,
  artifacts,
  principal,
  setting,
  addresses,
  allowedPrivateAddresses,
}: Omit<CallContext, 'progress'>): Promise<ScanServices> {
  const engine = chooseEngine({ home, owner: principal, self, setting });
  return {
    engine,
    archive: createScanArchive(await artifacts(), principal, engine.workspace),
    jobs: await jobs(),
    principal,
    allowedPrivateAddresses,
    checkAddress: async (url) => (await addresses()).check(url),
  };
}
