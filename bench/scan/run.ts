/**
 * `npm run bench -- scan [--pages 60] [--long 2000]`: pages per second, CPU seconds per page and peak memory of the native engine
 * with axe only, with one and two workers. It is compared with pa11y-ci (axe runner), a loop with a new browser per page, and the
 * floor (axe alone on loaded pages). `--long` then scans that many pages to measureProcess memory. Takes about five minutes; 2000 pages
 * take twenty more.
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
import { measureProcess, type ProcessUsage } from './process-usage.ts';

const { values } = parseArgs({ options: { pages: { type: 'string', default: '60' }, long: { type: 'string' } } });
const pages = Number(values.pages);
/** The engine and the floor are measured alternately, because the speed of a machine changes over time. */
const ROUNDS = 3;
const here = import.meta.dirname;
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
installPeers();
execFileSync(process.execPath, [join(here, '../../scripts/build.ts')], { stdio: 'ignore' });
const found = await findBrowser({ env: process.env, home: testHome });
if (!found) throw new Error('No browser found; see assay doctor');
const env = { ...process.env, ...found.env, ASSAY_BROWSER: found.path, ASSAY_HOME: testHome };

try {
  await compare();
  if (values.long) await longRun(Number(values.long));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function serve(count: number): Promise<{ url: string; stop(): void }> {
  const child = spawn(process.execPath, [join(here, 'generated-site.ts'), String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  process.once('exit', () => child.kill());
  return { url: String(line).trim(), stop: () => child.kill() };
}

async function scanWithAssay(
  url: string,
  limit: number,
  workers: number,
  note?: Parameters<typeof measureProcess>[3],
): Promise<ProcessUsage> {
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
  // Measures the release build, because a start from source includes compilation.
  const main = JSON.stringify(join(here, '../../dist/main.js'));
  const start = `import module from 'node:module'; module.enableCompileCache(); const { main } = await import(${main}); await main(process.argv.slice(1))`;
  const args = ['--input-type=module', '--eval', start, 'scan-engine', workspace.root, 'scan.json'];
  const usage = await measureProcess(process.execPath, args, env, note);
  await checkScan(workspace, limit);
  return usage;
}

/** Throws unless every page was fully scanned and has results; otherwise the rate would be meaningless. */
async function checkScan({ root, results, table }: Workspace, count: number): Promise<void> {
  const dir = join(root, 'results', (await results())[0] ?? '');
  const lines = parseJournal(readFileSync(join(dir, 'pages.jsonl'))).lines.filter((line) => line.type === 'page');
  const fullyScanned = new Set(
    lines.flatMap((line) => (line.outcome === 'scanned' && line.partial.length === 0 ? line.final_url : [])),
  );
  const tested = new Set((await table(dir, 'axe_core_audit')).map(({ url }) => url));
  if (fullyScanned.size === count && tested.size === count) return;
  const failed = lines.find((line) => line.outcome !== 'scanned' || line.partial.length > 0);
  const why = failed ? ` For example ${failed.url}: ${failed.outcome} ${failed.why}${failed.partial.join('; ')}` : '';
  throw new Error(`Of ${count} pages, ${fullyScanned.size} were fully scanned and ${tested.size} have rows.${why}`);
}

async function scanWithPa11y(url: string): Promise<ProcessUsage> {
  const config = join(folder, 'pa11y.json');
  const urls = Array.from({ length: pages }, (_, n) => (n === 0 ? `${url}/` : `${url}/p${n}`));
  const chromeLaunchConfig = { executablePath: found?.path, args: ['--no-sandbox', '--disable-background-networking'] };
  // Concurrency 1 is the default of pa11y-ci; higher values make it fail.
  writeFileSync(
    config,
    JSON.stringify({ defaults: { runners: ['axe'], timeout: 60_000, chromeLaunchConfig, concurrency: 1 }, urls }),
  );
  const usage = await measureProcess(process.execPath, [peerProgram('pa11y-ci'), '--config', config, '--json'], env);
  // pa11y-ci exits before its fullyScanned output is written, so only the beginning is reliable. A page that it could not test has a
  // message instead of issues, and every page of the site has issues.
  const [, total, passes, errors] = /^\{"total":(\d+),"passes":(\d+),"errors":(\d+)/.exec(usage.output) ?? [];
  if (Number(total) !== pages || passes !== '0' || Number(errors) < 2 * pages)
    throw new Error(`pa11y-ci did not test ${pages} pages: ${usage.output.slice(0, 100)}`);
  return usage;
}

async function compare(): Promise<void> {
  const { url, stop } = await serve(pages);
  const script = (mode: string) =>
    measureProcess(process.execPath, [join(here, 'axe-floor.ts'), url, String(pages), mode, testHome], env);
  const floorCpu = async (mode: string) =>
    JSON.parse((await script(mode)).output.trim().split('\n').at(-1) ?? '{}').used;
  const one: ProcessUsage[] = [];
  const floors: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    one.push(await scanWithAssay(url, pages, 1));
    floors.push(await floorCpu('floor'));
  }
  const two = await scanWithAssay(url, pages, 2);
  const tuned = (await floorCpu('tuned-floor')) / pages;
  const peer = await scanWithPa11y(url);
  const naive = await script('naive');
  stop();
  const floor = median(floors) / pages;
  const used = median(one.map(({ cpuSeconds }) => cpuSeconds)) / pages;
  const rate = (usage: ProcessUsage) => pages / usage.wallSeconds;
  const row = (name: string, usage: ProcessUsage, cpu = usage.cpuSeconds / pages) => [
    name,
    rate(usage).toFixed(2),
    cpu.toFixed(2),
    usage.peakMegabytes.toFixed(0),
  ];
  const [first] = one;
  if (!first) throw new Error('No round was measured');
  const times = rate(two) / rate(peer);
  printTable(
    `Scanning ${pages} pages with axe at 1280 × 1024`,
    ['', 'pages/s', 'CPU s/page', 'peak MB'],
    [
      row(`assay, 1 worker (CPU: median of ${ROUNDS})`, first, used),
      row('assay, 2 workers', two),
      row('pa11y-ci, axe runner, its defaults', peer),
      row('new browser for each page', naive),
      [`floor: axe.run alone on loaded pages (median of ${ROUNDS})`, '', floor.toFixed(2), ''],
      ['floor with the browser flags of the scan', '', tuned.toFixed(2), ''],
    ],
    [
      `target: at most 1.6 times the CPU of the floor — ${verdict(used / floor, 1.6)}`,
      `target: at least 4 times the rate of pa11y-ci — ${times.toFixed(1)} times, ${times >= 4 ? 'met' : 'MISSED'}`,
    ].join('\n'),
  );
}

function verdict(value: number, most: number): string {
  return `${value.toFixed(2)} times, ${value <= most ? 'met' : 'MISSED'}`;
}

async function longRun(count: number): Promise<void> {
  const { url, stop } = await serve(count);
  // Medians over several pages, so that a garbage collection does not distort them. The last sample precedes the browser's close.
  const window = Math.max(2, Math.round(count / 100));
  const first = Math.round(count / 10);
  const samples: Record<'early' | 'late', number[]> = { early: [], late: [] };
  const usage = await scanWithAssay(url, count, 2, (line, megabytes) => {
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
    `target: at most 1.2 times — ${verdict(late / early, 1.2)}`,
  );
}
