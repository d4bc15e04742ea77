import { Failure, quote } from '../../../platform/errors.ts';
import { crawlPageKey, isDocumentUrl, isInScope, landedScope } from '../crawl/page-address.ts';
import type { ScanContext } from '../scan-context.ts';
import { type PageVisit, unreachablePage, type VisitEnd } from './visit-result.ts';

/** Checks the address guard and robots.txt. Returns the reason when the page must not be visited. */
export async function findVisitRefusal(scan: ScanContext, url: URL): Promise<VisitEnd | undefined> {
  try {
    await scan.checkAddress?.(url.href);
  } catch (error) {
    return unreachablePage(url.href, error);
  }
  if (!scan.config.follow_robots_txt) return undefined;
  try {
    const { isAllowed } = await scan.robots(url);
    return isAllowed(url) ? undefined : { outcome: 'blocked', crawlOutcome: 'robots', reason: 'robots.txt' };
  } catch (error) {
    if (!(error instanceof Failure)) return unreachablePage(url.href, error);
    return { outcome: 'failed', crawlOutcome: 'status', reason: error.message, health: 'trouble', isSiteFailure: true };
  }
}

/** Decides whether the final address of a page is scanned: it must belong to the site and be no page that is already known. */
export async function acceptLandingPage(
  scan: ScanContext,
  { task, claims }: PageVisit,
  text: string,
): Promise<{ url: string } | VisitEnd> {
  const url = new URL(text);
  if (!scan.config.follow_hash_routes) url.hash = '';
  const key = crawlPageKey(url);
  if (key === crawlPageKey(new URL(task.url)) || claims.has(key)) return { url: url.href };
  const skipped = (crawlOutcome: string, reason: string): VisitEnd => ({
    outcome: 'skipped',
    crawlOutcome,
    reason,
    health: 'good',
  });
  if (scan.config.only_allow_https && url.protocol !== 'https:')
    return skipped('filtered', `it redirects to http: ${quote(text)}`);
  if (isDocumentUrl(url)) return skipped('filtered', `it redirects to a file: ${quote(text)}`);
  const scopes = scan.scopes();
  if (!task.site.isOwn(url, scopes)) {
    const taken = scopes.some((scope) => scope !== task.site.scope && isInScope(scope, url));
    if (task.position !== 0 || taken) return skipped('out_of_scope', `it redirects out of the site: ${quote(text)}`);
    // The site has moved, so its scope moves with it.
    task.site.moveTo(landedScope(url));
  }
  const refusal = await findVisitRefusal(scan, url);
  if (refusal) return refusal;
  if (!task.site.claim(url)) return redirectToKnownPage(text);
  claims.set(key, text);
  return { url: url.href };
}

export function redirectToKnownPage(address: string): VisitEnd {
  const reason = `it redirects to a page that is already known: ${quote(address)}`;
  return { outcome: 'skipped', crawlOutcome: 'duplicate', reason, health: 'good' };
}
