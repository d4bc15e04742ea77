import type { ToolContext } from '../../tool/tool.ts';
import { chooseEngine } from '../scan-engine.ts';
import type { ScanServices } from '../scans.ts';

/** What the tools work with, on behalf of this caller. */
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
