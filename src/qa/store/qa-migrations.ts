import type { Kysely } from 'kysely';
import type { Migrations } from '../../platform/store/schema.ts';
import { type ColumnKind, type QaTableName, qaColumns } from './qa-tables.ts';

const uniqueColumns: [QaTableName, string[]][] = [
  ['qa_prd_files', ['project_id', 'sha256']],
  ['qa_secrets', ['project_id', 'name']],
  ['qa_candidates', ['project_id', 'fingerprint']],
  ['qa_test_cases', ['use_case_id', 'fingerprint']],
  ['qa_test_scripts', ['test_case_id', 'version']],
  ['qa_report_preferences', ['project_id']],
];

const indexes: [QaTableName, string[]][] = [
  ['qa_projects', ['owner', 'created_at']],
  ['qa_requirements', ['project_id']],
  ['qa_evidence', ['candidate_id']],
  ['qa_gaps', ['project_id']],
  ['qa_use_cases', ['project_id', 'created_at']],
  ['qa_test_cases', ['project_id', 'created_at']],
  ['qa_test_scripts', ['project_id', 'created_at']],
  ['qa_runtimes', ['owner', 'kind', 'created_at']],
  ['qa_runtimes', ['project_id', 'kind', 'created_at']],
  ['qa_runs', ['runtime_id', 'created_at']],
  ['qa_runs', ['project_id', 'kind', 'created_at']],
  ['qa_runs', ['test_script_id', 'created_at']],
  ['qa_batches', ['run_id']],
  ['qa_batch_items', ['batch_id', 'position']],
  ['qa_step_results', ['run_id', 'position']],
  ['qa_artifacts', ['project_id', 'run_id']],
  ['qa_reports', ['project_id', 'created_at']],
  ['qa_deliveries', ['report_id']],
  ['qa_delivery_attempts', ['delivery_id']],
  ['qa_costs', ['project_id', 'day']],
];

/** The numbers are shared by all toolsets: a new migration takes the next one (docs/store.md). */
export const qaMigrations: Migrations = { '004-qa': { up: createQaTables } };

async function createQaTables(db: Kysely<unknown>): Promise<void> {
  for (const [table, columns] of Object.entries(qaColumns)) await createTable(db, table, columns);
  for (const [table, columns] of uniqueColumns)
    await db.schema.createIndex(`${table}_once`).unique().on(table).columns(columns).execute();
  for (const [table, columns] of indexes)
    await db.schema
      .createIndex(`${table}_by_${columns.join('_')}`)
      .on(table)
      .columns(columns)
      .execute();
}

async function createTable(db: Kysely<unknown>, name: string, columns: Record<string, ColumnKind>): Promise<void> {
  let table = db.schema
    .createTable(name)
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('owner', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull());
  for (const [column, kind] of Object.entries(columns)) {
    const parent = /^in (\w+)$/.exec(kind)?.[1];
    table = table.addColumn(column, sqlType(kind), (definition) => {
      if (parent) return definition.notNull().references(`${parent}.id`).onDelete('cascade');
      return kind.endsWith('?') ? definition : definition.notNull();
    });
  }
  await table.execute();
}

function sqlType(kind: ColumnKind): 'text' | 'integer' | 'bigint' | 'double precision' {
  if (kind === 'real') return 'double precision';
  if (kind === 'integer' || kind === 'integer?') return 'integer';
  return kind === 'bigint' || kind === 'bigint?' ? 'bigint' : 'text';
}
