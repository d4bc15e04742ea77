import type { LookupFunction } from 'node:net';
import { Agent } from 'undici';
import { startGuardProxy } from '../../platform/browser/guard-proxy.ts';
import { planAudits } from './audits/audit-plan.ts';
import { createHtmlValidator } from './audits/html-validator.ts';
import type { HostThrottle } from './crawl/host-throttle.ts';
import { createHttpRequester } from './crawl/http-requester.ts';
import { createRobotsCache } from './crawl/robots-cache.ts';
import type { SiteQueue } from './crawl/site-queue.ts';
import { readNoHeadUrls } from './input/base-urls.ts';
import type { ScanConfig } from './input/engine-config.ts';
import { createKnownFindings, type KnownFinding } from './output/finding-details.ts';
import { initialScope, type ScanContext } from './scan-context.ts';
import { createTabPool, type TabPool } from './visit/browser-tabs.ts';

/** What a process that visits pages gets from its caller. */
export interface ScanEnvironment {
  /** Workspace folder in CWAC's layout: config/, base_urls/, results/. */
  root: string;
  /** Home folder of Assay; a downloaded browser is unpacked there. */
  home: string;
  print(line: string): void;
  signal: AbortSignal;
  /** Rejects for an address that must not be visited. */
  checkAddress?: (url: string) => Promise<void>;
  /** DNS lookup for every connection; resolves only to addresses that may be visited. */
  lookup?: LookupFunction;
}

interface OpenedScan extends AsyncDisposable {
  scan: ScanContext;
  tabs: TabPool;
}

interface ScanParts {
  config: ScanConfig;
  resultsDir: string;
  sites: readonly SiteQueue[];
  hosts: HostThrottle;
  /** Findings of earlier runs. */
  findings: readonly KnownFinding[];
}

/** Opens what visits of pages need: connections, robots.txt, the browser and the HTML validator. */
export async function openScan(
  { root, home, print, signal, checkAddress, lookup }: ScanEnvironment,
  { config, resultsDir, sites, hosts, findings }: ScanParts,
): Promise<OpenedScan> {
  const dispatcher = new Agent(lookup ? { connect: { lookup } } : {});
  const request = createHttpRequester({ userAgent: config.user_agent, signal, dispatcher, checkAddress });
  const viewports = planAudits(config);
  const proxy = checkAddress && (await startGuardProxy(checkAddress, lookup));
  const withAxe = viewports.some(({ audits }) => audits.some(({ audit }) => audit.name === 'axe_core_audit'));
  const tabs = createTabPool({
    home,
    browserPath: config.chrome_binary_location === 'auto' ? undefined : config.chrome_binary_location,
    userAgent: config.user_agent,
    withAxe,
    proxy: proxy?.server,
  });
  const validator = createHtmlValidator();
  const robots = createRobotsCache({
    request,
    token: config.user_agent_product_token,
    limitMs: config.page_load_timeout * 1000,
    onCrawlDelay(host, seconds, asked) {
      if (!config.follow_robots_txt || seconds <= config.delay_between_page_loads) return;
      hosts.setMinimumGap(host, seconds * 1000);
      const kept = asked > seconds ? `, ${seconds} s are kept` : '';
      print(`robots.txt of ${host} asks for ${asked} s between pages${kept}.`);
    },
  });
  const scan: ScanContext = {
    ...{ config, resultsDir, signal, viewports, request, robots, checkAddress, validator, initialScope },
    noHead: await readNoHeadUrls(root, config),
    scopes: () => sites.map(({ scope }) => scope),
    knownFindings: createKnownFindings(findings),
  };
  return {
    scan,
    tabs,
    async [Symbol.asyncDispose]() {
      await tabs.close();
      // Open keep-alive connections would keep the process running.
      await dispatcher.destroy();
      validator.close();
      proxy?.close();
    },
  };
}
