import { type Kysely, sql } from 'kysely';
import * as z from 'zod';
import type { Tables } from '../../platform/store/schema.ts';
import type { Store } from '../../platform/store/store.ts';
import { type CreateId, createIdSequence } from '../ids.ts';
import { createQaRepository } from './repository.ts';

const stringList = z.array(z.string());
/** JSON that its own module parses. */
const openJson = z.json();
const breakdown = z.array(z.object({ requirement: z.string(), acceptanceCriteria: z.string() }));

/** Creates the repositories of all QA tables. Every transaction begins with `guard`, and is rolled back if that throws. */
export function createQaStore(
  { db, dialect }: Pick<Store, 'db' | 'dialect'>,
  guard?: (transaction: Kysely<Tables>) => Promise<void>,
) {
  // Transactions share the sequence, so that all rows of this store keep their order.
  const createId = createIdSequence();
  return {
    ...createRepositories(db, createId),
    createId,
    /** A serial transaction across processes: rows read in it cannot change before it ends. */
    transaction: <Result>(work: (tables: QaRepositories) => Promise<Result>): Promise<Result> =>
      db.transaction().execute(async (transaction) => {
        // SQLite allows one writer at a time.
        if (dialect === 'postgres')
          await sql`select pg_advisory_xact_lock(hashtextextended('qa', 0))`.execute(transaction);
        await guard?.(transaction);
        return work(createRepositories(transaction, createId));
      }),
  };
}

export type QaStore = ReturnType<typeof createQaStore>;
export type QaRepositories = ReturnType<typeof createRepositories>;

function createRepositories(db: Kysely<Tables>, createId: CreateId) {
  return {
    projects: createQaRepository(db, { table: 'qa_projects', prefix: 'proj', json: {} }, createId),
    prdFiles: createQaRepository(db, { table: 'qa_prd_files', prefix: 'prd', json: {} }, createId),
    requirements: createQaRepository(
      db,
      {
        table: 'qa_requirements',
        prefix: 'req',
        json: {},
        order: ['createdAt', 'position'],
      },
      createId,
    ),
    secrets: createQaRepository(db, { table: 'qa_secrets', prefix: 'sec', json: {} }, createId),
    candidates: createQaRepository(
      db,
      {
        table: 'qa_candidates',
        prefix: 'cand',
        json: { breakdown, requirements: stringList, details: openJson },
        order: ['-rank'],
      },
      createId,
    ),
    evidence: createQaRepository(db, { table: 'qa_evidence', prefix: 'ev', json: {}, order: ['position'] }, createId),
    gaps: createQaRepository(db, { table: 'qa_gaps', prefix: 'gap', json: {}, order: ['position'] }, createId),
    useCases: createQaRepository(
      db,
      {
        table: 'qa_use_cases',
        prefix: 'uc',
        json: { breakdown, requirements: stringList, details: openJson },
      },
      createId,
    ),
    testCases: createQaRepository(
      db,
      {
        table: 'qa_test_cases',
        prefix: 'tc',
        json: { steps: openJson, data: openJson, tags: stringList, details: openJson },
        order: ['createdAt', 'position'],
      },
      createId,
    ),
    testScripts: createQaRepository(
      db,
      {
        table: 'qa_test_scripts',
        prefix: 'ts',
        json: { steps: openJson, secrets: stringList, details: openJson },
      },
      createId,
    ),
    runtimes: createQaRepository(
      db,
      {
        table: 'qa_runtimes',
        prefix: 'wfrt',
        json: { payload: openJson, inside: stringList.nullable() },
      },
      createId,
    ),
    runs: createQaRepository(
      db,
      {
        table: 'qa_runs',
        prefix: 'wfrun',
        json: { result: openJson, checkpoint: openJson },
      },
      createId,
    ),
    batches: createQaRepository(db, { table: 'qa_batches', prefix: 'batch', json: {} }, createId),
    batchItems: createQaRepository(
      db,
      { table: 'qa_batch_items', prefix: 'item', json: {}, order: ['position'] },
      createId,
    ),
    stepResults: createQaRepository(
      db,
      {
        table: 'qa_step_results',
        prefix: 'step',
        json: { details: openJson },
        order: ['attempt', 'position'],
      },
      createId,
    ),
    artifacts: createQaRepository(db, { table: 'qa_artifacts', prefix: 'art', json: {} }, createId),
    preferences: createQaRepository(
      db,
      {
        table: 'qa_report_preferences',
        prefix: 'pref',
        json: { channels: stringList, emails: stringList, phones: stringList, details: openJson },
      },
      createId,
    ),
    reports: createQaRepository(
      db,
      {
        table: 'qa_reports',
        prefix: 'rep',
        json: { document: openJson, artifacts: stringList },
      },
      createId,
    ),
    deliveries: createQaRepository(db, { table: 'qa_deliveries', prefix: 'dlv', json: {} }, createId),
    deliveryAttempts: createQaRepository(
      db,
      {
        table: 'qa_delivery_attempts',
        prefix: 'try',
        json: {},
        order: ['number'],
      },
      createId,
    ),
    costs: createQaRepository(db, { table: 'qa_costs', prefix: 'cost', json: {} }, createId),
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
