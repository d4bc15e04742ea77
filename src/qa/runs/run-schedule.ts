import { Cron } from 'croner';
import * as z from 'zod';
import { quote } from '../../platform/errors.ts';
import { invalidArgument } from '../owned-rows.ts';

/** When a workflow runs again: a cron line of five fields in a time zone. */
export const runSchedule = z.object({ cron: z.string(), timezone: z.string() });
type RunSchedule = z.output<typeof runSchedule>;

/**
 * Reads a cron line of five fields, in UTC or in the time zone of `CRON_TZ=`, e.g. `CRON_TZ=Europe/Berlin 0 2 * * 1-5`. Throws
 * unless it has a next run.
 */
export function parseRunSchedule(text: string, now: Date): RunSchedule {
  const [, timezone = 'UTC', cron = ''] = /^(?:CRON_TZ=(\S+)\s+)?(.*)$/s.exec(text.trim()) ?? [];
  const schedule = { cron, timezone };
  const fail = (reason: string) => {
    const advice = 'Pass five fields such as "0 2 * * 1-5", or "CRON_TZ=Europe/Berlin 0 2 * * 1-5".';
    return invalidArgument('schedule', `schedule ${quote(text)} ${reason}. ${advice}`);
  };
  try {
    new Intl.DateTimeFormat('en', { timeZone: timezone });
  } catch {
    throw fail(`names the unknown time zone ${quote(timezone)}`);
  }
  let next: Date | null;
  try {
    next = nextFiring(schedule, now);
  } catch (error) {
    throw fail(`is no cron line: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!next) throw fail('has no next run');
  return schedule;
}

/**
 * When the run after one that started at this time is due, by the same clock. A time in the past means that firings were
 * missed: the run starts at once, and makes up for all of them.
 */
export function nextRunAfter(
  startedAt: number,
  { schedule, intervalSec }: { schedule: RunSchedule | null; intervalSec: number | null },
): number | undefined {
  if (schedule) return nextFiring(schedule, new Date(startedAt))?.getTime();
  return intervalSec && intervalSec > 0 ? startedAt + intervalSec * 1000 : undefined;
}

function nextFiring({ cron, timezone }: RunSchedule, after: Date): Date | null {
  return new Cron(cron, { timezone, mode: '5-part', paused: true }).nextRun(after);
}
