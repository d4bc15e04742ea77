import { isInScope } from '../crawl/page-address.ts';
import type { ScanContext } from '../scan-context.ts';
import { auditPage } from './audit-page.ts';
import type { BrowserTab } from './browser-tabs.ts';
import { checkHeaders, type HeaderCheck } from './header-check.ts';
import { acceptLandingPage, findVisitRefusal } from './visit-permission.ts';
import {
  headerTables,
  type PageVisit,
  type PageVisitResult,
  rejectHeaders,
  unreachablePage,
  visitResult,
} from './visit-result.ts';

/** Visits a page: checks permission and headers, opens it in each viewport, and runs the audits. */
export async function visitPage(scan: ScanContext, tab: BrowserTab, pageVisit: PageVisit): Promise<PageVisitResult> {
  const { task } = pageVisit;
  const asked = new URL(task.url);
  const refusal = await findVisitRefusal(scan, asked);
  if (refusal) return visitResult(task.url, refusal);
  let headers: HeaderCheck | undefined;
  if (scan.config.perform_header_check) {
    try {
      headers = await checkHeaders(task.url, {
        request: scan.request,
        limitMs: scan.config.page_load_timeout * 1000,
        skipHead: scan.noHead.has(task.site.base.url),
        signal: scan.signal,
      });
    } catch (error) {
      scan.signal.throwIfAborted();
      return unreachablePage(task.url, error);
    }
    const bad = rejectHeaders(headers);
    if (bad)
      return {
        ...visitResult(headers.url, bad),
        ...statusFields(headers),
        rows: headerTables(scan, pageVisit, headers),
      };
  }
  const landing = await acceptLandingPage(scan, pageVisit, headers?.url ?? task.url);
  if ('outcome' in landing)
    return { ...visitResult(headers?.url ?? task.url, landing), ...(headers ? statusFields(headers) : {}) };
  const seen = await auditPage(scan, tab, pageVisit, landing.url);
  const scope = pageVisit.task.position === 0 && !isInScope(scan.initialScope(task.site), new URL(seen.finalUrl));
  // A server that asked for a retry gets fewer concurrent pages.
  const health = headers?.wasOverloaded ? 'trouble' : seen.health;
  return { ...seen, health, ...(scope ? { scope: task.site.scope } : {}) };
}

function statusFields({ status, contentType }: Pick<HeaderCheck, 'status' | 'contentType'>) {
  return { status, contentType };
}
