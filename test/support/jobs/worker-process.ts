import { once } from 'node:events';
import { pino } from 'pino';
import { runJobWorker } from '../../../src/platform/jobs/job-worker.ts';
import { openTestStore } from '../open-store.ts';

/**
 * A worker in a process of its own. It prints the payload of each job that it begins, and `ended` when one ended. `hold` is
 * never finished, `signal` when the process gets SIGUSR2.
 */
const { WORKER_HOME: home = '', WORKER_URL: url, WORKER_KIND: kind = '' } = process.env;
const store = await openTestStore({ home, url });
const signalled = once(process, 'SIGUSR2');
await runJobWorker({
  store,
  handlers: new Map([
    [
      kind,
      async ({ payload }) => {
        process.stdout.write(`${String(payload)}\n`);
        if (payload === 'hold') await new Promise(() => {});
        if (payload === 'signal') await signalled;
        return 'of the process';
      },
    ],
  ]),
  slots: 2,
  log: pino({ level: 'silent' }),
  signal: new AbortController().signal,
  onEnd: () => process.stdout.write('ended\n'),
});
