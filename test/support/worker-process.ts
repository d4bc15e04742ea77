import { pino } from 'pino';
import { runJobWorker } from '../../src/platform/jobs/job-worker.ts';
import { openTestStore } from './open-store.ts';

/** A worker in a process of its own. It prints the payload of each job that it begins; `hold` is never finished. */
const { WORKER_HOME: home = '', WORKER_URL: url, WORKER_KIND: kind = '' } = process.env;
const store = await openTestStore({ home, url });
await runJobWorker({
  store,
  handlers: new Map([
    [
      kind,
      async ({ payload }) => {
        process.stdout.write(`${String(payload)}\n`);
        if (payload === 'hold') await new Promise(() => {});
        return null;
      },
    ],
  ]),
  slots: 2,
  log: pino({ level: 'silent' }),
  signal: new AbortController().signal,
});
