import { Failure } from '../../../platform/errors.ts';
import type { HttpRequester } from './http-requester.ts';
import { allowAll, parseRobots, type RobotsRules } from './robots-rules.ts';

/** Minimum that RFC 9309 requires crawlers to parse; the rest of a longer file is ignored. */
const MAX_BYTES = 500 * 1024;
/** Longer crawl delays are reduced to this: some sites ask for a day. */
const MAX_CRAWL_DELAY_S = 30;

interface RobotsCacheOptions {
  request: HttpRequester;
  token: string;
  limitMs: number;
  /** Called once for each host that sets a Crawl-delay. */
  onCrawlDelay(host: string, seconds: number, asked: number): void;
}

/**
 * Reads the rules of each origin once. By RFC 9309 a robots.txt that does not exist (4xx, too many redirects) allows everything,
 * and one that cannot be read now (5xx, network) forbids everything. In the second case the lookup throws the network error or a
 * Failure ROBOTS_UNREACHABLE, and the next page tries again.
 */
export function createRobotsCache(options: RobotsCacheOptions): (url: URL) => Promise<RobotsRules> {
  const { request, token, limitMs, onCrawlDelay } = options;
  const known = new Map<string, Promise<RobotsRules>>();

  async function read(origin: string): Promise<RobotsRules> {
    const answer = await request('GET', `${origin}/robots.txt`, limitMs).catch((error: unknown) => {
      if (error instanceof Failure) return undefined;
      throw error;
    });
    if (answer === undefined) return allowAll;
    if (answer.status >= 500) {
      await answer.discard();
      throw new Failure('site_failed', 'ROBOTS_UNREACHABLE', `robots.txt returned status ${answer.status}`);
    }
    if (answer.status !== 200 || (answer.contentType !== '' && !/^text\/plain\b/i.test(answer.contentType))) {
      await answer.discard();
      return allowAll;
    }
    return parseRobots(origin, (await answer.bodyStart(MAX_BYTES)).toString('utf8'), token);
  }

  async function readRules(url: URL): Promise<RobotsRules> {
    const rules = await read(url.origin);
    const { crawlDelay: asked } = rules;
    if (asked > 0) onCrawlDelay(url.host, Math.min(asked, MAX_CRAWL_DELAY_S), asked);
    return rules;
  }

  return (url) => {
    const { origin } = url;
    const rules = known.get(origin) ?? readRules(url);
    known.set(origin, rules);
    rules.catch(() => known.delete(origin));
    return rules;
  };
}
