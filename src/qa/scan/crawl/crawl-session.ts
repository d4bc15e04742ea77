import type { RunContext } from '../../runs/run-context.ts';
import type { UsageMeter } from '../../runs/usage-meter.ts';
import type { GuardedContext } from '../guard/guarded-context.ts';
import type { Crawl, CrawlLimits } from './crawl-state.ts';

/** State and services of one crawl, shared by crawling, expanding and signing in. */
export interface CrawlSession {
  runContext: Pick<RunContext, 'secrets' | 'saveArtifact' | 'checkpoint' | 'progress' | 'signal'>;
  crawl: Crawl;
  guarded: GuardedContext;
  start: URL;
  limits: CrawlLimits;
  /** Counts opened pages and steps. */
  meter: Pick<UsageMeter, 'pages' | 'steps'>;
  /** Seconds used so far, including earlier attempts. */
  seconds(): number;
  /** Note on why the secrets may not be used on this site; undefined if they may. */
  loginRefusal?: string | undefined;
  /** Reads the URLs of the sitemap. */
  readSitemap?(origin: string): Promise<URL[]>;
  /** Called once, after the first page was recorded. */
  onFirstPage?(): Promise<void>;
}
