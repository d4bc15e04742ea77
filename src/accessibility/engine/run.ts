import type { LookupFunction } from 'node:net';
import { availableParallelism } from 'node:os';
import { basename, join } from 'node:path';
import { Agent } from 'undici';
import { type GuardProxy, startGuardProxy } from '../../platform/browser/guard-proxy.ts';
import { Failure, quote, systemReason } from '../../platform/errors.ts';
import { viewsOf } from './audits/all.ts';
import { readBaseUrls, readNoHead } from './base-urls.ts';
import { parseConfig, readConfig, readJson, type ScanConfig, unknownPlugins } from './config.ts';
import { knownFindings } from './findings.ts';
import { createHosts } from './hosts.ts';
import { createHtmlValidator } from './html-validator.ts';
import { ignoredKeys } from './ignored-keys.ts';
import { createLanes } from './lanes.ts';
import { createRequester } from './requests.ts';
import { openResults } from './results.ts';
import { alsoToLog, createResultsFolder, noteBrowser, noteEnd } from './results-folder.ts';
import { createRobotsCache } from './robots-cache.ts';
import { firstScope, scanSites } from './scan.ts';
import type { Scan } from './scan-parts.ts';
import { createSite } from './site.ts';
import { TEMPLATE_AWARE_FILE, writeTemplateAware } from './template-aware.ts';

export interface EngineOptions {
  /** The workspace: config/, base_urls/, results/. */
  root: string;
  configFile: string;
  /** Where a browser may be unpacked to. */
  home: string;
  print(line: string): void;
  signal: AbortSignal;
  /** A results folder to go on with. */
  resume?: string;
  /** Rejects for an address that may not be visited. */
  checkAddress?: (url: string) => Promise<void>;
  /** Finds only addresses that may be visited, for every connection that is made. */
  lookup?: LookupFunction;
}

export interface EngineEnd {
  /** 0 finished, 1 could not run or go on, 130 cancelled. */
  exitCode: number;
  resultsDir?: string;
}

/** Runs a scan from a configuration in a workspace to a results folder, or goes on with one that was cut short. */
export async function runEngine(options: EngineOptions): Promise<EngineEnd> {
  let resultsDir = options.resume;
  const end = (exitCode: number) => ({ exitCode, ...(resultsDir === undefined ? {} : { resultsDir }) });
  try {
    options.signal.throwIfAborted();
    const config = await configOf(options);
    const { sites, refused } = await readBaseUrls(options.root, config);
    resultsDir ??= await createResultsFolder(options.root, config, new Date());
    const print = alsoToLog(resultsDir, options.print);
    print(`Assay accessibility scan: ${basename(resultsDir)}`);
    for (const { url, why } of refused) print(`Not scanned: ${quote(url)}: ${why}`);
    for (const name of unknownPlugins(config)) print(`Unknown audit ${quote(name)} is not run.`);
    for (const { key, why } of ignoredKeys(config)) print(`Ignored in the configuration: ${quote(key)}: ${why}.`);
    print(`Number of websites to be scanned: ${sites.length}`);
    const made = sites.map((base, index) => createSite(index, base, config.max_links_per_domain));
    const closing = await scan({ ...options, print }, config, resultsDir, made);
    await writeTemplateAware(resultsDir).catch((error: unknown) => {
      print(`Cannot write ${TEMPLATE_AWARE_FILE}: ${systemReason(error)}.`);
    });
    print(closing);
    await noteEnd(resultsDir).catch(() => {});
    return end(0);
  } catch (error) {
    if (options.signal.aborted) {
      options.print('Cancelled. What was scanned is kept; the scan can go on from here.');
      return end(130);
    }
    if (!(error instanceof Failure)) throw error;
    options.print(`Error: ${error.message}`);
    return end(1);
  }
}

/** A scan that goes on does so with the configuration that it began with. */
async function configOf({ root, configFile, resume }: EngineOptions): Promise<ScanConfig> {
  return resume === undefined ? readConfig(root, configFile) : parseConfig(await readJson(join(resume, 'config.json')));
}

async function scan(
  options: EngineOptions,
  config: ScanConfig,
  dir: string,
  sites: ReturnType<typeof createSite>[],
): Promise<string> {
  const { checkAddress } = options;
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  const dispatcher = new Agent(options.lookup ? { connect: { lookup: options.lookup } } : {});
  const request = createRequester({ userAgent: config.user_agent, signal, dispatcher, checkAddress });
  const workers = Math.min(availableParallelism(), config.thread_count);
  const hosts = createHosts(workers, config.delay_between_page_loads * 1000);
  const results = await openResults(dir);
  const views = viewsOf(config);
  let proxy: GuardProxy | undefined;
  if (checkAddress) proxy = await startGuardProxy(checkAddress, options.lookup);
  const withAxe = views.some(({ audits }) => audits.some(({ audit }) => audit.name === 'axe_core_audit'));
  const lanes = createLanes({
    home: options.home,
    browserPath: config.chrome_binary_location === 'auto' ? undefined : config.chrome_binary_location,
    userAgent: config.user_agent,
    withAxe,
    proxy: proxy?.server,
  });
  const validator = createHtmlValidator();
  const parts: Scan = {
    config,
    dir,
    signal,
    views,
    request,
    robots: createRobotsCache({
      request,
      token: config.user_agent_product_token,
      limitMs: config.page_load_timeout * 1000,
      keepApart(host, seconds, asked) {
        if (!config.follow_robots_txt || seconds <= config.delay_between_page_loads) return;
        hosts.keepApart(host, seconds * 1000);
        const kept = asked > seconds ? `, ${seconds} s are kept` : '';
        options.print(`robots.txt of ${host} asks for ${asked} s between pages${kept}.`);
      },
    }),
    checkAddress,
    noHead: await readNoHead(options.root, config),
    scopes: () => sites.map(({ scope }) => scope),
    firstScope,
    known: knownFindings(results.findings),
    validator,
  };
  try {
    if (sites.length > 0) await noteBrowser(dir, await lanes.start());
    return await scanSites({
      scan: parts,
      sites,
      hosts,
      lanes,
      results,
      workers,
      print: options.print,
      halt: () => stop.abort(),
    });
  } finally {
    await Promise.all([lanes.close(), results.close()]);
    // Connections that are kept alive would keep the process alive too.
    await dispatcher.destroy();
    validator.close();
    proxy?.close();
  }
}
