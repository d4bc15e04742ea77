import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../../platform/errors.ts';
import { type DemoSession, listRecords, toToolData } from './demo-session.ts';
import type { DemoSite } from './demo-site.ts';

/** Scans a site in a real browser and returns the HTML report. */
export async function showAccessibility(
  { call, callQuietly, printLine, printHeading }: DemoSession,
  site: DemoSite,
): Promise<string | undefined> {
  await printHeading('Accessibility: the shop’s site, scanned in a real browser');
  const { scan_id } = await call('cwac_scan', { urls: [site.url], audit_name: 'corner shop' });
  let status = await callQuietly('cwac_scan_status', { scan_id });
  for (; status['status'] === 'running'; status = await callQuietly('cwac_scan_status', { scan_id })) await pause(300);
  if (status['status'] !== 'complete')
    throw new Failure('site_failed', 'DEMO_STEP', `The scan ${status['status']}: ${status['stderr']}`);
  const summary = await call('cwac_get_summary', { scan_id });
  const impacts = Object.entries(toToolData(summary['issues_by_impact'])).map(
    ([impact, number]) => `${number} ${impact}`,
  );
  await printLine(`${summary['urls_scanned']} pages, ${summary['total_issues']} findings: ${impacts.join(', ')}.`);
  for (const { help, count } of listRecords(summary, 'top_violations').slice(0, 2))
    await printLine(`${help} (${count} times).`);
  const report = await call('cwac_generate_report', { scan_id });
  const files = Array.isArray(report['report_files']) ? report['report_files'].map(String) : [];
  await printLine(`A report in ${files.length} formats: ${files.map((file) => file.split('/').at(-1)).join(', ')}.`);
  const page = files.find((file) => file.endsWith('.html'));
  return page === undefined ? undefined : readFile(page, 'utf8');
}
