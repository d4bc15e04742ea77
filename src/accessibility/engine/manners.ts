import type { Requester } from './requests.ts';
import { allowAll, parseRobots, type Robots } from './robots.ts';

const MOST_BYTES = 500 * 1024;

interface MannersOptions {
  request: Requester;
  token: string;
  limitMs: number;
}

/** The rules of each origin, read once. Whoever has none, or none that can be read, allows everything. */
export function createManners({ request, token, limitMs }: MannersOptions): (url: URL) => Promise<Robots> {
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

  return (url) => {
    const rules = known.get(url.origin) ?? read(url.origin);
    known.set(url.origin, rules);
    return rules;
  };
}
