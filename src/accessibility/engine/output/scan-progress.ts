import type { SiteQueue } from '../crawl/site-queue.ts';
import type { CsvRow } from './csv-rows.ts';
import { type Outcome, outcomes } from './scan-journal.ts';

export interface ScanProgressReporter {
  /** Ended pages of all sites, by outcome. */
  counts(): Record<Outcome, number>;
  /** The row of progress.csv for the current page. */
  row(): CsvRow;
  /** The progress line of a page. */
  line(outcome: Outcome, url: string, about: string): string;
  summary(): string;
}

/**
 * Computes progress from visited pages; pages beyond a limit do not count. Times cover this run only: the pages of an earlier
 * run, `before`, do not count for the speed.
 */
export function createScanProgress(
  sites: readonly SiteQueue[],
  before: number,
  clock = () => performance.now(),
): ScanProgressReporter {
  const start = clock();
  let written = before;
  let ended = before;

  function counts(): Record<Outcome, number> {
    const sum: Record<Outcome, number> = { scanned: 0, failed: 0, skipped: 0, blocked: 0 };
    for (const site of sites) for (const outcome of outcomes) sum[outcome] += site.counts[outcome];
    return sum;
  }

  function state(done: number) {
    const total = Math.max(done, ended + sites.reduce((sum, site) => sum + site.ahead, 0));
    const elapsed = Math.max(0.001, (clock() - start) / 1000);
    const speed = Math.max(0, done - before) / elapsed;
    return { done, total, elapsed, speed, remaining: speed > 0 ? (total - done) / speed : 0 };
  }

  return {
    counts,
    row() {
      const { done, total, elapsed, speed, remaining } = state(++written);
      return {
        time: new Date().toISOString(),
        iteration: done,
        total,
        speed: speed.toFixed(2),
        percent: ((done / Math.max(1, total)) * 100).toFixed(1),
        elapsed: elapsed.toFixed(1),
        remaining: remaining.toFixed(1),
      };
    },
    line(outcome, url, about) {
      const { done, total, speed, remaining } = state(++ended);
      const shown = about ? ` (${about})` : '';
      return `[${done}/${total}] ${outcome} ${url}${shown} ${speed.toFixed(1)} pages/s, ${formatDuration(remaining)} left`;
    },
    summary() {
      const { elapsed, speed } = state(ended);
      const parts = outcomes.map((outcome) => `${counts()[outcome]} ${outcome}`);
      return `${totalOf(counts())} pages found: ${parts.join(', ')}. ${speed.toFixed(1)} pages/s, ${formatDuration(elapsed)}.`;
    },
  };
}

function totalOf(counts: Record<Outcome, number>): number {
  return outcomes.reduce((sum, outcome) => sum + counts[outcome], 0);
}

function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}m ${whole % 60}s`;
}
