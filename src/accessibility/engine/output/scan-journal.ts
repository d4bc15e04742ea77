import { z } from 'zod';

/** How a page ends. Every page that is found ends as one of these, so that the numbers add up. */
export const outcomes = ['scanned', 'failed', 'skipped', 'blocked'] as const;
export type Outcome = (typeof outcomes)[number];

/** Bytes that a file had once the line's rows were in it. */
const files = z.record(z.string(), z.number());

const foundPage = z.object({ url: z.string(), parent: z.string() });

const pageLine = z.object({
  type: z.literal('page'),
  /** Number of the base URL in the scan's order. */
  site: z.number(),
  page_id: z.number(),
  /** The address as it was found, and where it led. */
  url: z.string(),
  final_url: z.string(),
  outcome: z.enum(outcomes),
  /** One word of crawl_audit.csv: audited, robots, status … */
  how: z.string(),
  why: z.string(),
  title: z.string(),
  /** Issues by audit. */
  issues: z.record(z.string(), z.number()),
  /** What could not be tested on a page that was scanned. */
  partial: z.array(z.string()),
  load_ms: z.number(),
  /** The page failed in a way that speaks against its whole site. */
  site_trouble: z.boolean(),
  /** Pages that were first seen here, in their order. */
  found: z.array(foundPage),
  /** The site's scope, where its base URL led out of the one that it had. */
  scope: z.object({ host: z.string(), path: z.string() }).optional(),
  files,
});
export type PageLine = z.infer<typeof pageLine>;

const siteLine = z.object({
  type: z.literal('site'),
  site: z.number(),
  url: z.string(),
  scanned: z.number(),
  /** Pages that were found and not visited, with the reason. */
  skipped: z.number(),
  why: z.string(),
  files,
});
export type SiteLine = z.infer<typeof siteLine>;

export type JournalLine = PageLine | SiteLine;

const journalLine = z.discriminatedUnion('type', [pageLine, siteLine]);

/** Reads a journal; `ends` are the bytes where its lines end. A last line that was cut by a kill is passed over. */
export function parseJournal(bytes: Buffer): { lines: JournalLine[]; ends: number[] } {
  const lines: JournalLine[] = [];
  const ends: number[] = [];
  let length = 0;
  for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, length)) {
    const parsed = parseLine(bytes.toString('utf8', length, end));
    if (!parsed) break;
    lines.push(parsed);
    length = end + 1;
    ends.push(length);
  }
  return { lines, ends };
}

function parseLine(text: string): JournalLine | undefined {
  try {
    return journalLine.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
