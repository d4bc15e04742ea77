import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../src/platform/store/schema.ts';
import { parentOf, secondsOfFamily, secondsOfMachine } from './process-time.ts';

interface Cost {
  wallSeconds: number;
  serverSeconds: number;
  clientSeconds: number;
  /** Of all programs of the machine, these included. */
  machineSeconds: number;
  statements: number;
  claims: number;
}

/** Marks the statements of the measurement itself. */
export const ofTheBench = sql.raw('/* bench */');

/** Reads what the server and its clients spend: processor time of both, and statements. */
export async function createQueueMeter(db: Kysely<Tables>) {
  await sql`create extension if not exists pg_stat_statements`.execute(db);
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db);
  const server = parentOf(rows[0]?.pid ?? 0);

  async function read(clients: readonly number[]): Promise<Cost> {
    const counted = await sql<{ statements: number; claims: number }>`select ${ofTheBench}
      coalesce(sum(calls), 0) as statements,
      coalesce(sum(calls) filter (where query like '%skip locked%'), 0) as claims
      from pg_stat_statements where query not like '%/* bench */%'`.execute(db);
    return {
      wallSeconds: performance.now() / 1000,
      serverSeconds: secondsOfFamily(server),
      clientSeconds: clients.reduce((sum, pid) => sum + secondsOfFamily(pid), 0),
      machineSeconds: secondsOfMachine(),
      statements: Number(counted.rows[0]?.statements),
      claims: Number(counted.rows[0]?.claims),
    };
  }

  return {
    /** Starts to measure; the returned function reads the cost since then. */
    async start(clients: readonly number[]): Promise<() => Promise<Cost>> {
      const before = await read(clients);
      return async () => {
        const after = await read(clients);
        return {
          wallSeconds: after.wallSeconds - before.wallSeconds,
          serverSeconds: after.serverSeconds - before.serverSeconds,
          clientSeconds: after.clientSeconds - before.clientSeconds,
          machineSeconds: after.machineSeconds - before.machineSeconds,
          statements: after.statements - before.statements,
          claims: after.claims - before.claims,
        };
      };
    },
  };
}
