/**
 * `npm run bench -- discovery`: use cases that the scan finds on the three fixture applications, against what a careful
 * reader wrote down; pages a second; and the same for a plain link crawler that takes each page with a form for a use case.
 * Judged too, by the record that the applications keep: what was sent to them, and what was asked for that ends a session,
 * takes something away or puts something into a cart, although it is only asked for. About two minutes.
 */
import { parseArgs } from 'node:util';
import { createBrowserPool } from '../../src/platform/browser/browser-pool.ts';
import { CANDIDATE_FROM, type RecognisedUseCase } from '../../src/qa/scan/recognise/recognise-use-cases.ts';
import { harmfulPath } from '../../src/qa/scan/recognise/table/words.ts';
import { type App, apps, drifts } from '../../test/sites/apps/apps.ts';
import { testHome } from '../../test/sites/workspace.ts';
import { printTable } from '../table.ts';
import { discover } from './discover.ts';
import { startHeldOut } from './held-out.ts';
import { type Claim, judge } from './judge.ts';
import { crawlPlainly } from './plain-crawler.ts';

const RECALL = 0.85;
const PRECISION = 0.8;
const { values } = parseArgs({ options: { only: { type: 'string' }, verbose: { type: 'boolean', default: false } } });
const browsers = createBrowserPool({ home: testHome });
const rows: string[][] = [];
let isGood = true;

for (const { name, start } of Object.values(apps)) {
  if (values.only && !name.startsWith(values.only)) continue;
  await measure(name, await start());
  // Other words, ids, classes, order and containers: what was found must not hang on those.
  await measure(`${name}, redesigned`, await start({ drift: drifts }));
  await using app = await start();
  const { found, pages, seconds } = await crawlPlainly(app.url);
  report(`${name}: plain crawler`, judge(app.gold, found), { pages, seconds, ...recordOf(app) });
}

if (!values.only || values.only === 'held') await measure('held out', await startHeldOut(), false);

async function measure(name: string, started: App, hasBar = true): Promise<void> {
  await using app = started;
  const { found, pages, seconds, notes, templates } = await discover(browsers, app);
  const likely = found.filter(({ confidence }) => confidence >= CANDIDATE_FROM);
  const judged = judge(app.gold, likely.map(claim));
  const { recall, precision } = judged;
  const record = recordOf(app);
  const isHarmless = record.sent === record.logins && record.logins <= 1 && record.risky === 0;
  if (hasBar) isGood &&= recall >= RECALL && precision >= PRECISION && isHarmless;
  report(`${name}: scan`, judged, { pages, seconds, ...record });
  if (!values.verbose) return;
  const lines = found.map(
    (one) => `  ${one.confidence} ${one.class} “${one.title}” ${claim(one).place} [${one.signals.join('; ')}]`,
  );
  const missing = judged.missing.map(({ title }) => title).join('; ');
  const extra = judged.extra.map(({ class: is, place }) => `${is} ${place}`).join('; ');
  process.stdout.write(
    `\n${[name, templates.join(', '), ...notes, `missing: ${missing}`, `extra: ${extra}`, ...lines].join('\n')}\n`,
  );
}

/** What an application was sent, as it says itself. */
function recordOf({ requests }: App) {
  const sent = requests.filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method));
  const asked = requests.filter((request) => !sent.includes(request));
  return {
    sent: sent.length,
    logins: sent.filter(({ path }) => /login/.test(path)).length,
    risky: asked.filter(({ path }) => harmfulPath.test(path)).length,
  };
}

function claim({ class: is, everywhere, pages: [page] }: RecognisedUseCase): Claim {
  return { class: is, place: everywhere ? '*' : (page?.state.template ?? '') };
}

function report(
  who: string,
  { recall, precision }: { recall: number; precision: number },
  { pages, seconds, sent, logins, risky }: { pages: number; seconds: number } & ReturnType<typeof recordOf>,
): void {
  const speed = (pages / seconds).toFixed(1);
  const record = [`${sent} (${logins} login)`, String(risky)];
  rows.push([who, recall.toFixed(2), precision.toFixed(2), String(pages), speed, ...record]);
}

await browsers.close();
printTable(
  'Use cases found',
  ['', 'recall', 'precision', 'pages', 'pages/s', 'sent', 'risky GETs'],
  rows,
  isGood
    ? `Good: recall ≥ ${RECALL}, precision ≥ ${PRECISION}, nothing sent but the login, nothing risky asked for.`
    : 'A bar is missed.',
);
process.exitCode = isGood ? 0 : 1;
