import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { Failure, quote, systemReason } from '../../platform/errors.ts';
import { createHostThrottle } from './crawl/host-throttle.ts';
import { createSiteQueue } from './crawl/site-queue.ts';
import { readBaseUrls } from './input/base-urls.ts';
import {
  findUnknownPlugins,
  parseScanConfig,
  readJsonFile,
  readScanConfig,
  type ScanConfig,
} from './input/engine-config.ts';
import { findIgnoredSettings } from './input/ignored-settings.ts';
import { openScan, type ScanEnvironment } from './open-scan.ts';
import { createLoggingPrint, createResultsFolder, recordBrowser, recordEnd } from './output/results-folder.ts';
import { openResultsWriter } from './output/results-writer.ts';
import { TEMPLATE_AWARE_FILE, writeTemplateAwareTable } from './output/template-aware-table.ts';
import { scanSites } from './scan-sites.ts';
import type { SliceVisitor } from './slices/slice-visitor.ts';

export interface EngineOptions extends ScanEnvironment {
  configFile: string;
  /** Results folder of an interrupted scan to resume. */
  resume?: string;
  /** Creates what has other workers visit pages too. */
  visitorFor?: (signal: AbortSignal) => SliceVisitor;
}

export interface EngineResult {
  /** 0: finished; 1: could not start or continue; 130: cancelled. */
  exitCode: number;
  resultsDir?: string;
}

/** Runs a scan from a configuration in a workspace to a results folder, or resumes an interrupted one. */
export async function runEngine(options: EngineOptions): Promise<EngineResult> {
  let resultsDir = options.resume;
  const end = (exitCode: number) => ({ exitCode, ...(resultsDir === undefined ? {} : { resultsDir }) });
  try {
    options.signal.throwIfAborted();
    const config = await loadConfig(options);
    const { sites, rejected } = await readBaseUrls(options.root, config);
    resultsDir ??= await createResultsFolder(options.root, config, new Date());
    const print = createLoggingPrint(resultsDir, options.print);
    print(`Assay accessibility scan: ${basename(resultsDir)}`);
    for (const { url, reason } of rejected) print(`Not scanned: ${quote(url)}: ${reason}`);
    for (const name of findUnknownPlugins(config)) print(`Unknown audit ${quote(name)} was not run.`);
    for (const { key, reason } of findIgnoredSettings(config)) print(`Ignored setting ${quote(key)}: ${reason}.`);
    print(`Number of websites to be scanned: ${sites.length}`);
    const made = sites.map((base, index) => createSiteQueue(index, base, config.max_links_per_domain));
    const closing = await runScan({ ...options, print }, config, resultsDir, made);
    await writeTemplateAwareTable(resultsDir).catch((error: unknown) => {
      print(`Cannot write ${TEMPLATE_AWARE_FILE}: ${systemReason(error)}.`);
    });
    print(closing);
    await recordEnd(resultsDir).catch(() => {});
    return end(0);
  } catch (error) {
    if (options.signal.aborted) {
      options.print('Cancelled. The results so far are kept; the scan can be resumed.');
      return end(130);
    }
    if (!(error instanceof Failure)) throw error;
    options.print(`Error: ${error.message}`);
    return end(1);
  }
}

/** A resumed scan uses the copy of the configuration in its results folder, not a newer one of the workspace. */
async function loadConfig({ root, configFile, resume }: EngineOptions): Promise<ScanConfig> {
  return resume === undefined
    ? readScanConfig(root, configFile)
    : parseScanConfig(await readJsonFile(join(resume, 'config.json')));
}

async function runScan(
  options: EngineOptions,
  config: ScanConfig,
  resultsDir: string,
  sites: ReturnType<typeof createSiteQueue>[],
): Promise<string> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const workers = Math.min(availableParallelism(), config.thread_count);
  const hosts = createHostThrottle(workers, config.delay_between_page_loads * 1000);
  const results = await openResultsWriter(resultsDir);
  try {
    const parts = { config, resultsDir, sites, hosts, findings: results.findings };
    await using opened = await openScan({ ...options, signal }, parts);
    const { scan, tabs } = opened;
    if (sites.length > 0) await recordBrowser(resultsDir, await tabs.start());
    const visitor = options.visitorFor?.(signal);
    const { print } = options;
    return await scanSites({ scan, sites, hosts, tabs, results, workers, visitor, print, halt: () => stop.abort() });
  } finally {
    await results.close();
  }
}
