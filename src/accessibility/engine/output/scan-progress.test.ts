import { expect, test } from 'vitest';
import { createSiteQueue } from '../crawl/site-queue.ts';
import { createScanProgress } from './scan-progress.ts';

const base = (host: string) => ({ organisation: 'Org', sector: 'Sector', url: `http://${host}.example/` });

test('excludes pages beyond the limit from progress and speed', () => {
  let now = 0;
  const sites = [createSiteQueue(0, base('a'), 1), createSiteQueue(1, base('b'), 1)] as const;
  const progress = createScanProgress(sites, 0, () => now);
  const found = Array.from({ length: 1000 }, (_, page) => ({ url: `http://a.example/${page}`, parent: '' }));
  sites[0].take();
  now = 2000;
  expect(progress.row()).toMatchObject({ iteration: 1, total: 2, speed: '0.50', percent: '50.0' });
  sites[0].end(0, { outcome: 'scanned', isSiteFailure: false, foundPages: found });
  expect(progress.line('scanned', 'http://a.example/', '')).toBe(
    '[1/2] scanned http://a.example/ 0.5 pages/s, 0m 2s left',
  );
  sites[0].finish();
  sites[0].counts.skipped += sites[0].rest().pages.length;
  sites[1].take();
  now = 4000;
  expect(progress.row()).toMatchObject({ iteration: 2, total: 2, speed: '0.50', percent: '100.0' });
  sites[1].end(0, { outcome: 'failed', isSiteFailure: false, foundPages: [] });
  expect(progress.line('failed', 'http://b.example/', 'why')).toBe(
    '[2/2] failed http://b.example/ (why) 0.5 pages/s, 0m 0s left',
  );
  expect(progress.summary()).toBe(
    '1002 pages found: 1 scanned, 1 failed, 1000 skipped, 0 blocked. 0.5 pages/s, 0m 4s.',
  );
});
