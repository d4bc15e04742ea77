/**
 * `npm run bench -- scan [--pages 60] [--long 2000]`: pages a second, CPU seconds a page and peak memory of our engine with
 * axe only, at one and two workers, beside pa11y-ci with its axe runner, a naive loop with a new browser for each page, and
 * the floor (axe alone on loaded pages). `--long` scans that many pages more, for the memory. About five minutes; the long
 * run another twenty.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseJournal } from '../../src/accessibility/engine/output/scan-journal.ts';
import { findBrowser } from '../../src/platform/browser/installed-browser.ts';
import { scanWorkspace, testHome, type Workspace } from '../../test/sites/workspace.ts';
import { installPeers, peerProgram } from '../peers.ts';
import { median, printTable } from '../table.ts';
import { measure, type Usage } from './usage.ts';

const { values } = parseArgs({ options: { pages: { type: 'string', default: '60' }, long: { type: 'string' } } });
const pages = Number(values.pages);
/** How fast a machine is changes from minute to minute, so that ours and the floor are measured in turn. */
const ROUNDS = 3;
const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
installPeers();
execFileSync(process.execPath, [join(here, '../../scripts/build.ts')], { stdio: 'ignore' });
const found = await findBrowser({ env: process.env, home: testHome });
if (!found) throw new Error('there is no browser');
const env = { ...process.env, ...found.env, ASSAY_BROWSER: found.path, ASSAY_HOME: testHome };

try {
  await compare();
  if (values.long) await longRun(Number(values.long));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function serve(count: number): Promise<{ url: string; stop(): void }> {
  const child = spawn(process.execPath, [join(here, 'site.ts'), String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  process.once('exit', () => child.kill());
  return { url: String(line).trim(), stop: () => child.kill() };
}

async function ours(url: string, limit: number, workers: number, note?: Parameters<typeof measure>[3]): Promise<Usage> {
  await using workspace = await scanWorkspace([`${url}/`], {
    max_links_per_domain: limit,
    thread_count: workers,
    delay_between_page_loads: 0,
    delay_between_viewports: 0,
    delay_after_page_load: 0,
    crawl_sitemaps: false,
    viewport_sizes: { medium: { width: 1280, height: 1024 } },
    audit_plugins: { axe_core_audit: { class_name: 'AxeCoreAudit', 'best-practice': false, enabled: true } },
  });
  // The release build, as it is published: from source, every start would compile.
  const main = JSON.stringify(join(here, '../../dist/main.js'));
  const start = `import module from 'node:module'; module.enableCompileCache(); const { main } = await import(${main}); await main(process.argv.slice(1))`;
  const args = ['--input-type=module', '--eval', start, 'scan-engine', workspace.root, 'scan.json'];
  const usage = await measure(process.execPath, args, env, note);
  await checkScan(workspace, limit);
  return usage;
}

/** A rate counts only if every page was scanned, whole, and its faults were found. */
async function checkScan({ root, results, table }: Workspace, count: number): Promise<void> {
  const dir = join(root, 'results', (await results())[0] ?? '');
  const lines = parseJournal(readFileSync(join(dir, 'pages.jsonl'))).lines.filter((line) => line.type === 'page');
  const whole = new Set(
    lines.flatMap((line) => (line.outcome === 'scanned' && line.partial.length === 0 ? line.final_url : [])),
  );
  const tested = new Set((await table(dir, 'axe_core_audit')).map(({ url }) => url));
  if (whole.size === count && tested.size === count) return;
  const odd = lines.find((line) => line.outcome !== 'scanned' || line.partial.length > 0);
  const why = odd ? ` For one, ${odd.url}: ${odd.outcome} ${odd.why}${odd.partial.join('; ')}` : '';
  throw new Error(`of ${count} pages ${whole.size} were scanned whole and ${tested.size} have rows.${why}`);
}

async function pa11y(url: string): Promise<Usage> {
  const config = join(folder, 'pa11y.json');
  const urls = Array.from({ length: pages }, (_, n) => (n === 0 ? `${url}/` : `${url}/p${n}`));
  const chromeLaunchConfig = { executablePath: found?.path, args: ['--no-sandbox', '--disable-background-networking'] };
  // One at a time is its default, and more at once make it fail.
  writeFileSync(
    config,
    JSON.stringify({ defaults: { runners: ['axe'], timeout: 60_000, chromeLaunchConfig, concurrency: 1 }, urls }),
  );
  const usage = await measure(process.execPath, [peerProgram('pa11y-ci'), '--config', config, '--json'], env);
  // It ends before all of its answer is out, so that only the beginning can be counted on. A page that it could not test has
  // a message in place of its issues, and every page of the site has faults.
  const [, total, passes, errors] = /^\{"total":(\d+),"passes":(\d+),"errors":(\d+)/.exec(usage.output) ?? [];
  if (Number(total) !== pages || passes !== '0' || Number(errors) < 2 * pages)
    throw new Error(`pa11y-ci did not test ${pages} pages: ${usage.output.slice(0, 100)}`);
  return usage;
}

async function compare(): Promise<void> {
  const { url, stop } = await serve(pages);
  const script = (mode: string) =>
    measure(process.execPath, [join(here, 'floor.ts'), url, String(pages), mode, testHome], env);
  const floorCpu = async (mode: string) =>
    JSON.parse((await script(mode)).output.trim().split('\n').at(-1) ?? '{}').used;
  const one: Usage[] = [];
  const floors: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    one.push(await ours(url, pages, 1));
    floors.push(await floorCpu('floor'));
  }
  const two = await ours(url, pages, 2);
  const tuned = (await floorCpu('tuned-floor')) / pages;
  const peer = await pa11y(url);
  const naive = await script('naive');
  stop();
  const floor = median(floors) / pages;
  const used = median(one.map(({ cpuSeconds }) => cpuSeconds)) / pages;
  const rate = (usage: Usage) => pages / usage.wallSeconds;
  const row = (name: string, usage: Usage, cpu = usage.cpuSeconds / pages) => [
    name,
    rate(usage).toFixed(2),
    cpu.toFixed(2),
    usage.peakMegabytes.toFixed(0),
  ];
  const [first] = one;
  if (!first) throw new Error('nothing was measured');
  const times = rate(two) / rate(peer);
  printTable(
    `Scanning ${pages} pages with axe at 1280 × 1024`,
    ['', 'pages/s', 'CPU s/page', 'peak MB'],
    [
      row(`assay, 1 worker (CPU: median of ${ROUNDS})`, first, used),
      row('assay, 2 workers', two),
      row('pa11y-ci, axe runner, its defaults', peer),
      row('a new browser for each page', naive),
      [`floor: axe.run alone, pages loaded (median of ${ROUNDS})`, '', floor.toFixed(2), ''],
      ['the same in a browser with the flags of our scan', '', tuned.toFixed(2), ''],
    ],
    [
      `bar: at most 1.6 times the floor's CPU a page — ${verdict(used / floor, 1.6)}`,
      `bar: at least 4 times the rate of pa11y-ci — ${times.toFixed(1)} times, ${times >= 4 ? 'met' : 'MISSED'}`,
    ].join('\n'),
  );
}

function verdict(value: number, most: number): string {
  return `${value.toFixed(2)} times, ${value <= most ? 'met' : 'MISSED'}`;
}

async function longRun(count: number): Promise<void> {
  const { url, stop } = await serve(count);
  // Each over several pages, so that no sweep of the collector decides; and the last before the browser is closed.
  const window = Math.max(2, Math.round(count / 100));
  const first = Math.round(count / 10);
  const samples: Record<'early' | 'late', number[]> = { early: [], late: [] };
  const usage = await ours(url, count, 2, (line, megabytes) => {
    const done = Number(/^\[(\d+)\//.exec(line)?.[1] ?? 0);
    if (done >= first && done < first + window) samples.early.push(megabytes());
    if (done >= count - 2 - window && done < count - 2) samples.late.push(megabytes());
  });
  const [early, late] = [median(samples.early), median(samples.late)];
  stop();
  printTable(
    `Memory over ${count} pages`,
    ['', 'MB'],
    [
      [`after ${first} pages`, early.toFixed(0)],
      [`after ${count} pages`, late.toFixed(0)],
      ['peak', usage.peakMegabytes.toFixed(0)],
      ['pages/s', (count / usage.wallSeconds).toFixed(2)],
    ],
    `bar: within 20 % — ${verdict(late / early, 1.2)}`,
  );
}
