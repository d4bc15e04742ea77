import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { createLocalNotices, NOTICE_CHANNEL, type Notices } from './notices.ts';

const RECONNECT_MS = 1000;
const CONNECT_WITHIN_MS = 10_000;

/**
 * LISTEN and NOTIFY of PostgreSQL. The first listener opens one connection of its own, which is opened again after it
 * breaks.
 */
export function createPostgresNotices(url: string, notify: (text: string) => Promise<unknown>): Notices {
  const local = createLocalNotices();
  const stop = new AbortController();
  let connection: pg.Client | undefined;
  let listening: Promise<void> | undefined;

  async function keepListening(): Promise<void> {
    while (!stop.signal.aborted) {
      const client = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: CONNECT_WITHIN_MS,
        keepAlive: true,
      });
      const ended = new Promise<void>((resolve) => client.once('end', resolve));
      // An error without a listener would end the process. The end of the connection follows it.
      client.on('error', () => {});
      client.on('notification', ({ payload = '' }) => void local.send(payload));
      try {
        connection = client;
        await client.connect();
        await client.query(`listen ${NOTICE_CHANNEL}`);
        await ended;
      } catch {
        // Listeners also look at intervals, and the next attempt follows.
        await client.end().catch(() => {});
      }
      await pause(RECONNECT_MS, undefined, { signal: stop.signal, ref: false }).catch(() => {});
    }
  }

  return {
    async send(text) {
      await notify(text);
    },
    listen(onNotice) {
      listening ??= keepListening();
      return local.listen(onNotice);
    },
    async close() {
      stop.abort();
      await connection?.end().catch(() => {});
      await listening;
      await local.close();
    },
  };
}
