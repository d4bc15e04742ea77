import type { Requester } from './requests.ts';
import { allowAll, parseRobots, type Robots } from './robots.ts';

const MOST_BYTES = 500 * 1024;
/** A site may ask for a day between pages; more than this, which others keep too, would be no scan at all. */
const LONGEST_CRAWL_DELAY_S = 30;

interface MannersOptions {
  request: Requester;
  token: string;
  limitMs: number;
  /** Called once for each host that asks for time between its pages. */
  keepApart(host: string, seconds: number, asked: number): void;
}

/** The rules of each origin, read once. Whoever has none, or none that can be read, allows everything. */
export function createManners({ request, token, limitMs, keepApart }: MannersOptions): (url: URL) => Promise<Robots> {
  const known = new Map<string, Promise<Robots>>();

  async function read(origin: string): Promise<Robots> {
    try {
      const answer = await request('GET', `${origin}/robots.txt`, limitMs);
      if (answer.status !== 200 || (answer.contentType !== '' && !/^text\/plain\b/i.test(answer.contentType))) {
        await answer.discard();
        return allowAll;
      }
      const bytes = await answer.body(MOST_BYTES);
      return bytes ? parseRobots(bytes.toString('utf8').replace(/^\uFEFF/, ''), token) : allowAll;
    } catch {
      return allowAll;
    }
  }

  async function heed(url: URL): Promise<Robots> {
    const rules = await read(url.origin);
    const { crawlDelay: asked } = rules;
    if (asked > 0) keepApart(url.host, Math.min(asked, LONGEST_CRAWL_DELAY_S), asked);
    return rules;
  }

  return (url) => {
    const rules = known.get(url.origin) ?? heed(url);
    known.set(url.origin, rules);
    return rules;
  };
}
