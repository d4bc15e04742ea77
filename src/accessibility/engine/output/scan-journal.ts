import * as z from 'zod';

/** How a page ends. Every found page has exactly one outcome, so that the counts add up. */
export const outcomes = ['scanned', 'failed', 'skipped', 'blocked'] as const;
export type Outcome = (typeof outcomes)[number];

/** File sizes in bytes after the rows of this line were written. */
const files = z.record(z.string(), z.number());

const foundPage = z.object({ url: z.string(), parent: z.string() });

const pageLine = z.object({
  type: z.literal('page'),
  /** Index of the base URL in scan order. */
  site: z.number(),
  page_id: z.number(),
  /** The address as found; `final_url` is the address after redirects. */
  url: z.string(),
  final_url: z.string(),
  outcome: z.enum(outcomes),
  /** The outcome in crawl_audit.csv: audited, robots, status … */
  how: z.string(),
  why: z.string(),
  title: z.string(),
  /** Number of issues by audit. */
  issues: z.record(z.string(), z.number()),
  /** What could not be tested on a page that was scanned. */
  partial: z.array(z.string()),
  load_ms: z.number(),
  /** The failure is a sign that the whole site fails. */
  site_trouble: z.boolean(),
  /** New pages that this page links to, in order. */
  found: z.array(foundPage),
  /** The new scope of the site after a redirect of its base URL. */
  scope: z.object({ host: z.string(), path: z.string() }).optional(),
  files,
});
export type PageLine = z.infer<typeof pageLine>;

const siteLine = z.object({
  type: z.literal('site'),
  site: z.number(),
  url: z.string(),
  scanned: z.number(),
  /** Number of pages that were found and not visited; `why` is the reason. */
  skipped: z.number(),
  why: z.string(),
  files,
});
export type SiteLine = z.infer<typeof siteLine>;

export type JournalLine = PageLine | SiteLine;

const journalLine = z.discriminatedUnion('type', [pageLine, siteLine]);

/** Parses a journal; `ends` are the byte offsets of the line ends. Parsing stops at an incomplete or invalid line. */
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
