import type {
  ControlGroup,
  PageControl,
  PageData,
  PageMessage,
  PageRegion,
  PageSnapshot,
  UnknownControl,
} from './page-snapshot.ts';

/** The lists of a snapshot whose parts are compared. */
interface SnapshotParts {
  regions: PageRegion;
  groups: ControlGroup;
  controls: PageControl;
  unknown: UnknownControl;
  messages: PageMessage;
  data: PageData;
}

type PartKind = keyof SnapshotParts;
const KINDS: readonly PartKind[] = ['regions', 'groups', 'controls', 'unknown', 'messages', 'data'];

/**
 * One difference between two snapshots. `before` and `after` are the same part of the page, with the ids of their own snapshots; `at`
 * is the position in the list of the later snapshot. `moved`: only its id, its parent's id or its position is another.
 */
export type SnapshotChange =
  | { [Kind in PartKind]: PartChange<Kind, SnapshotParts[Kind]> }[PartKind]
  | { change: 'page'; key: 'url' | 'title' | 'language' | 'omitted'; before: unknown; after: unknown };

type PartChange<Kind extends PartKind, Part> =
  | { change: 'added'; kind: Kind; at: number; after: Part }
  | { change: 'removed'; kind: Kind; before: Part }
  | { change: 'changed'; kind: Kind; at: number; before: Part; after: Part; keys: string[] }
  | { change: 'moved'; kind: Kind; at: number; before: Part; after: Part };

const PAGE_KEYS = ['url', 'title', 'language', 'omitted'] as const;
/** What differs between two readings of the same part. */
const IDENTITY = new Set(['id', 'parent', 'element', 'control']);

/**
 * What is different in a later snapshot of a page. A part is the same when its role, its name and its ancestors are, or else its
 * locator; among equal ones the order decides. Ids are not compared, since each snapshot gives its own.
 *
 * `applyChanges(before, compareSnapshots(before, after))` is `after`.
 *
 * @example
 * const news = compareSnapshots(before, after).filter(({ change }) => change === 'added');
 */
export function compareSnapshots(before: PageSnapshot, after: PageSnapshot): SnapshotChange[] {
  const page = PAGE_KEYS.flatMap((key): SnapshotChange[] =>
    isSame(before[key], after[key]) ? [] : [{ change: 'page', key, before: before[key], after: after[key] }],
  );
  return [...page, ...KINDS.flatMap((kind) => compareLists(kind, before, after))];
}

function compareLists(kind: PartKind, before: PageSnapshot, after: PageSnapshot): SnapshotChange[] {
  const pairs = matchParts(before, after, kind);
  const matched = new Set(pairs.values());
  const changes = before[kind]
    .filter((part) => !matched.has(part))
    .map((part) => ({ change: 'removed', kind, before: part }) as SnapshotChange);
  for (const [at, part] of after[kind].entries()) {
    const old = pairs.get(part);
    if (!old) changes.push({ change: 'added', kind, at, after: part } as SnapshotChange);
    else {
      const keys = changedKeys(old, part);
      if (keys.length > 0)
        changes.push({ change: 'changed', kind, at, before: old, after: part, keys } as SnapshotChange);
      else if (!isSame(old, part) || before[kind].indexOf(old as never) !== at)
        changes.push({ change: 'moved', kind, at, before: old, after: part } as SnapshotChange);
    }
  }
  return changes;
}

type AnyPart = SnapshotParts[PartKind];

/** For each part of the later snapshot the same one in the earlier. */
function matchParts(before: PageSnapshot, after: PageSnapshot, kind: PartKind): Map<AnyPart, AnyPart> {
  const pairs = new Map<AnyPart, AnyPart>();
  const used = new Set<AnyPart>();
  for (const keyOf of [exactKey, structureKey, locatorKey]) {
    const open = new Map<string, AnyPart[]>();
    for (const part of before[kind]) {
      const key = used.has(part) ? undefined : keyOf(before, part);
      if (key !== undefined) open.set(key, [...(open.get(key) ?? []), part]);
    }
    for (const part of after[kind]) {
      const key = pairs.has(part) ? undefined : keyOf(after, part);
      const old = key === undefined ? undefined : open.get(key)?.shift();
      if (!old) continue;
      pairs.set(part, old);
      used.add(old);
    }
  }
  return pairs;
}

const structureKey = (snapshot: PageSnapshot, part: AnyPart): string =>
  JSON.stringify([
    ...ancestry(snapshot, part.parent),
    part.role,
    part.name,
    ...('texts' in part || 'text' in part ? [contentOf(part)] : []),
  ]);

/** Equal parts first, so that one of several with the same name keeps its partner. */
const exactKey = (snapshot: PageSnapshot, part: AnyPart): string =>
  structureKey(snapshot, part) + JSON.stringify(comparablePart(part));

const contentOf = (part: AnyPart) =>
  'texts' in part ? [part.kind, part.level, part.texts[0]] : 'text' in part ? part.text : '';

function locatorKey(_: PageSnapshot, part: AnyPart): string | undefined {
  const locator = 'locators' in part ? part.locators.find(({ by }) => by !== 'css') : undefined;
  return locator && JSON.stringify(locator);
}

function ancestry(snapshot: PageSnapshot, id: string | null): string[] {
  const names: string[] = [];
  const seen = new Set<string>();
  for (let at = id; at !== null && !seen.has(at); ) {
    seen.add(at);
    const outer = [...snapshot.regions, ...snapshot.groups].find((part) => part.id === at);
    if (!outer) break;
    names.unshift(`${outer.role} ${outer.name}`);
    at = outer.parent;
  }
  return names;
}

const comparablePart = (part: AnyPart) => Object.entries(part).filter(([key]) => !IDENTITY.has(key));

function changedKeys(before: AnyPart, after: AnyPart): string[] {
  const [old, now] = [
    new Map<string, unknown>(comparablePart(before)),
    new Map<string, unknown>(comparablePart(after)),
  ];
  return [...new Set([...old.keys(), ...now.keys()])].filter((key) => !isSame(old.get(key), now.get(key)));
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The later snapshot, from the earlier one and what is different in it. */
export function applyChanges(before: PageSnapshot, changes: readonly SnapshotChange[]): PageSnapshot {
  const after: PageSnapshot = structuredClone(before);
  for (const change of changes) if (change.change === 'page') Object.assign(after, { [change.key]: change.after });
  for (const kind of KINDS) Object.assign(after, { [kind]: applyToList(before[kind], kind, changes) });
  return after;
}

function applyToList(parts: readonly AnyPart[], kind: PartKind, changes: readonly SnapshotChange[]): AnyPart[] {
  const own = changes.filter((change) => change.change !== 'page' && change.kind === kind);
  const replaced = new Set(own.flatMap((change) => ('before' in change ? [(change.before as AnyPart).id] : [])));
  const placed = new Map(own.flatMap((change) => ('at' in change ? [[change.at, change.after] as const] : [])));
  const kept = parts.filter(({ id }) => !replaced.has(id));
  const list: AnyPart[] = [];
  while (kept.length > 0 || placed.has(list.length)) {
    const next = placed.get(list.length) ?? kept.shift();
    if (next) list.push(next);
  }
  return list;
}
