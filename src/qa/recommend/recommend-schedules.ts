import { createHash } from 'node:crypto';
import { Cron } from 'croner';
import { HISTORY_DAYS, type SuiteHistory } from '../history/suite-history.ts';
import { checkTimeZone } from '../time-zone.ts';
import { dstSafeHour } from './dst-safe-hour.ts';

export const scheduleFrequencies = ['daily', 'weekly', 'onDemand'] as const;
type Frequency = (typeof scheduleFrequencies)[number];

export interface ScheduleRecommendation {
  title: string;
  rationale: string;
  /** Cron line in the time zone; empty for runs on demand. */
  schedule: string;
  timezone: string;
  nextRuns: string[];
  tradeoffs: string[];
}

interface ScheduleRequest {
  /** History of the project; undefined without a project. */
  suite: SuiteHistory | undefined;
  frequency: Frequency | undefined;
  timezone: string;
  /** Spreads projects over the hour; stable for a project. */
  seed: string;
  now: Date;
}

const MINUTE_MS = 60_000;

/** Recommends schedules by duration, failure rate and flake rate of the suite and by the change rate of the site. */
export function recommendSchedules(asked: ScheduleRequest): ScheduleRecommendation[] {
  checkTimeZone(asked.timezone);
  const { suite, frequency } = asked;
  const wanted: ScheduleRecommendation[] = [];
  if (frequency === 'onDemand' || suite?.scripts === 0) wanted.push(onDemand(asked));
  if (frequency !== 'onDemand' && suite?.scripts !== 0) {
    if (frequency !== 'weekly') wanted.push(nightly(asked));
    if (frequency !== 'daily' || isLong(suite)) wanted.push(weekly(asked));
    if (suite && suite.quickScripts > 0 && changesOften(suite)) wanted.push(smoke(asked, suite));
  }
  if (suite && (suite.flakeRate ?? 0) >= 0.02) wanted.push(flakyCheck(asked, suite));
  return wanted;
}

const isLong = (suite: SuiteHistory | undefined) => suite !== undefined && suite.totalMs > 60 * MINUTE_MS;
const changesOften = (suite: SuiteHistory) => suite.changesPerWeek >= 2 || (suite.failureRate ?? 0) >= 0.1;

function nightly(asked: ScheduleRequest): ScheduleRecommendation {
  const { suite } = asked;
  const minutes = suite ? Math.ceil(suite.totalMs / MINUTE_MS) : undefined;
  // Ends before 7:00.
  const hour = minutes === undefined ? 2 : Math.max(0, Math.min(4, 6 - Math.ceil(minutes / 60)));
  return scheduledAt(asked, `${minuteOf(asked)} ${stableHour(asked, hour)} * * *`, {
    title: 'Nightly regression: the whole suite',
    rationale: `Regressions of a day are known the next morning. ${historyText(suite)}`,
    tradeoffs: [
      'Pro: it runs outside working hours, and results are fresh in the morning.',
      'Con: what breaks in the morning is found the next night.',
      ...(minutes === undefined
        ? []
        : [
            `Cost: about ${durationText(suite?.totalMs ?? 0)} of browser time a night, one script after the other; less in parallel.`,
          ]),
    ],
  });
}

function weekly(asked: ScheduleRequest): ScheduleRecommendation {
  const { suite } = asked;
  return scheduledAt(asked, `${minuteOf(asked)} ${stableHour(asked, 3)} * * 0`, {
    title: isLong(suite) ? 'Weekly full run: the long suite' : 'Weekly regression: the whole suite',
    rationale: isLong(suite)
      ? `The suite takes ${durationText(suite?.totalMs ?? 0)}: run the quick part more often, and all of it on Sundays. ${historyText(suite)}`
      : `Enough for a site that seldom changes. ${historyText(suite)}`,
    tradeoffs: [
      'Pro: least browser time.',
      'Con: a defect may live for a week before it is found.',
      ...(suite && changesOften(suite)
        ? [`Con: this site changes (${suite.changesPerWeek} changes a week seen), so a week is long for it.`]
        : []),
    ],
  });
}

/** Runs every few hours; more often if the site changes more. */
function smoke(asked: ScheduleRequest, suite: SuiteHistory): ScheduleRecommendation {
  const hours = suite.changesPerWeek >= 10 || (suite.failureRate ?? 0) >= 0.25 ? 1 : suite.changesPerWeek >= 5 ? 2 : 4;
  const pattern = hours === 1 ? `${minuteOf(asked)} 8-19 * * 1-5` : `${minuteOf(asked)} 8-19/${hours} * * 1-5`;
  return scheduledAt(asked, pattern, {
    title: `Smoke test in working hours: the ${suite.quickScripts} quickest scripts`,
    rationale: `They take ${durationText(suite.quickMs)} together. ${historyText(suite)}`,
    tradeoffs: [
      `Pro: a break is known within ${hours === 1 ? 'an hour' : `${hours} hours`}.`,
      suite.quickScripts < suite.scripts
        ? `Con: the other ${suite.scripts - suite.quickScripts} scripts wait for the night.`
        : 'Con: more browser time a day than a nightly run.',
    ],
  });
}

function flakyCheck(asked: ScheduleRequest, suite: SuiteHistory): ScheduleRecommendation {
  return scheduledAt(asked, `${minuteOf(asked)} ${stableHour(asked, 4)} * * 6`, {
    title: 'Weekly check for flaky tests: each script three times',
    rationale: `${percent(suite.flakeRate)} of the replays passed only on a repetition. Start a bulk replay with repeatPerTestCase 3, and fix or delete flaky tests.`,
    tradeoffs: [
      'Pro: a suite that can be trusted.',
      `Cost: about ${durationText(suite.totalMs * 3)} of browser time a week.`,
    ],
  });
}

function onDemand({ suite, timezone }: ScheduleRequest): ScheduleRecommendation {
  const empty = suite?.scripts === 0;
  return {
    title: empty ? 'Not yet: there is no active script' : 'On demand: before a release, and in CI',
    rationale: empty
      ? 'Generate scripts first (qa_workflow_start_test_script_generation); a schedule can be computed from their real run times.'
      : `A user or the pipeline starts it when needed. ${historyText(suite)}`,
    schedule: '',
    timezone,
    nextRuns: [],
    tradeoffs: ['Pro: no browser time without a reason.', 'Con: it finds nothing until it is started.'],
  };
}

/** States measured values only. */
function historyText(suite: SuiteHistory | undefined): string {
  if (!suite) return 'No project was named, so this is a rule of thumb.';
  const taken =
    suite.totalMs > 0
      ? ` that ${suite.scripts === 1 ? 'takes' : 'take'} ${durationText(suite.totalMs)}`
      : ', whose run time is not known yet';
  const lately = `in the last ${HISTORY_DAYS} days`;
  const verdicts =
    suite.failureRate === undefined
      ? 'without any verdict'
      : `${percent(suite.failureRate)} failed, ${percent(suite.flakeRate)} were flaky`;
  const history =
    suite.runs === 0 ? `no run ${lately}` : `${suite.runs} ${suite.runs === 1 ? 'run' : 'runs'} ${lately}, ${verdicts}`;
  return `Measured: ${suite.scripts} active ${suite.scripts === 1 ? 'script' : 'scripts'}${taken}; ${history}; ${suite.changesPerWeek} changes of the site a week seen.`;
}

function scheduledAt(
  { timezone, now }: ScheduleRequest,
  schedule: string,
  rest: Pick<ScheduleRecommendation, 'title' | 'rationale' | 'tradeoffs'>,
): ScheduleRecommendation {
  const next = new Cron(schedule, { timezone, paused: true }).nextRuns(3, now);
  return { ...rest, schedule, timezone, nextRuns: next.map((date) => date.toISOString()) };
}

/** A clock change would skip or repeat the run. */
function stableHour({ timezone, now }: ScheduleRequest, hour: number): number {
  return dstSafeHour(hour, timezone, now);
}

/** Not on the hour, when most jobs start. */
function minuteOf({ seed }: ScheduleRequest): number {
  return 5 + (createHash('sha256').update(seed).digest().readUInt16BE() % 50);
}

function durationText(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(1, Math.round(ms / 1000))} s`;
  const minutes = Math.round(ms / MINUTE_MS);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function percent(rate: number | undefined): string {
  return rate === undefined ? 'none' : `${Math.round(rate * 1000) / 10} %`;
}
