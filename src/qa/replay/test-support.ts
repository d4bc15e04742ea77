import { afterAll } from 'vitest';
import { testHome } from '../../../test/sites/workspace.ts';
import { createBrowserPool } from '../../platform/browser/browser-pool.ts';
import { newUsageMeter } from '../runs/usage-meter.ts';
import { secretsFrom } from '../secrets/project-secrets.ts';
import { openStage, type Stage } from './stage.ts';

/** Stages in one browser for all tests of a file. */
export function testStages(): (baseUrl: string, secrets?: ReturnType<typeof secretsFrom>) => Promise<Stage> {
  const room = createBrowserPool({ home: testHome });
  afterAll(() => room.close());
  return (baseUrl, secrets = secretsFrom([], new Map())) =>
    openStage({ browsers: async () => room, inside: undefined, baseUrl, secrets, meter: newUsageMeter() });
}
