import { afterAll } from 'vitest';
import { testHome } from '../../../../test/sites/workspace.ts';
import { createBrowserPool } from '../../../platform/browser/browser-pool.ts';
import { newUsageMeter } from '../../runs/usage-meter.ts';
import { projectSecretsFrom } from '../../secrets/project-secrets.ts';
import { openSession, type ReplaySession } from './replay-session.ts';

/** Sessions in one browser for all tests of a file. */
export function createTestSessions(): (
  baseUrl: string,
  secrets?: ReturnType<typeof projectSecretsFrom>,
) => Promise<ReplaySession> {
  const browserPool = createBrowserPool({ home: testHome });
  afterAll(() => browserPool.close());
  return (baseUrl, secrets = projectSecretsFrom([], new Map())) =>
    openSession({ browsers: async () => browserPool, inside: undefined, baseUrl, secrets, meter: newUsageMeter() });
}
