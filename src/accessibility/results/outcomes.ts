import { join } from 'node:path';
import { z } from 'zod';
import { readCsv } from './csv.ts';
import { jsonLines } from './json-lines.ts';
import { createUntestedPages, type UntestedPages, untestedBy } from './untested.ts';
import type { FileProblem } from './walk.ts';

export type Outcome = 'scanned' | 'failed' | 'skipped' | 'blocked';

/** Pages that were found and not scanned, by reason. */
export interface MissedPages {
  outcome: Exclude<Outcome, 'scanned'>;
  reason: string;
  pages: number;
  examples: string[];
  /** That they could not be opened is among the findings. */
  is_finding: boolean;
}

export interface PageOutcomes {
  counts: Record<Outcome, number>;
  /** The reason with the most pages first. */
  missed: MissedPages[];
  /** What could not be tested on pages that were scanned. */
  partial: { what: string; pages: number }[];
  /** Those of them on which an audit or a rule has no result. */
  untested: UntestedPages;
  problems: FileProblem[];
}

const maxReasons = 40;
const maxExamples = 5;

const outcomeOf: Record<string, Outcome> = {
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

const reasons: Record<string, string> = {
  robots: 'robots.txt asks not to visit it',
  content_type: 'it is not an HTML page',
  out_of_scope: 'it lies outside of the scanned site',
  filtered: 'the configuration leaves it out',
  timeout: 'it did not load in time',
  status: 'the server answered with an error',
  anti_bot: 'a bot wall stood in the way',
};

export function asOutcome(text: string): Outcome {
  return outcomeOf[text.trim().toLowerCase()] ?? 'failed';
}

interface Ended {
  outcome: Outcome;
  reason: string;
}

/**
 * How each page ended. The native engine says so in its journal and in `crawl_audit.csv`; of a CWAC run it is put
 * together from its books: what was queued and left no result has failed. `scannedUrls` are the pages with any result,
 * `findings` those whose failure is a finding of its own.
 */
export async function readOutcomes(
  dir: string,
  scannedUrls: ReadonlySet<string>,
  signal?: AbortSignal,
  findings: ReadonlySet<string> = new Set(),
): Promise<PageOutcomes> {
  const pages = new Map<string, Ended>();
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
      // A page that was tried twice counts by its success.
      if (cell('outcome') === '' || pages.get(cell('url'))?.outcome === 'scanned') return;
      const reason = reasonOf(cell('outcome'), cell('status_code'), cell('description'));
      pages.set(cell('url'), { outcome: asOutcome(cell('outcome')), reason });
    });
  }
  if (pages.size === 0) {
    await read('audit_log.csv', (cell) => {
      pages.set(cell('url'), { outcome: 'failed', reason: 'it was visited, but no audit gave a result' });
    });
    await read('unexpected_response_codes.csv', (cell) => {
      pages.set(cell('url'), { outcome: 'failed', reason: reasonOf('status', cell('status_code'), '') });
    });
    await read('anti_bot.csv', (cell) => {
      pages.set(cell('url'), { outcome: 'blocked', reason: `blocked by ${cell('anti_bot_check') || 'a bot wall'}` });
    });
    for (const url of scannedUrls) pages.set(url, { outcome: 'scanned', reason: '' });
  }
  return { ...gather(pages, unvisited, findings), partial: mostOf(partial), untested, problems };
}

function reasonOf(outcome: string, status: string, description: string): string {
  if (outcome === 'status' && status !== '') return `the server answered ${status}`;
  return reasons[outcome] ?? (description || outcome.replaceAll('_', ' '));
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

interface Journal {
  /** Pages that were found and never visited, by site. */
  unvisited: { url: string; skipped: number; why: string }[];
  /** What could not be tested on pages that were scanned, with the number of pages. */
  partial: Map<string, number>;
  /** By the addresses that stand in the tables. */
  untested: UntestedPages;
}

async function readJournal(dir: string, pages: Map<string, Ended>, signal: AbortSignal | undefined): Promise<Journal> {
  const journal: Journal = { unvisited: [], partial: new Map(), untested: createUntestedPages() };
  for await (const line of jsonLines(join(dir, 'pages.jsonl'), signal)) {
    const entry = journalLine.safeParse(line).data;
    if (entry?.type === 'page') {
      pages.set(entry.url, { outcome: entry.outcome, reason: entry.why || reasonOf(entry.how, '', '') });
      for (const what of entry.outcome === 'scanned' ? entry.partial : []) {
        journal.partial.set(what, (journal.partial.get(what) ?? 0) + 1);
        const untested = untestedBy(what);
        if (untested) journal.untested.add(entry.final_url ?? entry.url, untested);
      }
    } else if (entry && entry.skipped > 0) journal.unvisited.push(entry);
  }
  return journal;
}

function mostOf(partial: ReadonlyMap<string, number>): PageOutcomes['partial'] {
  const list = [...partial].map(([what, pages]) => ({ what: what.slice(0, 300), pages }));
  return list.sort((a, b) => b.pages - a.pages || (a.what < b.what ? -1 : 1)).slice(0, maxReasons);
}

function gather(
  pages: ReadonlyMap<string, Ended>,
  unvisited: readonly { url: string; skipped: number; why: string }[],
  findings: ReadonlySet<string>,
): Pick<PageOutcomes, 'counts' | 'missed'> {
  const counts = { scanned: 0, failed: 0, skipped: 0, blocked: 0 };
  const missed = new Map<string, MissedPages>();
  const miss = (outcome: MissedPages['outcome'], text: string, url: string, number: number, is_finding = false) => {
    const reason = text.slice(0, 200);
    const key = `${outcome} ${is_finding} ${reason}`;
    const known = missed.get(key) ?? { outcome, reason, pages: 0, examples: [], is_finding };
    known.pages += number;
    if (known.examples.length < maxExamples) known.examples.push(url.slice(0, 500));
    missed.set(key, known);
  };
  for (const [url, { outcome, reason }] of [...pages].sort(([a], [b]) => (a < b ? -1 : 1))) {
    counts[outcome]++;
    if (outcome !== 'scanned') miss(outcome, reason, url, 1, findings.has(url));
  }
  for (const { url, skipped, why } of unvisited) {
    counts.skipped += skipped;
    miss('skipped', why || 'found, but not visited', url, skipped);
  }
  const ordered = [...missed.values()].sort((a, b) => b.pages - a.pages || (a.reason < b.reason ? -1 : 1));
  return { counts, missed: ordered.slice(0, maxReasons) };
}
