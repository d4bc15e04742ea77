import { createHash } from 'node:crypto';
import { type Dialect, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { accessDenied, cannotUseFailure, diskFull, type EnvironmentProblem, readOnly } from '../environment-failure.ts';
import { Failure, systemCode } from '../errors.ts';
import { PREPARED_MARK } from './prepared-statement.ts';
import { configuredDatabase, storeDamaged, storeUnavailable } from './store-failures.ts';

/** Longer than a busy server needs, and shorter than callers wait. */
const CONNECT_WITHIN_MS = 10_000;

/** PostgreSQL, for several machines. Big integers are read as numbers: all stored values are within their safe range. */
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
  // A connection that breaks while it is idle or closing emits only these events, and an event without a listener would end
  // the process. The next query gets the error or a new connection.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const known = new WeakMap<PostgresPoolClient, PostgresPoolClient>();
  return new PostgresDialect({
    pool: {
      options: pool.options,
      end: () => pool.end(),
      async connect() {
        const client: PostgresPoolClient = await pool.connect().catch((error: unknown) => {
          throw postgresFailure(error) ?? error;
        });
        // One proxy per connection, because the dialect identifies connections by it.
        const guarded = known.get(client) ?? wrapConnection(client);
        known.set(client, guarded);
        return guarded;
      },
    },
  });
}

/** The arguments of a query, with a name if its text is marked. A name stands for one text on each connection. */
function withStatementName(args: readonly unknown[]): readonly unknown[] {
  const [text, values] = args;
  if (typeof text !== 'string' || !text.endsWith(PREPARED_MARK)) return args;
  return [{ name: createHash('sha256').update(text).digest('hex').slice(0, 32), text, values }];
}

/** Wraps a connection: marked statements are prepared, and errors of the server or the connection become typed failures. */
function wrapConnection(client: PostgresPoolClient): PostgresPoolClient {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      if (name !== 'query') return value.bind(target);
      return (...args: unknown[]) => {
        const answer: unknown = Reflect.apply(value, target, withStatementName(args));
        if (!(answer instanceof Promise)) return answer;
        return answer.catch((error: unknown) => {
          throw postgresFailure(error) ?? error;
        });
      };
    },
  });
}

/** SQLSTATE classes for errors of the server, not of the statement: connection, resources, shutdown, system. */
const OUTAGE = /^(08...|53...|57P0[1-5]|58...)$/;
const REFUSED = /^(28...|3D000)$/;

const bySqlState: Record<string, EnvironmentProblem> = {
  '53100': diskFull,
  '25006': { ...readOnly, fix: 'Point ASSAY_DATABASE_URL to a server that accepts writes.' },
  '42501': { ...accessDenied, fix: 'Grant the user of ASSAY_DATABASE_URL the rights on its tables.' },
  // Migrations have made every table and column that a statement names.
  '42P01': storeDamaged,
  '42703': storeDamaged,
  XX001: storeDamaged,
  XX002: storeDamaged,
};

const signInRefused: EnvironmentProblem = {
  kind: 'configuration',
  code: 'STORE_UNAVAILABLE',
  fix: 'Check the user, the password and the database name in it.',
  isPathSpecific: false,
};

/**
 * Converts an error of the server or the connection to a typed failure; undefined for a wrong statement. The texts of such
 * errors name hosts and users, so only their code is repeated.
 */
function postgresFailure(given: unknown): Failure | undefined {
  const error: unknown = given instanceof AggregateError ? given.errors[0] : given;
  if (!(error instanceof Error)) return undefined;
  const code = systemCode(error);
  if (code === undefined) {
    // The driver sets no code for a connection that was terminated or is no longer usable.
    if (!/^(Connection terminated|Client (has encountered|was closed)|timeout e)/.test(error.message)) return undefined;
    return outage('it cannot be reached', error);
  }
  const known = bySqlState[code] ?? (REFUSED.test(code) ? signInRefused : undefined);
  if (known) return cannotUseFailure(configuredDatabase, `the server answers ${code}`, known, error);
  if (OUTAGE.test(code)) return outage(`it cannot be reached (${code})`, error);
  return /^E[A-Z_]+$/.test(code) ? outage(`it cannot be reached (${code})`, error) : undefined;
}

function outage(reason: string, cause: Error): Failure {
  const message = (what: string) => `Cannot use ${what}: ${reason}. ${storeUnavailable.fix}`;
  const { kind, code } = storeUnavailable;
  const options = { cause, remoteMessage: message(configuredDatabase.remoteName) };
  return new Failure(kind, code, message(configuredDatabase.name), { retryable: true }, options);
}
