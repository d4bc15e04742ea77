import { join } from 'node:path';
import * as z from 'zod';
import { readCsv } from './csv-reader.ts';
import { readJsonLines } from './json-lines.ts';
import type { FileProblem } from './results-walk.ts';
import { createUntestedPages, parseUntestedCheck, type UntestedPages } from './untested-checks.ts';

export type PageOutcome = 'scanned' | 'failed' | 'skipped' | 'blocked';

/** Pages that were found and not scanned, by reason. */
export interface MissedPages {
  outcome: Exclude<PageOutcome, 'scanned'>;
  reason: string;
  pages: number;
  examples: string[];
  /** The findings already report that these pages could not be opened. */
  is_finding: boolean;
}

export interface OutcomeSummary {
  counts: Record<PageOutcome, number>;
  /** Sorted by number of pages, descending. */
  missed: MissedPages[];
  /** Checks that could not run on scanned pages. */
  partial: { what: string; pages: number }[];
  /** Scanned pages on which an audit or a rule has no result. */
  untested: UntestedPages;
  problems: FileProblem[];
}

const MAX_REASONS = 40;
const MAX_EXAMPLES = 5;

const outcomeByName: Record<string, PageOutcome> = {
  audited: 'scanned',
  scanned: 'scanned',
  ok: 'scanned',
  robots: 'blocked',
  content_type: 'skipped',
  out_of_scope: 'skipped',
  filtered: 'skipped',
  skipped: 'skipped',
  duplicate: 'skipped',
  redirect: 'skipped',
  limit: 'skipped',
  abandoned: 'skipped',
  not_html: 'skipped',
  download: 'skipped',
  anti_bot: 'blocked',
  blocked: 'blocked',
  address: 'blocked',
};

const reasonByName: Record<string, string> = {
  robots: 'disallowed by robots.txt',
  content_type: 'not an HTML page',
  out_of_scope: 'outside of the scanned site',
  filtered: 'excluded by the configuration',
  timeout: 'did not load within the time limit',
  status: 'the server returned an error',
  anti_bot: 'blocked by a bot wall',
};

export function toPageOutcome(text: string): PageOutcome {
  return outcomeByName[text.trim().toLowerCase()] ?? 'failed';
}

interface PageEnd {
  outcome: PageOutcome;
  reason: string;
}

/**
 * Reads the outcome of each page. The native engine writes it to its journal and to `crawl_audit.csv`. For CWAC it is derived
 * from its log tables: a queued page without a result has failed. `scannedUrls` are the pages with a result, `findings` those
 * whose failure is itself a finding.
 */
export async function readPageOutcomes(
  dir: string,
  scannedUrls: ReadonlySet<string>,
  signal?: AbortSignal,
  findings: ReadonlySet<string> = new Set(),
): Promise<OutcomeSummary> {
  const pages = new Map<string, PageEnd>();
  const { unvisited, partial, untested } = await readJournal(dir, pages, signal);
  const problems: FileProblem[] = [];
  const read = async (file: string, take: (cell: (column: string) => string) => void) => {
    let there = false;
    const rows = (header: readonly string[]) => {
      there = true;
      return (cells: readonly string[]) => take((column) => cells[header.indexOf(column)] ?? '');
    };
    const { problem } = await readCsv(join(dir, file), rows, signal);
    if (problem !== undefined && there) problems.push({ file, problem });
  };

  if (pages.size === 0) {
    await read('crawl_audit.csv', (cell) => {
      // A page with a failed and a successful attempt counts as scanned.
      if (cell('outcome') === '' || pages.get(cell('url'))?.outcome === 'scanned') return;
      const reason = describeReason(cell('outcome'), cell('status_code'), cell('description'));
      pages.set(cell('url'), { outcome: toPageOutcome(cell('outcome')), reason });
    });
  }
  if (pages.size === 0) {
    await read('audit_log.csv', (cell) => {
      pages.set(cell('url'), { outcome: 'failed', reason: 'visited, but no audit produced a result' });
    });
    await read('unexpected_response_codes.csv', (cell) => {
      pages.set(cell('url'), { outcome: 'failed', reason: describeReason('status', cell('status_code'), '') });
    });
    await read('anti_bot.csv', (cell) => {
      pages.set(cell('url'), { outcome: 'blocked', reason: `blocked by ${cell('anti_bot_check') || 'a bot wall'}` });
    });
    for (const url of scannedUrls) pages.set(url, { outcome: 'scanned', reason: '' });
  }
  return { ...countOutcomes(pages, unvisited, findings), partial: mostFrequent(partial), untested, problems };
}

function describeReason(outcome: string, status: string, description: string): string {
  if (outcome === 'status' && status !== '') return `the server returned ${status}`;
  return reasonByName[outcome] ?? (description || outcome.replaceAll('_', ' '));
}

const journalLine = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('page'),
    url: z.string(),
    final_url: z.string().optional(),
    outcome: z.enum(['scanned', 'failed', 'skipped', 'blocked']),
    how: z.string().default(''),
    why: z.string().default(''),
    partial: z.array(z.string()).default([]),
  }),
  z.object({ type: z.literal('site'), url: z.string(), skipped: z.number().default(0), why: z.string().default('') }),
]);

interface JournalSummary {
  /** Number of pages that were found and not visited, by site. */
  unvisited: { url: string; skipped: number; why: string }[];
  /** Checks that could not run on scanned pages, with the number of pages. */
  partial: Map<string, number>;
  /** Keyed by the page addresses of the tables. */
  untested: UntestedPages;
}

async function readJournal(
  dir: string,
  pages: Map<string, PageEnd>,
  signal: AbortSignal | undefined,
): Promise<JournalSummary> {
  const journal: JournalSummary = { unvisited: [], partial: new Map(), untested: createUntestedPages() };
  for await (const line of readJsonLines(join(dir, 'pages.jsonl'), signal)) {
    const entry = journalLine.safeParse(line).data;
    if (entry?.type === 'page') {
      pages.set(entry.url, { outcome: entry.outcome, reason: entry.why || describeReason(entry.how, '', '') });
      for (const what of entry.outcome === 'scanned' ? entry.partial : []) {
        journal.partial.set(what, (journal.partial.get(what) ?? 0) + 1);
        const untested = parseUntestedCheck(what);
        if (untested) journal.untested.add(entry.final_url ?? entry.url, untested);
      }
    } else if (entry && entry.skipped > 0) journal.unvisited.push(entry);
  }
  return journal;
}

function mostFrequent(partial: ReadonlyMap<string, number>): OutcomeSummary['partial'] {
  const list = [...partial].map(([what, pages]) => ({ what: what.slice(0, 300), pages }));
  return list.sort((a, b) => b.pages - a.pages || (a.what < b.what ? -1 : 1)).slice(0, MAX_REASONS);
}

function countOutcomes(
  pages: ReadonlyMap<string, PageEnd>,
  unvisited: readonly { url: string; skipped: number; why: string }[],
  findings: ReadonlySet<string>,
): Pick<OutcomeSummary, 'counts' | 'missed'> {
  const counts = { scanned: 0, failed: 0, skipped: 0, blocked: 0 };
  const missed = new Map<string, MissedPages>();
  const addMissed = (
    outcome: MissedPages['outcome'],
    text: string,
    url: string,
    number: number,
    is_finding = false,
  ) => {
    const reason = text.slice(0, 200);
    const key = `${outcome} ${is_finding} ${reason}`;
    const known = missed.get(key) ?? { outcome, reason, pages: 0, examples: [], is_finding };
    known.pages += number;
    if (known.examples.length < MAX_EXAMPLES) known.examples.push(url.slice(0, 500));
    missed.set(key, known);
  };
  for (const [url, { outcome, reason }] of [...pages].sort(([a], [b]) => (a < b ? -1 : 1))) {
    counts[outcome]++;
    if (outcome !== 'scanned') addMissed(outcome, reason, url, 1, findings.has(url));
  }
  for (const { url, skipped, why } of unvisited) {
    counts.skipped += skipped;
    addMissed('skipped', why || 'found, but not visited', url, skipped);
  }
  const ordered = [...missed.values()].sort((a, b) => b.pages - a.pages || (a.reason < b.reason ? -1 : 1));
  return { counts, missed: ordered.slice(0, MAX_REASONS) };
}
