import { ownerKey } from '../../../platform/principal.ts';
import { loadSecretKeys } from '../../../platform/secrets/secret-keys.ts';
import { createSecretVault } from '../../../platform/secrets/secret-vault.ts';
import type { ToolContext } from '../../../tool/tool.ts';
import type { QaContext } from '../../qa-context.ts';
import { qaSettings } from '../../settings.ts';
import { createQaStore } from '../../store/qa-store.ts';

export async function openQaContext(
  context: Pick<
    ToolContext,
    | 'home'
    | 'self'
    | 'signal'
    | 'jobs'
    | 'store'
    | 'artifacts'
    | 'principal'
    | 'setting'
    | 'addresses'
    | 'allowedPrivateAddresses'
  >,
): Promise<QaContext> {
  const { home, self, signal, principal, setting, addresses, allowedPrivateAddresses } = context;
  return {
    store: createQaStore(await context.store()),
    jobs: await context.jobs(),
    artifacts: await context.artifacts(),
    principal,
    owner: ownerKey(principal),
    home,
    self,
    signal,
    setting,
    allowedPrivateAddresses,
    vault: async () => createSecretVault(await loadSecretKeys(home, setting(qaSettings.secretKey))),
    checkAddress: async (url) => (await addresses()).check(url),
  };
}
