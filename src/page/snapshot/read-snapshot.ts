import type { Page } from 'playwright-core';
import { Failure } from '../../platform/errors.ts';
import type { DocumentReading, Placed, ReadingLimits } from '../injected/read-document.ts';
import { toHandle } from '../world/element-handle.ts';
import { callInWorld, innerWorld, type PageWorld } from '../world/isolated-world.ts';
import type { ElementHandle, PageControl, PageSnapshot } from './page-snapshot.ts';

export interface ReadSnapshotOptions extends Partial<ReadingLimits> {
  /** How long to wait at most for each document. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

const LIMITS: ReadingLimits = { maxControls: 1_000, maxOptions: 500, maxRows: 500 };
const TIMEOUT_MS = 10_000;
const MAX_FRAMES = 30;
const MAX_ATTEMPTS = 3;

/** A document that was read, and where it is in the page. */
interface ReadDocument extends DocumentReading {
  world: PageWorld;
  /** Selectors of the frames that lead to it. */
  path: string[];
  /** Its position: that of its frame in each outer document. */
  order: number[];
  parentKey: string | null;
}

/**
 * Reads what a page shows, in all its documents, without changing it. A frame that goes away or does not answer is named in
 * `omitted`. A page that goes on to another address while it is read is read again there.
 *
 * @throws Failure `PAGE_NOT_READABLE` when the page does not answer or keeps navigating
 */
export async function readSnapshot(page: Page, options: ReadSnapshotOptions = {}): Promise<PageSnapshot> {
  const { timeoutMs = TIMEOUT_MS, signal, ...limits } = options;
  const reader = { page, limits: { ...LIMITS, ...limits }, timeoutMs };
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    signal?.throwIfAborted();
    const begun = performance.now();
    const documents = await readDocuments(reader);
    if (documents) return merge(page.url(), documents);
    if (performance.now() - begun >= timeoutMs) break;
    await page.waitForLoadState('domcontentloaded', { timeout: timeoutMs }).catch(() => {});
  }
  throw new Failure(
    'site_failed',
    'PAGE_NOT_READABLE',
    `The page ${page.url()} could not be read: it did not answer within ${timeoutMs} ms, or kept going on to other pages. Try again.`,
  );
}

interface Reader {
  page: Page;
  limits: ReadingLimits;
  timeoutMs: number;
}

async function readDocuments(reader: Reader): Promise<ReadDocument[] | undefined> {
  const { page, limits, timeoutMs } = reader;
  const main = await callInWorld({ page }, 'readDocument', limits, timeoutMs);
  if (!main) return undefined;
  const documents: ReadDocument[] = [{ ...main, world: { page }, path: [], order: [], parentKey: null }];
  // The list grows while it is read.
  for (const outer of documents) {
    for (const frame of outer.frames) {
      const inner = documents.length <= MAX_FRAMES ? await readFrame(reader, outer, frame) : undefined;
      if (inner) documents.push(inner);
      else outer.omitted.push(`the frame ${frame.selector}`);
    }
  }
  return documents;
}

async function readFrame(
  { limits, timeoutMs }: Reader,
  outer: ReadDocument,
  { ref, selector, at, parentAt }: DocumentReading['frames'][number],
): Promise<ReadDocument | undefined> {
  const world = await innerWorld(outer.world, ref);
  const reading = world && (await callInWorld(world, 'readDocument', limits, timeoutMs));
  if (!reading) return undefined;
  return {
    ...reading,
    world,
    path: [...outer.path, selector],
    order: [...outer.order, at],
    parentKey: parentAt === null ? outer.parentKey : keyOf(outer, parentAt),
  };
}

const keyOf = ({ order }: ReadDocument, at: number) => [...order, at].join('.');

/** A part with where it is in the page. */
interface Located<Part> {
  part: Part;
  order: number[];
  key: string;
  parentKey: string | null;
}

function merge(url: string, documents: ReadDocument[]): PageSnapshot {
  const ids = new Map<string, string>();
  const regions = locate(documents, (document) => document.regions);
  const groups = locate(documents, (document) => document.groups);
  for (const [index, { key }] of regions.entries()) ids.set(key, `r${index + 1}`);
  for (const [index, { key }] of groups.entries()) ids.set(key, `g${index + 1}`);
  const finish = <Part extends object>(located: Located<Part>[], prefix: string) =>
    located.map(({ part, parentKey }, index) => ({
      ...part,
      id: `${prefix}${index + 1}`,
      parent: parentKey === null ? null : (ids.get(parentKey) ?? null),
    }));
  const controls = finish(locate(documents, withFrame), 'c');
  const messages = finish(
    locate(documents, (document) => document.messages),
    'm',
  );
  const [main] = documents;
  return {
    url,
    title: main?.title ?? '',
    language: main?.language ?? '',
    regions: finish(regions, 'r').map(withoutElement),
    groups: finish(groups, 'g').map(withoutElement),
    controls,
    unknown: finish(
      locate(documents, (document) => document.unknown),
      'u',
    ),
    messages: messages
      .map(withoutElement)
      .map((message) => ({ ...message, control: describedControl(message, controls) })),
    data: finish(
      locate(documents, (document) => document.data),
      'd',
    ).map(withoutElement),
    omitted: documents.flatMap(({ omitted }) => omitted),
  };
}

function withoutElement<Part extends { element: unknown }>({ element: _, ...part }: Part): Omit<Part, 'element'> {
  return part;
}

/** The control whose error a message is, if exactly one says it. */
function describedControl({ text }: { text: string }, controls: readonly PageControl[]): string | null {
  const found = controls.filter(({ error }) => error !== '' && (error.includes(text) || text.includes(error)));
  return found.length === 1 ? (found[0]?.id ?? null) : null;
}

/** Locators of a control in a frame begin with the frames that lead to it. */
function withFrame({ controls, path }: ReadDocument): DocumentReading['controls'] {
  if (path.length === 0) return controls;
  return controls.map((control) => ({
    ...control,
    locators: control.locators.map((rung) => ({ ...rung, frame: [...path, ...(rung.frame ?? [])] })),
  }));
}

function locate<Part extends Placed<object>>(
  documents: readonly ReadDocument[],
  partsOf: (document: ReadDocument) => readonly Part[],
): Located<Omit<Part, 'at' | 'parentAt' | 'ref'> & { element: ElementHandle }>[] {
  const located = documents.flatMap((document) =>
    partsOf(document).map(({ at, parentAt, ref, ...part }) => ({
      part: { ...part, element: toHandle(document.world, ref) },
      order: [...document.order, at],
      key: keyOf(document, at),
      parentKey: parentAt === null ? document.parentKey : keyOf(document, parentAt),
    })),
  );
  return located.sort((one, other) => compareOrder(one.order, other.order));
}

function compareOrder(one: readonly number[], other: readonly number[]): number {
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    const difference = (one[index] ?? -1) - (other[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
}
