/**
 * How long after a page is ready it is found to be, and what a page costs that needs no waiting: `actAndSettle` beside the time
 * that the page itself names. Then how long reading a form takes. Flags: the names of the pages to visit, or `reading` alone.
 */
import { createServer } from 'node:http';
import { actAndSettle } from '../../src/page/settle/settle.ts';
import { createBrowserPool } from '../../src/platform/browser/browser-pool.ts';
import { loadingPages, serveLoadingPages } from '../../test/sites/loading-pages.ts';
import { testHome } from '../../test/sites/workspace.ts';
import { printTable } from '../table.ts';
import { measureReading } from './reading.ts';

const server = createServer(serveLoadingPages(() => pages));
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const port = typeof address === 'object' ? address?.port : 0;
const pages = loadingPages(`http://localhost:${port}`);
const wanted = process.argv.slice(2);
const names = Object.keys(pages).filter((name) => wanted.length === 0 || wanted.includes(name));
const pool = createBrowserPool({ home: testHome });
const rows: string[][] = [];
const wrong: string[] = [];
let isReadFast = true;
{
  await using opened = await pool.open({ allowedPrivateAddresses: undefined });
  for (const name of names) {
    const { how, open, afterMs } = await measure(name);
    const isLate = how === 'late';
    if (isLate !== (pages[name]?.isLate ?? false) || (afterMs < 0 && !isLate)) wrong.push(name);
    rows.push([name, `${Math.round(afterMs)} ms`, isLate ? 'late' : 'ready', open.join(', ').slice(0, 60)]);
    process.stderr.write(`${rows.at(-1)?.join(' | ')}\n`);
  }

  if (wanted.length === 0 || wanted.includes('reading')) isReadFast = await measureReading(opened.context);

  async function measure(name: string) {
    const page = await opened.context.newPage();
    const url = `http://127.0.0.1:${port}/${encodeURIComponent(name)}`;
    const { how, open } = await actAndSettle(page, () => page.goto(url, { waitUntil: 'commit' }), { quietMs: 100 });
    const settled = Date.now();
    // A page without scripts is ready when it is parsed.
    const ready = await page.waitForFunction(() => {
      const parsed = performance.timing.domContentLoadedEventEnd;
      return Reflect.get(window, 'readyAt') ?? (document.scripts.length === 0 && parsed);
    });
    const afterMs = settled - Number(await ready.jsonValue());
    await page.close();
    return { how, open, afterMs };
  }
}
await pool.close();
server.closeAllConnections();
server.close();
printTable(
  'Ready',
  ['page', 'found ready after', 'result', 'open'],
  rows,
  wrong.length === 0 ? 'as expected' : `wrong: ${wrong.join('; ')}`,
);
process.exit(wrong.length === 0 && isReadFast ? 0 : 1);
