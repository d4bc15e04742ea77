import { Failure, quote } from '../../platform/errors.ts';
import { isFile, isInScope, pageKey, scopeAround } from './addresses.ts';
import type { Scan } from './scan-parts.ts';
import { type End, type Errand, unreachable } from './visit-end.ts';

/** Whether the page may be visited at all, and if not, who forbids it. */
export async function refusalOf(scan: Scan, url: URL): Promise<End | undefined> {
  try {
    await scan.checkAddress?.(url.href);
  } catch (error) {
    return unreachable(url.href, error);
  }
  if (!scan.config.follow_robots_txt) return undefined;
  try {
    const { isAllowed } = await scan.robots(url);
    return isAllowed(url) ? undefined : { outcome: 'blocked', how: 'robots', why: 'robots.txt' };
  } catch (error) {
    if (!(error instanceof Failure)) return unreachable(url.href, error);
    return { outcome: 'failed', how: 'status', why: error.message, health: 'trouble', siteTrouble: true };
  }
}

/** Whether the place where a redirect ended is a page of this site that nobody else visits. */
export async function land(scan: Scan, { task, claims }: Errand, text: string): Promise<{ url: string } | End> {
  const url = new URL(text);
  if (!scan.config.follow_hash_routes) url.hash = '';
  const key = pageKey(url);
  if (key === pageKey(new URL(task.url)) || claims.has(key)) return { url: url.href };
  const skipped = (how: string, why: string): End => ({ outcome: 'skipped', how, why, health: 'good' });
  if (scan.config.only_allow_https && url.protocol !== 'https:')
    return skipped('filtered', `it leads to http: ${quote(text)}`);
  if (isFile(url)) return skipped('filtered', `it leads to a file: ${quote(text)}`);
  const scopes = scan.scopes();
  if (!task.site.isOwn(url, scopes)) {
    const taken = scopes.some((scope) => scope !== task.site.scope && isInScope(scope, url));
    if (task.place !== 0 || taken) return skipped('out_of_scope', `it leads out of the site: ${quote(text)}`);
    // The site has moved; so does what counts as the site.
    task.site.moveTo(scopeAround(url));
  }
  const refusal = await refusalOf(scan, url);
  if (refusal) return refusal;
  if (!task.site.claim(url)) return skipped('duplicate', `it leads to a page of the list: ${quote(text)}`);
  claims.add(key);
  return { url: url.href };
}
