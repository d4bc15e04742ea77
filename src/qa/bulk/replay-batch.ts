import * as z from 'zod';
import { listCurrentScripts } from '../artifacts/current-scripts.ts';
import { serialGroups } from '../cases/write/serial-groups.ts';
import { invalidArgument, requireOwnedInProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import { runSchedule } from '../runs/run-schedule.ts';
import type { Batch, QaRepositories, QaStore, RunRow, TestScript } from '../store/qa-store.ts';

/** Payload of a bulk replay. Null selects all active scripts. */
export const bulkPayload = z.object({
  testScriptIds: z.array(z.string()).nullable(),
  testCaseIds: z.array(z.string()).nullable(),
  useCaseId: z.string().nullable(),
  namePrefix: z.string().nullable(),
  limit: z.number().int().nullable(),
  repeat: z.number().int().min(1),
  baseUrl: z.string().nullable(),
  workers: z.number().int().nullable(),
  name: z.string().nullable(),
  /** Absent in workflows of earlier versions. */
  schedule: runSchedule.nullable().default(null),
});
export type BulkPayload = z.output<typeof bulkPayload>;

const MAX_REPLAYS = 5000;

export const batchItemStatuses = [
  'pending',
  'running',
  'passed',
  'flaky',
  'failed',
  'inconclusive',
  'cancelled',
] as const;
export type BatchItemStatus = (typeof batchItemStatuses)[number];

/** Rejects unknown ids, ids of other owners or projects, and empty or too large selections. */
export async function checkBulkSelection(qa: QaContext, projectId: string, payload: BulkPayload): Promise<void> {
  const { store } = qa;
  for (const id of payload.testScriptIds ?? []) {
    const script = await requireOwnedInProject(qa, projectId, store.testScripts, 'testScriptIds', id);
    if (script.status !== 'active')
      throw invalidArgument(
        'testScriptIds',
        `The script ${id} is ${script.status}: only active scripts are replayed. Leave it out, or write it again with qa_workflow_start_test_script_generation.`,
        {
          testScriptId: id,
        },
      );
  }
  for (const id of payload.testCaseIds ?? [])
    await requireOwnedInProject(qa, projectId, store.testCases, 'testCaseIds', id);
  if (payload.useCaseId !== null)
    await requireOwnedInProject(qa, projectId, store.useCases, 'useCaseId', payload.useCaseId);
  const scripts = await selectScripts(store, projectId, payload);
  if (scripts.length === 0)
    throw invalidArgument(
      'testScriptIds',
      'No active script matches the selection. Generate scripts with qa_workflow_start_test_script_generation.',
    );
  const total = scripts.length * payload.repeat;
  if (total > MAX_REPLAYS)
    throw invalidArgument(
      'repeatPerTestCase',
      `The batch would have ${total} replays; the maximum is ${MAX_REPLAYS}. Select fewer scripts or lower repeatPerTestCase.`,
    );
}

async function selectScripts(store: QaRepositories, projectId: string, payload: BulkPayload): Promise<TestScript[]> {
  const { testScriptIds, testCaseIds, useCaseId, namePrefix, limit } = payload;
  const scripts = await listCurrentScripts(store, {
    projectId,
    ...(testScriptIds && { id: testScriptIds }),
    ...(testCaseIds && { testCaseId: testCaseIds }),
    ...(useCaseId !== null && { useCaseId }),
  });
  return scripts.filter(({ name }) => name.startsWith(namePrefix ?? '')).slice(0, limit ?? undefined);
}

/** The batch id is derived from the run id, so it is known early and unique. */
export function batchIdOf({ id }: Pick<RunRow, 'id'>): string {
  return id.replace(/^wfrun_/, 'batch_');
}

/**
 * The batch of a run, created on first use. The longest scripts come first, scripts that take turns counted
 * together; scripts without a measured duration come before all others.
 */
export async function findOrCreateBatch(store: QaStore, run: RunRow, payload: BulkPayload): Promise<Batch> {
  const id = batchIdOf(run);
  const known = await store.batches.get(id);
  if (known) return known;
  const scripts = await selectScripts(store, run.projectId, payload);
  const turns = await serialGroups(store, run.projectId);
  const turnOf = ({ id, testCaseId }: TestScript) => turns.get(testCaseId) ?? id;
  const lengths = new Map<string, number>();
  for (const script of scripts) {
    const turn = turnOf(script);
    lengths.set(turn, (lengths.get(turn) ?? 0) + (script.durationMs || Number.POSITIVE_INFINITY));
  }
  const length = (script: TestScript) => lengths.get(turnOf(script)) ?? 0;
  const ordered = scripts.toSorted((a, b) => (length(a) === length(b) ? 0 : length(b) - length(a)));
  const repeated = ordered.flatMap((script) =>
    Array.from({ length: payload.repeat }, (_, repetition) => ({ script, repetition })),
  );
  try {
    return await store.transaction((tables) => insertBatch(tables, run, payload.name, repeated));
  } catch (error) {
    const other = await store.batches.get(id);
    if (other) return other;
    throw error;
  }
}

async function insertBatch(
  tables: QaRepositories,
  run: RunRow,
  name: string | null,
  repeated: readonly { script: TestScript; repetition: number }[],
): Promise<Batch> {
  const { projectId, owner } = run;
  const id = batchIdOf(run);
  const batch = await tables.batches.insert({
    id,
    projectId,
    owner,
    runtimeId: run.runtimeId,
    runId: run.id,
    name,
    total: repeated.length,
  });
  await tables.batchItems.insertAll(
    repeated.map(({ script, repetition }, position) => ({
      ...{ projectId, owner, batchId: id, position, repetition },
      testScriptId: script.id,
      testCaseId: script.testCaseId,
      status: 'pending' satisfies BatchItemStatus,
    })),
  );
  await tables.runs.update(run.id, { batchId: id });
  return batch;
}
