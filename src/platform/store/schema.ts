import type { Migration } from 'kysely/migration';

/** The tables, as the newest migration leaves them. */
export interface Tables {
  /** Calls that were admitted, for rate limits shared by several processes. */
  calls: { key: string; at: number };
}

/** In order, each once; never edited after a release. Written for both dialects: bigint, text, no types of one alone. */
export const migrations: Record<string, Migration> = {
  '001-calls': {
    async up(db) {
      await db.schema
        .createTable('calls')
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema.createIndex('calls_by_key').on('calls').columns(['key', 'at']).execute();
    },
  },
};
