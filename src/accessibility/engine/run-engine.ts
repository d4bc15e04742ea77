import type { LookupFunction } from 'node:net';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { Agent } from 'undici';
import { type GuardProxy, startGuardProxy } from '../../platform/browser/guard-proxy.ts';
import { Failure, quote, systemReason } from '../../platform/errors.ts';
import { planAudits } from './audits/audit-plan.ts';
import { createHtmlValidator } from './audits/html-validator.ts';
import { createHostThrottle } from './crawl/host-throttle.ts';
import { createHttpRequester } from './crawl/http-requester.ts';
import { createRobotsCache } from './crawl/robots-cache.ts';
import { createSiteQueue } from './crawl/site-queue.ts';
import { readBaseUrls, readNoHeadUrls } from './input/base-urls.ts';
import {
  findUnknownPlugins,
  parseScanConfig,
  readJsonFile,
  readScanConfig,
  type ScanConfig,
} from './input/engine-config.ts';
import { findIgnoredSettings } from './input/ignored-settings.ts';
import { createKnownFindings } from './output/finding-details.ts';
import { createLoggingPrint, createResultsFolder, recordBrowser, recordEnd } from './output/results-folder.ts';
import { openResultsWriter } from './output/results-writer.ts';
import { TEMPLATE_AWARE_FILE, writeTemplateAwareTable } from './output/template-aware-table.ts';
import type { ScanContext } from './scan-context.ts';
import { initialScope, scanSites } from './scan-sites.ts';
import { createTabPool } from './visit/browser-tabs.ts';

export interface EngineOptions {
  /** Workspace folder in CWAC's layout: config/, base_urls/, results/. */
  root: string;
  configFile: string;
  /** Home folder of Assay; a downloaded browser is unpacked there. */
  home: string;
  print(line: string): void;
  signal: AbortSignal;
  /** Results folder of an interrupted scan to resume. */
  resume?: string;
  /** Rejects for an address that must not be visited. */
  checkAddress?: (url: string) => Promise<void>;
  /** DNS lookup for every connection; resolves only to addresses that may be visited. */
  lookup?: LookupFunction;
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
  dir: string,
  sites: ReturnType<typeof createSiteQueue>[],
): Promise<string> {
  const { checkAddress } = options;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const dispatcher = new Agent(options.lookup ? { connect: { lookup: options.lookup } } : {});
  const request = createHttpRequester({ userAgent: config.user_agent, signal, dispatcher, checkAddress });
  const workers = Math.min(availableParallelism(), config.thread_count);
  const hosts = createHostThrottle(workers, config.delay_between_page_loads * 1000);
  const results = await openResultsWriter(dir);
  const viewports = planAudits(config);
  let proxy: GuardProxy | undefined;
  if (checkAddress) proxy = await startGuardProxy(checkAddress, options.lookup);
  const withAxe = viewports.some(({ audits }) => audits.some(({ audit }) => audit.name === 'axe_core_audit'));
  const tabs = createTabPool({
    home: options.home,
    browserPath: config.chrome_binary_location === 'auto' ? undefined : config.chrome_binary_location,
    userAgent: config.user_agent,
    withAxe,
    proxy: proxy?.server,
  });
  const validator = createHtmlValidator();
  const parts: ScanContext = {
    config,
    resultsDir: dir,
    signal,
    viewports: viewports,
    request,
    robots: createRobotsCache({
      request,
      token: config.user_agent_product_token,
      limitMs: config.page_load_timeout * 1000,
      onCrawlDelay(host, seconds, asked) {
        if (!config.follow_robots_txt || seconds <= config.delay_between_page_loads) return;
        hosts.setMinimumGap(host, seconds * 1000);
        const kept = asked > seconds ? `, ${seconds} s are kept` : '';
        options.print(`robots.txt of ${host} asks for ${asked} s between pages${kept}.`);
      },
    }),
    checkAddress,
    noHead: await readNoHeadUrls(options.root, config),
    scopes: () => sites.map(({ scope }) => scope),
    initialScope: initialScope,
    knownFindings: createKnownFindings(results.findings),
    validator,
  };
  try {
    if (sites.length > 0) await recordBrowser(dir, await tabs.start());
    return await scanSites({
      scan: parts,
      sites,
      hosts,
      tabs,
      results,
      workers,
      print: options.print,
      halt: () => stop.abort(),
    });
  } finally {
    await Promise.all([tabs.close(), results.close()]);
    // Open keep-alive connections would keep the process running.
    await dispatcher.destroy();
    validator.close();
    proxy?.close();
  }
}
