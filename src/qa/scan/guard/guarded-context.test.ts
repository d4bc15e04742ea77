import { afterAll, expect, test } from 'vitest';
import { testHome } from '../../../../test/sites/workspace.ts';
import { createBrowserPool } from '../../../platform/browser/browser-pool.ts';
import { testServer } from '../../../platform/page/test-support.ts';
import { openGuardedContext } from './guarded-context.ts';

const browsers = createBrowserPool({ home: testHome });
afterAll(() => browsers.close());

const page = `<!doctype html><title>Leaving</title><script>
for (const type of ['beforeunload', 'pagehide', 'unload', 'visibilitychange'])
  addEventListener(type, () => localStorage.setItem('left', type));
document.onvisibilitychange = () => localStorage.setItem('left', 'document');
</script>`;

test('calls no script of a page when its document ends', async () => {
  await using server = await testServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(page);
  });
  await using guarded = await openGuardedContext(browsers, {
    origin: server.url,
    inside: undefined,
    signal: new AbortController().signal,
    isSecret: () => false,
  });
  const tab = await guarded.context.newPage();
  await tab.goto(`${server.url}/first`);
  await tab.goto(`${server.url}/second`);
  expect(await tab.evaluate(() => localStorage.getItem('left'))).toBeNull();
});
