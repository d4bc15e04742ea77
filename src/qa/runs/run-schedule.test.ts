import { expect, test } from 'vitest';
import { nextRunAfter, parseRunSchedule } from './run-schedule.ts';

const berlin = (cron: string) => ({ schedule: { cron, timezone: 'Europe/Berlin' }, intervalSec: null });
const next = (after: string, cron: string) => {
  const due = nextRunAfter(Date.parse(after), berlin(cron));
  return due === undefined ? undefined : new Date(due).toISOString();
};

test('follows the clock of the time zone over its changes', () => {
  expect(next('2026-03-27T12:00:00Z', '0 8 * * *')).toBe('2026-03-28T07:00:00.000Z');
  expect(next('2026-03-28T12:00:00Z', '0 8 * * *')).toBe('2026-03-29T06:00:00.000Z');
});

test('runs once on the day on which the clock skips or repeats the hour', () => {
  // 02:30 does not exist on 29 March, and exists twice on 25 October.
  const runs = (from: string, to: string) => {
    const found: string[] = [];
    for (let at = from; ; ) {
      at = next(at, '30 2 * * *') ?? '';
      if (at >= to) return found;
      found.push(at);
    }
  };
  expect(runs('2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z')).toHaveLength(1);
  expect(runs('2026-10-24T12:00:00Z', '2026-10-25T12:00:00Z')).toHaveLength(1);
});

test('is due in the past, once, after firings were missed', () => {
  const [started, now] = [Date.parse('2026-11-02T02:00:00.001Z'), Date.parse('2026-11-05T10:00:00Z')];
  const utc = { schedule: { cron: '0 2 * * *', timezone: 'UTC' }, intervalSec: null };
  const due = nextRunAfter(started, utc) ?? Number.NaN;
  expect(new Date(due).toISOString()).toBe('2026-11-03T02:00:00.000Z');
  // The run that makes up for it starts now, and is followed by the next firing.
  expect(new Date(nextRunAfter(now, utc) ?? Number.NaN).toISOString()).toBe('2026-11-06T02:00:00.000Z');
});

test('adds an interval to the start, and ends without a schedule', () => {
  expect(nextRunAfter(1000, { schedule: null, intervalSec: 60 })).toBe(61_000);
  expect(nextRunAfter(1000, { schedule: null, intervalSec: null })).toBeUndefined();
});

const now = new Date('2026-11-01T00:00:00Z');

test('reads the time zone before the fields', () => {
  expect(parseRunSchedule('0 2 * * 1-5', now)).toEqual({ cron: '0 2 * * 1-5', timezone: 'UTC' });
  const berlin = { cron: '0 2 * * *', timezone: 'Europe/Berlin' };
  expect(parseRunSchedule(' CRON_TZ=Europe/Berlin  0 2 * * * ', now)).toEqual(berlin);
});

test.each([
  ['0 2 * *', 'is no cron line'],
  ['*/5 0 2 * * *', 'is no cron line'],
  ['61 2 * * *', 'is no cron line'],
  ['', 'is no cron line'],
  ['0 2 30 2 *', 'has no next run'],
  ['CRON_TZ=Europe/Nowhere 0 2 * * *', 'unknown time zone "Europe/Nowhere"'],
])('rejects %j with the reason', (text, reason) => {
  const details = expect.objectContaining({ field: 'schedule' });
  expect(() => parseRunSchedule(text, now)).toThrow(
    expect.objectContaining({ details, message: expect.stringContaining(reason) }),
  );
});
