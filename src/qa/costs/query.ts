import { quote } from '../../platform/errors.ts';
import { invalid, ownProject } from '../access.ts';
import type { QaRoom } from '../room.ts';
import type { Cost } from '../store/store.ts';
import { type PriceList, priceOf, type Used } from './prices.ts';

export const filterTypes = ['project', 'useCase', 'testCase', 'testScript'] as const;
type FilterType = (typeof filterTypes)[number];

/** The dearest first; whoever wants others names them. */
const MOST_ITEMS = 200;
/** The latest of them; the total counts all. */
const MOST_DAYS = 400;

interface Query {
  projectId: string;
  startDateKey?: string | undefined;
  endDateKey?: string | undefined;
  filterType: FilterType;
  filterIds?: readonly string[] | undefined;
}

export interface Priced extends Used {
  runs: number;
  cost: number;
}

/** Whose id an entry counts for. */
const idOf: Record<FilterType, (entry: Cost) => string | null> = {
  project: ({ projectId }) => projectId,
  useCase: ({ useCaseId }) => useCaseId,
  testCase: ({ testCaseId }) => testCaseId,
  testScript: ({ testScriptId }) => testScriptId,
};

/** What was used between two days, both of them included; the days are those of UTC. */
export async function queryCosts(room: QaRoom, query: Query, prices: PriceList) {
  await ownProject(room, query.projectId);
  const start = dayKey('startDateKey', query.startDateKey);
  const end = dayKey('endDateKey', query.endDateKey);
  if (start !== undefined && end !== undefined && start > end)
    throw invalid('startDateKey', `startDateKey ${start} is after endDateKey ${end}.`);
  const id = idOf[query.filterType];
  const wanted = query.filterIds && new Set(query.filterIds);
  const entries = (await room.store.costs.list({ projectId: query.projectId })).filter(
    (entry) =>
      (start === undefined || entry.day >= start) &&
      (end === undefined || entry.day <= end) &&
      (!wanted || wanted.has(id(entry) ?? '')),
  );
  const groups = <Key extends string>(keyOf: (entry: Cost) => Key | null) =>
    [...Map.groupBy(entries, keyOf)].flatMap(([key, list]) => (key === null ? [] : [{ key, ...sum(list, prices) }]));
  const items = groups(id).toSorted((a, b) => b.browserSeconds - a.browserSeconds);
  return {
    total: sum(entries, prices),
    byDay: groups(({ day }) => day)
      .toSorted((a, b) => a.key.localeCompare(b.key))
      .slice(-MOST_DAYS),
    byKind: groups(({ kind }) => kind),
    byItem: items.slice(0, MOST_ITEMS),
    itemsLeftOut: Math.max(0, items.length - MOST_ITEMS),
  };
}

function sum(entries: readonly Cost[], prices: PriceList): Priced {
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

/** A day that there is: 20240230 is none. */
function dayKey(field: string, given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(given) ?? [];
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  const isDay = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(`${year}-${month}-${day}`);
  if (isDay) return given;
  throw invalid(field, `${field} must be a day as YYYYMMDD, such as 20260131, got ${quote(given)}.`);
}
