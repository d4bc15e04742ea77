import type { Scope } from './addresses.ts';
import type { Audit, View } from './audits/audit.ts';
import type { PluginSettings, ScanConfig } from './config.ts';
import type { KnownFindings } from './findings.ts';
import type { HtmlValidator } from './html-validator.ts';
import type { Requester } from './requests.ts';
import type { Robots } from './robots.ts';
import type { Site } from './site.ts';

/** What the parts of a running scan share. */
export interface Scan {
  config: ScanConfig;
  dir: string;
  signal: AbortSignal;
  views: readonly ScanView[];
  request: Requester;
  robots(url: URL): Promise<Robots>;
  checkAddress: ((url: string) => Promise<void>) | undefined;
  /** Base URLs that are asked by GET alone. */
  noHead: ReadonlySet<string>;
  scopes(): Scope[];
  /** The scope that a site had by its base URL. */
  firstScope(site: Site): Scope;
  known: KnownFindings;
  validator: HtmlValidator;
}

/** A viewport with the audits that run in it, in their order. */
export interface ScanView extends View {
  audits: readonly { audit: Audit; settings: PluginSettings }[];
}
