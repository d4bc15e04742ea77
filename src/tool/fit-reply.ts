import type { z } from 'zod';
import { itemSchema, matchUnion, unwrapSchema, valueSchema } from '../platform/text/untrusted-result.ts';
import { cleanText } from '../platform/text/untrusted-text.ts';
import { isInDetail } from './detail-schema.ts';

type Schema = z.core.$ZodType;

export interface ReplyLimits {
  /** Limit of the JSON in bytes; a token has about four. Pictures do not count. */
  mostBytes: number;
  /** Entries to skip in every list. */
  offset: number;
  /** Keeps all fields of the entries and shows fewer of them. */
  keepsDetail: boolean;
}

export interface FittedReply<Data> {
  data: Data;
  /** Undefined when the reply is whole. */
  cut?: CutReply;
}

export interface CutReply {
  /** The lists of which the reply does not show all entries, by path: how many it skips and shows. */
  lists: Record<string, { skipped: number; shown: number; total: number }>;
}

/** How much a reply gives up, in steps: fields that are marked for it, then long texts and lists within entries. */
interface Concession {
  dropsDetail: boolean;
  mostCharacters: number;
  mostInnerEntries: number;
}

const everything: Concession = { dropsDetail: false, mostCharacters: Infinity, mostInnerEntries: Infinity };
const concessions: readonly Concession[] = [
  everything,
  { ...everything, dropsDetail: true },
  { dropsDetail: true, mostCharacters: 2_000, mostInnerEntries: 20 },
  { dropsDetail: true, mostCharacters: 600, mostInnerEntries: 10 },
  { dropsDetail: true, mostCharacters: 200, mostInnerEntries: 3 },
  { dropsDetail: true, mostCharacters: 100, mostInnerEntries: 1 },
];
/** Rather than to show fewer entries, a reply makes the next concession; the first one rather than to leave out any. */
const FEWEST_ENTRIES = 10;
/** Room for the statement about what was cut. */
const STATEMENT_BYTES = 400;

/**
 * Cuts data to a size. Lists that are in no other list, and records, keep their first entries after the offset: the same number of
 * each, so that the next offset continues all of them. What is within entries is shortened before too few entries are left.
 */
export function fitReply<Data>(data: Data, schema: Schema | undefined, limits: ReplyLimits): FittedReply<Data> {
  const { mostBytes, offset, keepsDetail } = limits;
  if (offset === 0 && (mostBytes === Infinity || jsonBytes(data) <= mostBytes)) return { data };
  const steps = keepsDetail ? concessions.map((step) => ({ ...step, dropsDetail: false })) : concessions;
  for (const [index, concession] of steps.entries()) {
    const draft = createDraft(concession, limits);
    const shrunk = shrink(data, schema, '', draft);
    const isLast = index === steps.length - 1;
    const shown = countFitting(shrunk, draft, mostBytes);
    const longest = Math.max(0, ...[...draft.lists.values()].map(({ entries }) => entries.length));
    const fewest = keepsDetail ? 1 : index === 0 ? longest : Math.min(longest, FEWEST_ENTRIES);
    if (!isLast && shown < Math.max(1, fewest)) continue;
    return { data: shrunk as Data, ...cutLists(draft, Math.max(1, shown)) };
  }
  return { data };
}

interface OuterList {
  total: number;
  entries: { bytes: number }[];
  keep(count: number): void;
}

interface Draft extends ReplyLimits {
  concession: Concession;
  lists: Map<string, OuterList>;
  isShortened: boolean;
  pictureBytes: number;
}

function createDraft(concession: Concession, limits: ReplyLimits): Draft {
  return { ...limits, concession, lists: new Map(), isShortened: false, pictureBytes: 0 };
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/** The most entries of every list with which the reply fits; 0 if it does not fit with one. */
function countFitting(shrunk: unknown, draft: Draft, mostBytes: number): number {
  const lists = [...draft.lists.values()];
  const longest = Math.max(0, ...lists.map(({ entries }) => entries.length));
  const all = jsonBytes(shrunk) - draft.pictureBytes;
  const isWhole = !draft.isShortened && lists.every(({ entries, total }) => entries.length === total);
  if (all <= mostBytes - (isWhole ? 0 : STATEMENT_BYTES)) return Math.max(1, longest);
  const ofLists = lists.reduce((sum, { entries }) => sum + entries.reduce((bytes, entry) => bytes + entry.bytes, 0), 0);
  let bytesLeft = mostBytes - STATEMENT_BYTES - (all - ofLists);
  for (let shown = 0; shown < longest; shown++) {
    bytesLeft -= lists.reduce((sum, { entries }) => sum + (entries[shown]?.bytes ?? 0), 0);
    if (bytesLeft < 0) return shown;
  }
  return bytesLeft < 0 ? 0 : longest;
}

function cutLists({ lists, offset, isShortened }: Draft, shown: number): { cut?: CutReply } {
  const cut: CutReply = { lists: {} };
  for (const [path, { total, entries, keep }] of lists) {
    const count = Math.min(shown, entries.length);
    keep(count);
    if (count < total) cut.lists[path] = { skipped: Math.min(offset, total), shown: count, total };
  }
  return isShortened || Object.keys(cut.lists).length > 0 ? { cut } : {};
}

function shrink(value: unknown, schema: Schema | undefined, path: string, draft: Draft, isInEntry = false): unknown {
  if (typeof value === 'string') return shrinkText(value, schema, draft);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  const known = matchUnion(unwrapSchema(schema).inner, value);
  if (Array.isArray(value)) return shrinkList(value, known, path, draft, isInEntry);
  if (isRecord(known)) return shrinkRecord(value, known, path, draft, isInEntry);
  const entries = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
    const below = valueSchema(known, key);
    if (draft.concession.dropsDetail && isInDetail(below)) {
      draft.isShortened = true;
      return [];
    }
    return [[key, shrink(item, below, path ? `${path}.${key}` : key, draft, isInEntry)]];
  });
  return Object.fromEntries(entries);
}

function shrinkText(text: string, schema: Schema | undefined, draft: Draft): string {
  if (isPicture(text, schema)) {
    draft.pictureBytes += text.length;
    return text;
  }
  if (text.length <= draft.concession.mostCharacters) return text;
  draft.isShortened = true;
  return cleanText(text, { max: draft.concession.mostCharacters });
}

function shrinkList(
  list: readonly unknown[],
  schema: Schema | undefined,
  path: string,
  draft: Draft,
  isInEntry: boolean,
): unknown[] {
  if (isInEntry) {
    const { mostInnerEntries } = draft.concession;
    if (list.length > mostInnerEntries) draft.isShortened = true;
    return list
      .slice(0, mostInnerEntries)
      .map((item, index) => shrink(item, itemSchema(schema, index), '', draft, true));
  }
  const some = list.slice(draft.offset, draft.offset + mostEntries(draft));
  const shrunk = some.map((item, index) => shrink(item, itemSchema(schema, index), '', draft, true));
  draft.lists.set(path, {
    total: list.length,
    entries: shrunk.map((item) => ({ bytes: jsonBytes(item) + 1 })),
    keep: (count) => void shrunk.splice(count),
  });
  return shrunk;
}

function shrinkRecord(
  record: object,
  schema: Schema | undefined,
  path: string,
  draft: Draft,
  isInEntry: boolean,
): unknown {
  const all = Object.entries(record);
  const { mostInnerEntries } = draft.concession;
  const some = isInEntry ? all.slice(0, mostInnerEntries) : all.slice(draft.offset, draft.offset + mostEntries(draft));
  if (isInEntry && some.length < all.length) draft.isShortened = true;
  const entries = some.map(([key, item]): [string, unknown] => [
    key,
    shrink(item, valueSchema(schema, key), '', draft, true),
  ]);
  // Unlike an assignment, fromEntries keeps a key named `__proto__`.
  const shrunk = Object.fromEntries(entries);
  if (!isInEntry)
    draft.lists.set(path, {
      total: all.length,
      entries: entries.map(([key, item]) => ({ bytes: jsonBytes(key) + jsonBytes(item) + 2 })),
      keep: (count) => {
        for (const [key] of entries.slice(count)) Reflect.deleteProperty(shrunk, key);
      },
    });
  return shrunk;
}

/** No more entries than could fit if each had two bytes. */
function mostEntries({ mostBytes }: Draft): number {
  return Math.ceil(mostBytes / 2);
}

function isRecord(schema: Schema | undefined): boolean {
  return (schema as z.core.$ZodTypes | undefined)?._zod.def.type === 'record';
}

/** A picture of ours in base64, as the specification of a toolset wants it: JPEG or PNG. Half of it would be no picture. */
function isPicture(text: string, schema: Schema | undefined): boolean {
  return /^(?:\/9j\/|iVBORw0KGgo)/.test(text) && unwrapSchema(schema).mark === undefined;
}
