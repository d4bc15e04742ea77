import { Cron } from 'croner';
import { describe, expect, test } from 'vitest';
import type { SuiteHistory } from '../history/suite-history.ts';
import { recommendSchedules } from './recommend-schedules.ts';

const suite: SuiteHistory = {
  scripts: 20,
  totalMs: 10 * 60_000,
  longestMs: 60_000,
  quickScripts: 12,
  quickMs: 4 * 60_000,
  runs: 100,
  failureRate: 0.02,
  flakeRate: 0,
  changesPerWeek: 0.5,
  lastRunAt: undefined,
};
const now = new Date('2026-03-01T12:00:00Z');
const ask = (changes: Partial<SuiteHistory> | undefined, requests: object = {}) =>
  recommendSchedules({
    suite: changes && { ...suite, ...changes },
    frequency: undefined,
    timezone: 'UTC',
    seed: 'proj_a',
    now,
    ...requests,
  });
const titles = (...args: Parameters<typeof ask>) => ask(...args).map(({ title }) => title.split(':')[0]);

describe('recommendSchedules', () => {
  test('returns cron lines in the given time zone with trade-offs', () => {
    for (const timezone of ['UTC', 'Europe/Berlin', 'Asia/Kolkata'])
      for (const one of ask({ flakeRate: 0.1, changesPerWeek: 12 }, { timezone })) {
        expect(
          new Cron(one.schedule, { timezone, paused: true }).nextRuns(3, now).map((date) => date.toISOString()),
        ).toEqual(one.nextRuns);
        expect(one.tradeoffs.join(' ')).toMatch(/Pro:.*(Con|Cost):/);
        expect(one.timezone).toBe(timezone);
      }
    const [berlin] = ask({}, { timezone: 'Europe/Berlin' });
    const [utc] = ask({});
    expect(berlin?.schedule).toBe(utc?.schedule);
    expect(berlin?.nextRuns).not.toEqual(utc?.nextRuns);
    expect(() => ask({}, { timezone: 'Mars/Olympus' })).toThrow(/timezone must be a name such as Europe\/Berlin/);
  });

  test('avoids hours that a clock change skips or repeats', () => {
    const hours = (timezone: string, totalMs = 60_000) =>
      ask({ totalMs, flakeRate: 0.1 }, { timezone }).map(({ schedule }) => Number(schedule.split(' ')[1]));
    // Without a project the hour is 2:00, which a clock change skips in Berlin and New York.
    const [utc, ...others] = ['UTC', 'Europe/Berlin', 'America/New_York'].map((timezone) =>
      Number(ask(undefined, { timezone })[0]?.schedule.split(' ')[1]),
    );
    expect(utc).toBe(2);
    for (const hour of others) expect(hour).not.toBe(2);
    const year = 366 * 86_400_000;
    for (const timezone of ['Europe/Berlin', 'America/New_York', 'Europe/London', 'Australia/Lord_Howe', 'Asia/Tehran'])
      for (const [index, hour] of hours(timezone, 4 * 3_600_000).entries()) {
        const every = new Cron(`7 ${hour} * * *`, { timezone, paused: true }).nextRuns(366, now);
        const local = every.map((date) => date.toLocaleString('en-GB', { timeZone: timezone, timeStyle: 'short' }));
        expect(new Set(local), `${timezone} ${index}`).toEqual(new Set([`${String(hour).padStart(2, '0')}:07`]));
        expect(Number(every.at(-1)) - Number(now)).toBeLessThan(year + 86_400_000);
      }
  });

  test('respects the requested frequency', () => {
    expect(titles({})).toEqual(['Nightly regression', 'Weekly regression']);
    expect(titles({}, { frequency: 'daily' })).toEqual(['Nightly regression']);
    expect(titles({}, { frequency: 'weekly' })).toEqual(['Weekly regression']);
    expect(ask({}, { frequency: 'onDemand' })).toMatchObject([{ schedule: '', nextRuns: [] }]);
  });

  test('adapts to the history of the suite', () => {
    expect(titles({ changesPerWeek: 6 })).toContain('Smoke test in working hours');
    expect(titles({ flakeRate: 0.05 })).toContain('Weekly check for flaky tests');
    expect(titles({ scripts: 0 })).toEqual(['Not yet']);
    const smoke = (changesPerWeek: number) =>
      ask({ changesPerWeek }).find(({ title }) => title.startsWith('Smoke'))?.schedule;
    expect(smoke(20)).toMatch(/ 8-19 \* \* 1-5$/);
    expect(smoke(6)).toMatch(/ 8-19\/2 \* \* 1-5$/);
    const hourOf = (totalMs: number) => Number(ask({ totalMs })[0]?.schedule.split(' ')[1]);
    expect(hourOf(5 * 3_600_000)).toBeLessThan(hourOf(60_000));
    expect(titles({ totalMs: 5 * 3_600_000 })).toContain('Weekly full run');
  });

  test('states measured values only', () => {
    expect(ask({})[0]?.rationale).toContain(
      '20 active scripts that take 10 min; 100 runs in the last 30 days, 2 % failed',
    );
    expect(ask({ scripts: 1, runs: 1 })[0]?.rationale).toContain(
      '1 active script that takes 10 min; 1 run in the last',
    );
    // The site was down each time: that is no failure rate of 0 %.
    const away = ask({ runs: 3, failureRate: undefined, flakeRate: undefined })[0];
    expect(away?.rationale).toContain('3 runs in the last 30 days, without any verdict;');
    expect(ask(undefined)[0]?.rationale).toContain('No project was named');
    expect(ask({ runs: 0, totalMs: 0 })[0]?.rationale).toMatch(
      /whose run time is not known yet; no run in the last 30 days/,
    );
  });

  test('spreads projects over the minutes of the hour', () => {
    const minutes = ['a', 'b', 'c', 'd', 'e'].map((seed) => ask({}, { seed })[0]?.schedule.split(' ')[0]);
    expect(new Set(minutes).size).toBeGreaterThan(2);
    expect(minutes).not.toContain('0');
  });
});
