import { quote } from '../../platform/errors.ts';
import { invalidArgument, requireProject } from '../owned-rows.ts';
import type { QaContext } from '../qa-context.ts';
import type { Cost } from '../store/qa-store.ts';
import { checkTimeZone, dayIn } from '../time-zone.ts';
import { type PriceList, priceOf, type UsageTotals } from './prices.ts';

export const costFilterTypes = ['project', 'useCase', 'testCase', 'testScript'] as const;
type CostFilterType = (typeof costFilterTypes)[number];

/** Limit of items; the most expensive come first. */
const MOST_ITEMS = 200;
/** Limit of days; the latest are kept, and the total counts all. */
const MOST_DAYS = 400;
const DAY_MS = 86_400_000;

interface CostQuery {
  projectId: string;
  startDateKey?: string | undefined;
  endDateKey?: string | undefined;
  /** Time zone of the days. */
  timezone: string;
  filterType: CostFilterType;
  filterIds?: readonly string[] | undefined;
}

export interface PricedUsage extends UsageTotals {
  runs: number;
  cost: number;
}

/** The id that an entry is counted for. */
const idOf: Record<CostFilterType, (entry: Cost) => string | null> = {
  project: ({ projectId }) => projectId,
  useCase: ({ useCaseId }) => useCaseId,
  testCase: ({ testCaseId }) => testCaseId,
  testScript: ({ testScriptId }) => testScriptId,
};

/** Usage and cost between two days of a time zone, both included. */
export async function queryCosts(qa: QaContext, query: CostQuery, prices: PriceList) {
  await requireProject(qa, query.projectId);
  checkTimeZone(query.timezone);
  const start = checkDayKey('startDateKey', query.startDateKey);
  const end = checkDayKey('endDateKey', query.endDateKey);
  if (start !== undefined && end !== undefined && start > end)
    throw invalidArgument(
      'startDateKey',
      `startDateKey ${start} is after endDateKey ${end}. Pass an earlier startDateKey or a later endDateKey.`,
    );
  const elsewhere = query.filterType === 'project' && query.filterIds?.find((one) => one !== query.projectId);
  if (elsewhere)
    throw invalidArgument(
      'filterIds',
      `filterIds has ${quote(elsewhere, 80)}, but filterType is project: set filterType to what the ids are (${costFilterTypes.join(', ')}).`,
    );
  const id = idOf[query.filterType];
  // An empty list means no filter.
  const wanted = query.filterIds?.length ? new Set(query.filterIds) : undefined;
  const dayAt = dayIn(query.timezone);
  const dayOf = ({ createdAt }: Cost) => dayAt(createdAt);
  const kept = await qa.store.costs.list({ projectId: query.projectId, day: daysAround(start, end) });
  const entries = kept.filter((entry) => {
    const day = dayOf(entry);
    if ((start !== undefined && day < start) || (end !== undefined && day > end)) return false;
    return !wanted || wanted.has(id(entry) ?? '');
  });
  const groups = <Key extends string>(keyOf: (entry: Cost) => Key | null) =>
    [...Map.groupBy(entries, keyOf)].flatMap(([key, list]) =>
      key === null ? [] : [{ key, ...sumUsage(list, prices) }],
    );
  const items = groups(id).toSorted((a, b) => b.browserSeconds - a.browserSeconds);
  return {
    total: sumUsage(entries, prices),
    byDay: groups(dayOf)
      .toSorted((a, b) => a.key.localeCompare(b.key))
      .slice(-MOST_DAYS),
    byKind: groups(({ kind }) => kind),
    byItem: items.slice(0, MOST_ITEMS),
    itemsLeftOut: Math.max(0, items.length - MOST_ITEMS),
  };
}

/** UTC days that cover the range, to limit the query; undefined for a long range. */
function daysAround(start: string | undefined, end: string | undefined): string[] | undefined {
  if (start === undefined || end === undefined) return undefined;
  const [first, last] = [timeOf(start) - DAY_MS, timeOf(end) + DAY_MS];
  const count = Math.round((last - first) / DAY_MS) + 1;
  if (count > MOST_DAYS) return undefined;
  const dayInUtc = dayIn('UTC');
  return Array.from({ length: count }, (_, nth) => dayInUtc(first + nth * DAY_MS));
}

function timeOf(day: string): number {
  return Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`);
}

function sumUsage(entries: readonly Cost[], prices: PriceList): PricedUsage {
  const add = (of: (entry: Cost) => number) => entries.reduce((total, entry) => total + of(entry), 0);
  const used = {
    browserSeconds: Math.round(add(({ browserMs }) => browserMs)) / 1000,
    pages: add(({ pages }) => pages),
    steps: add(({ steps }) => steps),
    screenshots: add(({ screenshots }) => screenshots),
    bytes: add(({ bytes }) => bytes),
  };
  return { runs: new Set(entries.map(({ runId }) => runId)).size, ...used, cost: priceOf(used, prices) };
}

/** Checks that a key is a real day: 20240230 is not. */
function checkDayKey(field: string, given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(given) ?? [];
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`);
  if (isDay) return given;
  throw invalidArgument(field, `${field} must be a day as YYYYMMDD, such as 20260131, got ${quote(given)}.`);
}
