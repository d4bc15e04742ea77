import { ownerKey } from '../../../platform/principal.ts';
import { loadKeys } from '../../../platform/secrets/keys.ts';
import { createVault } from '../../../platform/secrets/vault.ts';
import { settings } from '../../../platform/settings.ts';
import type { ToolContext } from '../../../tool/tool.ts';
import type { QaContext } from '../../qa-context.ts';
import { createQaStore } from '../../store/qa-store.ts';

export async function openQaContext(
  context: Pick<
    ToolContext,
    'home' | 'self' | 'signal' | 'jobs' | 'store' | 'principal' | 'setting' | 'addresses' | 'insideAddresses'
  >,
): Promise<QaContext> {
  const { home, self, signal, principal, setting, addresses, insideAddresses } = context;
  return {
    store: createQaStore(await context.store()),
    jobs: await context.jobs(),
    principal,
    owner: ownerKey(principal),
    home,
    self,
    signal,
    insideAddresses,
    vault: async () => createVault(await loadKeys(home, setting(settings.secretKey))),
    checkAddress: async (url) => (await addresses()).check(url),
  };
}
