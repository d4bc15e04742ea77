import { setTimeout as pause } from 'node:timers/promises';
import type { DemoSite } from './site.ts';
import { ask, type Client, call, title } from './stage.ts';

/** An agent scans a site in a real browser, and writes the report that people read. */
export async function accessibility(client: Client, site: DemoSite): Promise<void> {
  await title('ACCESSIBILITY. A small shop on this machine, scanned in a real browser');
  const { scan_id } = await call(client, 'cwac_scan', { urls: [site.url], audit_name: 'corner shop' });
  while ((await ask(client, 'cwac_scan_status', { scan_id }))['status'] === 'running') await pause(300);
  await call(client, 'cwac_scan_status', { scan_id });
  await call(client, 'cwac_get_summary', { scan_id });
  await call(client, 'cwac_get_results', { scan_id, impact: 'critical', limit: 1 });
  await call(client, 'cwac_generate_report', { scan_id });
}
