/** Lower bound: axe alone on loaded pages. Prints the CPU seconds that the browser used for axe.run. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { SHORT_LIVED_PAGES } from '../../src/accessibility/engine/visit/browser-tabs.ts';
import { launchBrowser } from '../../src/platform/browser/browser-launch.ts';

const [site = '', count = '60', mode = 'floor', home = ''] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** The same rules as in the scan: without best practices. */
const run = `axe.run({
  xpath: true,
  resultTypes: ['violations', 'incomplete'],
  rules: Object.fromEntries(axe.getRules(['best-practice']).map(({ ruleId }) => [ruleId, { enabled: false }])),
}).then((r) => r.violations.length)`;
const viewport = { width: 1280, height: 1024 };

if (mode === 'naive') {
  // The simplest implementation: a new browser for each page.
  for (let number = 0; number < Number(count); number++) {
    const browser = await launchBrowser({ home });
    const page = await browser.newPage({ viewport });
    await page.goto(number === 0 ? `${site}/` : `${site}/p${number}`);
    await page.evaluate(axe);
    await page.evaluate('axe.run().then((r) => JSON.stringify(r).length)');
    await browser.close();
  }
} else {
  const browser = await launchBrowser({ home, flags: mode === 'tuned-floor' ? SHORT_LIVED_PAGES : [] });
  const page = await browser.newPage({ viewport });
  const session = await browser.newBrowserCDPSession();
  const cpu = async () => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  };
  let used = 0;
  for (let number = 0; number < Number(count); number++) {
    await page.goto(number === 0 ? `${site}/` : `${site}/p${number}`);
    await page.evaluate(axe);
    const before = await cpu();
    await page.evaluate(run);
    used += (await cpu()) - before;
  }
  process.stdout.write(`${JSON.stringify({ used })}\n`);
  await browser.close();
}
