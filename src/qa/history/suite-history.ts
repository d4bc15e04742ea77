import { listCurrentScripts } from '../artifacts/current-scripts.ts';
import { isPreviewRun } from '../runs/preview-run.ts';
import type { QaStore, RunRow, TestScript } from '../store/qa-store.ts';

const DAY_MS = 86_400_000;
/** Days of history. */
export const HISTORY_DAYS = 30;
const MOST_RUNS = 5000;

/** Measurements of a suite from its runs. Rates are 0 to 1, of replays with a verdict; undefined without any. */
export interface SuiteHistory {
  /** Number of active scripts. */
  scripts: number;
  /** Sum of their durations. */
  totalMs: number;
  longestMs: number;
  /** Number of the quickest scripts that fit into five minutes together. */
  quickScripts: number;
  quickMs: number;
  runs: number;
  failureRate: number | undefined;
  flakeRate: number | undefined;
  /** Rewritten scripts and healed replays per week. */
  changesPerWeek: number;
  lastRunAt: number | undefined;
}

const QUICK_MS = 5 * 60_000;

export async function measureSuite(
  store: QaStore,
  projectId: string,
  { now = Date.now(), runs: known }: { now?: number; runs?: readonly RunRow[] } = {},
): Promise<SuiteHistory> {
  const scripts = await listCurrentScripts(store, { projectId });
  const runs = known ?? (await recentReplays(store, projectId, now));
  const ended = runs.filter(({ verdict }) => verdict !== null);
  const judged = ended.filter(({ verdict }) => verdict !== 'inconclusive');
  const rate = (verdict: string) =>
    judged.length === 0 ? undefined : judged.filter((run) => run.verdict === verdict).length / judged.length;
  const healed = await store.stepResults.list({ projectId, healed: 1 }, { newestFirst: true, limit: MOST_RUNS });
  const recent = (at: number) => at > now - HISTORY_DAYS * DAY_MS;
  const healedRuns = new Set(healed.map(({ runId }) => runId)).intersection(new Set(runs.map(({ id }) => id)));
  const rewritten = scripts.filter(({ version, createdAt }) => version > 1 && recent(createdAt));
  return {
    scripts: scripts.length,
    ...durationsOf(scripts),
    runs: ended.length,
    failureRate: rate('failed'),
    flakeRate: rate('flaky'),
    changesPerWeek: Math.round(((healedRuns.size + rewritten.length) / HISTORY_DAYS) * 7 * 10) / 10,
    lastRunAt: runs.reduce<number | undefined>((last, { endedAt }) => Math.max(last ?? 0, endedAt ?? 0), undefined),
  };
}

/** Recent replays, newest first, including bulk runs and without previews. */
export async function recentReplays(store: QaStore, projectId: string, now = Date.now()): Promise<RunRow[]> {
  const runs = await store.runs.list({ projectId, kind: 'qa.replay' }, { newestFirst: true, limit: MOST_RUNS });
  const since = now - HISTORY_DAYS * DAY_MS;
  return runs.filter((run) => run.endedAt !== null && run.endedAt > since && !isPreviewRun(run));
}

function durationsOf(scripts: readonly TestScript[]) {
  const durations = scripts.map(({ durationMs }) => durationMs).toSorted((a, b) => a - b);
  let quickMs = 0;
  let quickScripts = 0;
  for (const duration of durations) {
    if (quickMs + duration > QUICK_MS) break;
    quickMs += duration;
    quickScripts++;
  }
  const totalMs = durations.reduce((sum, duration) => sum + duration, 0);
  return { totalMs, longestMs: durations.at(-1) ?? 0, quickScripts, quickMs };
}
