import { setTimeout as pause } from 'node:timers/promises';
import type { DemoSite } from './site.ts';
import { dataOf, list, type Stage } from './stage.ts';

/** An agent scans a site in a real browser, and writes the report that people read. */
export async function accessibility({ call, ask, say, chapter }: Stage, site: DemoSite): Promise<void> {
  await chapter('Accessibility: the shop’s site, scanned in a real browser');
  const { scan_id } = await call('cwac_scan', { urls: [site.url], audit_name: 'corner shop' });
  while ((await ask('cwac_scan_status', { scan_id }))['status'] === 'running') await pause(300);
  const summary = await call('cwac_get_summary', { scan_id });
  const impacts = Object.entries(dataOf(summary['issues_by_impact'])).map(([impact, number]) => `${number} ${impact}`);
  await say(`${summary['urls_scanned']} pages, ${summary['total_issues']} findings: ${impacts.join(', ')}.`);
  for (const { help, count } of list(summary, 'top_violations').slice(0, 2)) await say(`${help} (${count} times).`);
  const report = await call('cwac_generate_report', { scan_id });
  const files = Array.isArray(report['report_files']) ? report['report_files'] : [];
  await say(`A report in ${files.length} forms: ${files.map((file) => String(file).split('/').at(-1)).join(', ')}.`);
}
