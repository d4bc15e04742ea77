import type { Services } from '../../src/mcp/services.ts';
import { createLog } from '../../src/platform/log.ts';

const none = (what: string) => () => Promise.reject(new Error(`there is no ${what} here`));

/** For servers of tools that need nothing of the machine: no jobs, no store, no browser. */
export function bareServices(wishes: Pick<Services, 'loadToolset'> & Partial<Services>): Services {
  return {
    log: createLog('silent'),
    cwd: '/somewhere',
    home: '/nowhere',
    self: [],
    jobs: none('queue'),
    store: none('store'),
    browsers: none('browser'),
    shared: (make) => make(),
    shutdown: new AbortController().signal,
    ...wishes,
  };
}
