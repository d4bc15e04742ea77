import { type Kysely, sql } from 'kysely';
import * as z from 'zod';
import type { Tables } from '../../platform/store/schema.ts';
import type { Store } from '../../platform/store/store.ts';
import { createQaRepository } from './repository.ts';

const stringList = z.array(z.string());
/** JSON that its own module parses. */
const openJson = z.json();
const breakdown = z.array(z.object({ requirement: z.string(), acceptanceCriteria: z.string() }));

/** Creates the repositories of all QA tables. */
export function createQaStore({ db, dialect }: Pick<Store, 'db' | 'dialect'>) {
  return {
    ...createRepositories(db),
    /** A serial transaction across processes: rows read in it cannot change before it ends. */
    transaction: <Result>(work: (tables: QaRepositories) => Promise<Result>): Promise<Result> =>
      db.transaction().execute(async (transaction) => {
        // SQLite allows one writer at a time.
        if (dialect === 'postgres')
          await sql`select pg_advisory_xact_lock(hashtextextended('qa', 0))`.execute(transaction);
        return work(createRepositories(transaction));
      }),
  };
}

export type QaStore = ReturnType<typeof createQaStore>;
export type QaRepositories = ReturnType<typeof createRepositories>;

function createRepositories(db: Kysely<Tables>) {
  return {
    projects: createQaRepository(db, { table: 'qa_projects', prefix: 'proj', json: {} }),
    prdFiles: createQaRepository(db, { table: 'qa_prd_files', prefix: 'prd', json: {} }),
    requirements: createQaRepository(db, {
      table: 'qa_requirements',
      prefix: 'req',
      json: {},
      order: ['createdAt', 'position'],
    }),
    secrets: createQaRepository(db, { table: 'qa_secrets', prefix: 'sec', json: {} }),
    candidates: createQaRepository(db, {
      table: 'qa_candidates',
      prefix: 'cand',
      json: { breakdown, requirements: stringList, details: openJson },
      order: ['-rank'],
    }),
    evidence: createQaRepository(db, { table: 'qa_evidence', prefix: 'ev', json: {}, order: ['position'] }),
    gaps: createQaRepository(db, { table: 'qa_gaps', prefix: 'gap', json: {}, order: ['position'] }),
    useCases: createQaRepository(db, {
      table: 'qa_use_cases',
      prefix: 'uc',
      json: { breakdown, requirements: stringList, details: openJson },
    }),
    testCases: createQaRepository(db, {
      table: 'qa_test_cases',
      prefix: 'tc',
      json: { steps: openJson, data: openJson, tags: stringList, details: openJson },
      order: ['createdAt', 'position'],
    }),
    testScripts: createQaRepository(db, {
      table: 'qa_test_scripts',
      prefix: 'ts',
      json: { steps: openJson, secrets: stringList, details: openJson },
    }),
    runtimes: createQaRepository(db, {
      table: 'qa_runtimes',
      prefix: 'wfrt',
      json: { payload: openJson, inside: stringList.nullable() },
    }),
    runs: createQaRepository(db, {
      table: 'qa_runs',
      prefix: 'wfrun',
      json: { result: openJson, checkpoint: openJson },
    }),
    batches: createQaRepository(db, { table: 'qa_batches', prefix: 'batch', json: {} }),
    batchItems: createQaRepository(db, { table: 'qa_batch_items', prefix: 'item', json: {}, order: ['position'] }),
    stepResults: createQaRepository(db, {
      table: 'qa_step_results',
      prefix: 'step',
      json: { details: openJson },
      order: ['attempt', 'position'],
    }),
    artifacts: createQaRepository(db, { table: 'qa_artifacts', prefix: 'art', json: {} }),
    preferences: createQaRepository(db, {
      table: 'qa_report_preferences',
      prefix: 'pref',
      json: { channels: stringList, emails: stringList, phones: stringList, details: openJson },
    }),
    reports: createQaRepository(db, {
      table: 'qa_reports',
      prefix: 'rep',
      json: { document: openJson, artifacts: stringList },
    }),
    deliveries: createQaRepository(db, { table: 'qa_deliveries', prefix: 'dlv', json: {} }),
    deliveryAttempts: createQaRepository(db, {
      table: 'qa_delivery_attempts',
      prefix: 'try',
      json: {},
      order: ['number'],
    }),
    costs: createQaRepository(db, { table: 'qa_costs', prefix: 'cost', json: {} }),
  };
}

type RowOf<Name extends keyof QaRepositories> = NonNullable<Awaited<ReturnType<QaRepositories[Name]['get']>>>;

export type QaProject = RowOf<'projects'>;
export type PrdFile = RowOf<'prdFiles'>;
export type QaSecret = RowOf<'secrets'>;
export type Candidate = RowOf<'candidates'>;
export type Evidence = RowOf<'evidence'>;
export type Gap = RowOf<'gaps'>;
export type UseCase = RowOf<'useCases'>;
export type QaTestCase = RowOf<'testCases'>;
export type TestScript = RowOf<'testScripts'>;
export type Runtime = RowOf<'runtimes'>;
export type RunRow = RowOf<'runs'>;
export type Batch = RowOf<'batches'>;
export type BatchItem = RowOf<'batchItems'>;
export type StepResult = RowOf<'stepResults'>;
export type Artifact = RowOf<'artifacts'>;
export type ReportPreferences = RowOf<'preferences'>;
export type QaReport = RowOf<'reports'>;
export type Delivery = RowOf<'deliveries'>;
export type Cost = RowOf<'costs'>;
