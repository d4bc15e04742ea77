import type { Audit, Viewport } from './audits/audit.ts';
import type { HtmlValidator } from './audits/html-validator.ts';
import type { HttpRequester } from './crawl/http-requester.ts';
import { type SiteScope, siteScope } from './crawl/page-address.ts';
import type { RobotsRules } from './crawl/robots-rules.ts';
import type { SiteQueue } from './crawl/site-queue.ts';
import type { PluginSettings, ScanConfig } from './input/engine-config.ts';
import type { KnownFindings } from './output/finding-details.ts';

/** Services and settings that the steps of a running scan share. */
export interface ScanContext {
  config: ScanConfig;
  resultsDir: string;
  signal: AbortSignal;
  viewports: readonly AuditedViewport[];
  request: HttpRequester;
  robots(url: URL): Promise<RobotsRules>;
  checkAddress: ((url: string) => Promise<void>) | undefined;
  /** Base URLs whose servers get GET requests only. */
  noHead: ReadonlySet<string>;
  scopes(): SiteScope[];
  /** The scope of a site before a redirect of its base URL moved it. */
  initialScope(site: SiteQueue): SiteScope;
  knownFindings: KnownFindings;
  validator: HtmlValidator;
}

/** A viewport with the audits that run in it, in order. */
export interface AuditedViewport extends Viewport {
  audits: readonly { audit: Audit; settings: PluginSettings }[];
}

export function initialScope(site: SiteQueue): SiteScope {
  return siteScope(new URL(site.base.url));
}
