import { type Kysely, sql } from 'kysely';
import * as z from 'zod';
import type { Tables } from '../../platform/store/schema.ts';
import type { Store } from '../../platform/store/store.ts';
import { repository } from './repository.ts';

const strings = z.array(z.string());
/** JSON whose shape its own room knows and parses. */
const open = z.json();
const breakdown = z.array(z.object({ requirement: z.string(), acceptanceCriteria: z.string() }));

/** Every table of the domain. SQL is spoken nowhere else in it. */
export function qaStore({ db, dialect }: Pick<Store, 'db' | 'dialect'>) {
  return {
    ...tablesIn(db),
    /** All of it or nothing, and one at a time, whichever process it is of: what was read is still so when it is written. */
    transaction: <Result>(work: (tables: QaRepositories) => Promise<Result>): Promise<Result> =>
      db.transaction().execute(async (transaction) => {
        // On SQLite whoever begins is the only writer.
        if (dialect === 'postgres')
          await sql`select pg_advisory_xact_lock(hashtextextended('qa', 0))`.execute(transaction);
        return work(tablesIn(transaction));
      }),
  };
}

export type QaStore = ReturnType<typeof qaStore>;
export type QaRepositories = ReturnType<typeof tablesIn>;

function tablesIn(db: Kysely<Tables>) {
  return {
    projects: repository(db, { table: 'qa_projects', prefix: 'proj', json: {} }),
    prdFiles: repository(db, { table: 'qa_prd_files', prefix: 'prd', json: {} }),
    requirements: repository(db, {
      table: 'qa_requirements',
      prefix: 'req',
      json: {},
      order: ['createdAt', 'position'],
    }),
    secrets: repository(db, { table: 'qa_secrets', prefix: 'sec', json: {} }),
    candidates: repository(db, {
      table: 'qa_candidates',
      prefix: 'cand',
      json: { breakdown, requirements: strings, details: open },
      order: ['-rank'],
    }),
    evidence: repository(db, { table: 'qa_evidence', prefix: 'ev', json: {}, order: ['position'] }),
    gaps: repository(db, { table: 'qa_gaps', prefix: 'gap', json: {}, order: ['position'] }),
    useCases: repository(db, {
      table: 'qa_use_cases',
      prefix: 'uc',
      json: { breakdown, requirements: strings, details: open },
    }),
    testCases: repository(db, {
      table: 'qa_test_cases',
      prefix: 'tc',
      json: { steps: open, data: open, tags: strings, details: open },
      order: ['createdAt', 'position'],
    }),
    testScripts: repository(db, {
      table: 'qa_test_scripts',
      prefix: 'ts',
      json: { steps: open, secrets: strings, details: open },
    }),
    runtimes: repository(db, {
      table: 'qa_runtimes',
      prefix: 'wfrt',
      json: { payload: open, inside: strings.nullable() },
    }),
    runs: repository(db, { table: 'qa_runs', prefix: 'wfrun', json: { result: open, checkpoint: open } }),
    batches: repository(db, { table: 'qa_batches', prefix: 'batch', json: {} }),
    batchItems: repository(db, { table: 'qa_batch_items', prefix: 'item', json: {}, order: ['position'] }),
    stepResults: repository(db, {
      table: 'qa_step_results',
      prefix: 'step',
      json: { details: open },
      order: ['attempt', 'position'],
    }),
    artifacts: repository(db, { table: 'qa_artifacts', prefix: 'art', json: {} }),
    preferences: repository(db, {
      table: 'qa_report_preferences',
      prefix: 'pref',
      json: { channels: strings, emails: strings, phones: strings, details: open },
    }),
    reports: repository(db, { table: 'qa_reports', prefix: 'rep', json: { document: open, artifacts: strings } }),
    deliveries: repository(db, { table: 'qa_deliveries', prefix: 'dlv', json: {} }),
    deliveryAttempts: repository(db, { table: 'qa_delivery_attempts', prefix: 'try', json: {}, order: ['number'] }),
    costs: repository(db, { table: 'qa_costs', prefix: 'cost', json: {} }),
  };
}

type EntityOf<Name extends keyof QaRepositories> = NonNullable<Awaited<ReturnType<QaRepositories[Name]['get']>>>;

export type Project = EntityOf<'projects'>;
export type PrdFile = EntityOf<'prdFiles'>;
export type Secret = EntityOf<'secrets'>;
export type Candidate = EntityOf<'candidates'>;
export type Evidence = EntityOf<'evidence'>;
export type Gap = EntityOf<'gaps'>;
export type UseCase = EntityOf<'useCases'>;
export type TestCase = EntityOf<'testCases'>;
export type TestScript = EntityOf<'testScripts'>;
export type Runtime = EntityOf<'runtimes'>;
export type RunRow = EntityOf<'runs'>;
export type Batch = EntityOf<'batches'>;
export type BatchItem = EntityOf<'batchItems'>;
export type StepResult = EntityOf<'stepResults'>;
export type Artifact = EntityOf<'artifacts'>;
export type ReportPreferences = EntityOf<'preferences'>;
export type Report = EntityOf<'reports'>;
export type Delivery = EntityOf<'deliveries'>;
export type Cost = EntityOf<'costs'>;
