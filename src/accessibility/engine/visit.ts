import { isInScope } from './addresses.ts';
import { checkHeaders, type Headers } from './header-check.ts';
import { land, refusalOf } from './landing.ts';
import type { Lane } from './lanes.ts';
import { lookAtPage } from './look.ts';
import type { Scan } from './scan-parts.ts';
import { badHeaders, type Errand, ended, tablesOf, unreachable, type Visit } from './visit-end.ts';

/** Visits a page: asks whether it may, looks at its headers, opens it in each viewport and lets the audits look. */
export async function visitPage(scan: Scan, lane: Lane, errand: Errand): Promise<Visit> {
  const { task } = errand;
  const asked = new URL(task.url);
  const refusal = await refusalOf(scan, asked);
  if (refusal) return ended(task.url, refusal);
  let headers: Headers | undefined;
  if (scan.config.perform_header_check) {
    try {
      headers = await checkHeaders(task.url, {
        request: scan.request,
        limitMs: scan.config.page_load_timeout * 1000,
        noHead: scan.noHead.has(task.site.base.url),
        signal: scan.signal,
      });
    } catch (error) {
      scan.signal.throwIfAborted();
      return unreachable(task.url, error);
    }
    const bad = badHeaders(headers);
    if (bad) return { ...ended(headers.url, bad), ...statusOf(headers), rows: tablesOf(scan, errand, headers) };
  }
  const landing = await land(scan, errand, headers?.url ?? task.url);
  if ('outcome' in landing)
    return { ...ended(headers?.url ?? task.url, landing), ...(headers ? statusOf(headers) : {}) };
  const seen = await lookAtPage(scan, lane, errand, landing.url);
  const scope = errand.task.place === 0 && !isInScope(scan.firstScope(task.site), new URL(seen.finalUrl));
  // A server that had to be asked twice is glad of fewer visitors.
  const health = headers?.overloaded ? 'trouble' : seen.health;
  return { ...seen, health, ...(scope ? { scope: task.site.scope } : {}) };
}

function statusOf({ status, contentType }: Pick<Headers, 'status' | 'contentType'>) {
  return { status, contentType };
}
