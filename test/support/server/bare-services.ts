import { createLog } from '../../../src/platform/log.ts';
import { readSettings } from '../../../src/platform/settings.ts';
import type { Services } from '../../../src/server/services.ts';

const none = (what: string) => () => Promise.reject(new Error(`there is no ${what} here`));

/** Services for tools that need no jobs, store or browser. */
export function bareServices(overrides: Pick<Services, 'loadToolset'> & Partial<Services>): Services {
  return {
    log: createLog('silent'),
    cwd: '/somewhere',
    home: '/nowhere',
    self: [],
    jobs: none('queue'),
    store: none('store'),
    artifacts: none('artifact store'),
    browsers: none('browser'),
    shared: (_key, make) => make(),
    setting: readSettings([], [], {}).get,
    shutdown: new AbortController().signal,
    ...overrides,
  };
}
