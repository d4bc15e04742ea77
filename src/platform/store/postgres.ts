import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { Failure } from '../errors.ts';

/** Longer than a busy server needs, and shorter than a caller waits. */
const CONNECT_WITHIN_MS = 10_000;

/** PostgreSQL, for several machines. Big integers are numbers here: nothing that we count is beyond them. */
export function postgresDialect(url: string): Dialect {
  const types: pg.CustomTypesConfig = {
    getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
  };
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    types,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
  });
  // A connection that breaks while nobody waits for it, or while it is being closed, tells nobody but these two. Whoever
  // uses it next gets the error or a new connection; without a listener it would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const known = new WeakMap<PostgresPoolClient, PostgresPoolClient>();
  return new PostgresDialect({
    pool: {
      options: pool.options,
      end: () => pool.end(),
      async connect() {
        const client: PostgresPoolClient = await pool.connect().catch((error: unknown) => {
          throw away(error);
        });
        // One for each connection, since the dialect knows connections by them.
        const telling = known.get(client) ?? tellingOutages(client);
        known.set(client, telling);
        return telling;
      },
    },
  });
}

/** The same connection, but a server that went away is told as that, and not as a defect of ours. */
function tellingOutages(client: PostgresPoolClient): PostgresPoolClient {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== 'query') return value.bind(target);
      return (...args: unknown[]) => {
        const answer: unknown = Reflect.apply(value, target, args);
        if (!(answer instanceof Promise)) return answer;
        return answer.catch((error: unknown) => {
          throw isOutage(error) ? away(error) : error;
        });
      };
    },
  });
}

/** Classes of SQLSTATE that speak of the server and not of the statement: connection, resources, shutdown, its system. */
const TROUBLE = /^(08...|53...|57P0[1-5]|58...|25006|28...)$/;

function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  // What the driver says without a code: its connection was terminated, or cannot be used any more.
  if (code === undefined)
    return /^(Connection terminated|Client (has encountered|was closed)|timeout e)/.test(error.message);
  return TROUBLE.test(code) || /^E[A-Z]+$/.test(code);
}

/** Connection errors name hosts and users, and may name more: only their kind is repeated. */
function away(error: unknown): Failure {
  const [first] = error instanceof AggregateError ? error.errors : [error];
  const code = first instanceof Error && 'code' in first ? ` (${String(first.code)})` : '';
  const message = `The database of ASSAY_DATABASE_URL cannot be reached${code}. Try again in a moment.`;
  return new Failure('unavailable', 'STORE_UNAVAILABLE', message, { retryable: true }, { cause: first });
}
