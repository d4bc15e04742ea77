import { HISTORY_DAYS } from '../history/suite-history.ts';
import type { SuiteHealth } from './report-document.ts';

export interface HealthInput {
  passed: number;
  failed: number;
  /** Share of flaky replays in the recent history; undefined without any. */
  flakeRate: number | undefined;
  requirements: { total: number; covered: number };
  lastRunAt: number | undefined;
  now: number;
}

const WEIGHTS = { passRate: 50, stability: 20, requirementCoverage: 15, freshness: 15 } as const;
const DAY_MS = 86_400_000;

const formula = [
  `Weighted mean of its parts: pass rate ${WEIGHTS.passRate}, stability ${WEIGHTS.stability}, requirement coverage ${WEIGHTS.requirementCoverage}, freshness ${WEIGHTS.freshness}.`,
  'Parts without data are not counted.',
  'Pass rate: share of tests with the latest verdict passed or flaky among those with passed, flaky or failed.',
  `Stability: 100 minus 5 for each percent of flaky replays among those with a verdict in the last ${HISTORY_DAYS} days.`,
  'Requirement coverage: share of requirements with a use case.',
  'Freshness: 100 within a day of the last run, 0 after 14 days, linear in between.',
].join(' ');

/** Computes the health score, 0 to 100; null if no test has a verdict. */
export function computeHealth({ passed, failed, flakeRate, requirements, lastRunAt, now }: HealthInput): SuiteHealth {
  const judged = passed + failed;
  const days = lastRunAt === undefined ? undefined : (now - lastRunAt) / DAY_MS;
  const { total, covered } = requirements;
  const parts: SuiteHealth['parts'] = [
    healthPart(
      'passRate',
      judged === 0 ? null : (passed / judged) * 100,
      judged === 0 ? 'no test has a verdict' : `${passed} of ${judged} tests pass`,
    ),
    healthPart(
      'stability',
      flakeRate === undefined ? null : Math.max(0, 100 - flakeRate * 500),
      flakeRate === undefined
        ? `no replay with a verdict in ${HISTORY_DAYS} days`
        : `${round(flakeRate * 100)} % of the replays were flaky`,
    ),
    healthPart(
      'requirementCoverage',
      total === 0 ? null : (covered / total) * 100,
      total === 0 ? 'no requirements' : `${covered} of ${total} requirements have a use case`,
    ),
    healthPart(
      'freshness',
      days === undefined ? null : Math.min(100, Math.max(0, ((14 - days) / 13) * 100)),
      days === undefined ? 'never run' : `last run ${days < 1 ? 'within a day' : `${Math.floor(days)} days ago`}`,
    ),
  ];
  const counted = parts.filter(({ value }) => value !== null);
  const weight = counted.reduce((sum, one) => sum + one.weight, 0);
  const sum = counted.reduce((all, one) => all + (one.value ?? 0) * one.weight, 0);
  // Without a verdict there is no score, even if requirements are covered.
  return { score: judged === 0 ? null : round(sum / weight), parts, formula };
}

function healthPart(name: keyof typeof WEIGHTS, value: number | null, why: string): SuiteHealth['parts'][number] {
  return { name, value: value === null ? null : round(value), weight: WEIGHTS[name], why };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
