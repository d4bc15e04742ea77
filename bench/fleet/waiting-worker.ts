import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { runJobWorker } from '../../src/platform/jobs/job-worker.ts';
import { openTestStore } from '../../test/support/open-store.ts';

/**
 * Workers in one process, each with a store of its own. They start on the first line of stdin. Their jobs wait as many
 * milliseconds as their payload says.
 */
const [url = '', count = '1', slots = '4'] = process.argv.slice(2);
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
const handlers = new Map([
  [
    'wait',
    async ({ payload }: { payload: unknown }) => {
      await pause(Number(payload));
      return null;
    },
  ],
]);
const stores = await Promise.all(Array.from({ length: Number(count) }, () => openTestStore({ home: '/nowhere', url })));
process.stdout.write('ready\n');
await once(process.stdin, 'data');
await Promise.all(
  stores.map((store) =>
    runJobWorker({ store, handlers, slots: Number(slots), log: pino({ level: 'silent' }), signal: stop.signal }),
  ),
);
process.exit(0);
