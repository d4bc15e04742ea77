import type { ToolContext } from '../../tool/tool.ts';
import { chooseEngine } from '../scan-engine.ts';
import type { ScanServices } from '../scans.ts';

/** Creates what the scan tools need, for the caller of this context. */
export async function createScanServices({
  home,
  self,
  jobs,
  principal,
  setting,
  addresses,
  allowedPrivateAddresses,
}: Omit<ToolContext, 'attach' | 'progress'>): Promise<ScanServices> {
  return {
    engine: chooseEngine({ home, owner: principal, self, setting }),
    jobs: await jobs(),
    principal,
    allowedPrivateAddresses,
    checkAddress: async (url) => (await addresses()).check(url),
  };
}
