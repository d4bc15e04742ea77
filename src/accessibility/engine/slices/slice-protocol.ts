import * as z from 'zod';
import { findingDetails, knownFinding } from '../output/finding-details.ts';
import { outcomes } from '../output/scan-journal.ts';

/** Pages of a slice at most. A worker that dies costs one slice. */
export const MAX_SLICE_PAGES = 50;

const scope = z.object({ host: z.string(), path: z.string() });

/** A page that another process visits. */
const slicedPage = z.object({
  /** Index of the site in the site list. */
  site: z.number(),
  position: z.number(),
  page_id: z.number(),
  url: z.string(),
  parent: z.string(),
});

/** Pages to visit one after another; those of a site in this order. */
export const scanSlice = z.object({
  pages: z.array(slicedPage).min(1).max(MAX_SLICE_PAGES),
  /** Sites whose base URL has redirected elsewhere. */
  moved: z.array(z.object({ site: z.number(), scope })),
  /** Sites whose last pages failed, with the number of these. */
  failing: z.array(z.object({ site: z.number(), failures: z.number() })),
  /** Milliseconds between two page starts on a host. */
  gaps: z.array(z.object({ host: z.string(), ms: z.number() })),
  /** Findings so far: each gets a screenshot once, and each rule a few. */
  known: z.array(knownFinding),
});
export type ScanSlice = z.output<typeof scanSlice>;

const cell = z.union([z.string(), z.number()]);

/** The result of one page. Its links are followed by the process that has the frontier of the scan. */
export const slicedVisit = z.object({
  page_id: z.number(),
  /** Redirect targets that the visit has claimed: key and address. */
  claims: z.array(z.tuple([z.string(), z.string()])),
  visit: z.object({
    outcome: z.enum(outcomes),
    crawlOutcome: z.string(),
    reason: z.string(),
    finalUrl: z.string(),
    status: z.number(),
    contentType: z.string(),
    title: z.string(),
    loadMs: z.number(),
    rows: z.record(z.string(), z.array(z.record(z.string(), cell))),
    findings: z.array(findingDetails),
    issues: z.record(z.string(), z.number()),
    partial: z.array(z.string()),
    links: z.array(z.object({ url: z.string(), parent: z.string() })),
    scope: scope.optional(),
    health: z.enum(['good', 'trouble', 'unknown']),
    isSiteFailure: z.boolean(),
  }),
});
export type SlicedVisit = z.output<typeof slicedVisit>;

/** One line for each page of a slice, in the folder of its results. */
export const VISITS_FILE = 'visits.jsonl';
/** The folder with the files of one page, in the folder of the results. */
export const pageFolder = (pageId: number) => `page-${pageId}`;

/** From the engine to the process that started it: visit these pages somewhere. */
export const sliceRequest = z.object({ type: z.literal('slice'), number: z.number(), slice: scanSlice });
export type SliceRequest = z.output<typeof sliceRequest>;

/** The answer: a folder with the results, or null if no worker has visited the pages. */
export const sliceAnswer = z.object({
  type: z.literal('slice-end'),
  number: z.number(),
  folder: z.string().nullable(),
});
export type SliceAnswer = z.output<typeof sliceAnswer>;
