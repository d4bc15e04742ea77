/**
 * `npm run bench -- discovery`: recall, precision and speed of the QA scan on the three fixture applications, compared with gold
 * lists written by hand and with a plain link crawler. The request log of each application also shows what was submitted, and
 * GET requests with side effects, such as logout, deletion or adding to a cart. Takes about two minutes.
 */
import { parseArgs } from 'node:util';
import { createBrowserPool } from '../../src/platform/browser/browser-pool.ts';
import { CANDIDATE_FROM, type RecognisedUseCase } from '../../src/qa/scan/recognise/recognise-use-cases.ts';
import { harmfulPath } from '../../src/qa/scan/words/url-words.ts';
import { type App, apps, drifts } from '../../test/sites/apps/apps.ts';
import { testHome } from '../../test/sites/workspace.ts';
import { printTable } from '../table.ts';
import { discover } from './discover-app.ts';
import { type Claim, matchGoldList } from './gold-match.ts';
import { startLibrarySite } from './library-site.ts';
import { crawlForForms } from './plain-crawler.ts';

const RECALL = 0.85;
const PRECISION = 0.8;
const { values } = parseArgs({ options: { only: { type: 'string' }, verbose: { type: 'boolean', default: false } } });
const browsers = createBrowserPool({ home: testHome });
const rows: string[][] = [];
let areTargetsMet = true;

for (const { name, start } of Object.values(apps)) {
  if (values.only && !name.startsWith(values.only)) continue;
  await measure(name, await start());
  // The redesign changes words, ids, classes, order and containers; the result must not depend on them.
  await measure(`${name}, redesigned`, await start({ drift: drifts }));
  await using app = await start();
  const { found, pages, seconds } = await crawlForForms(app.url);
  report(`${name}: plain crawler`, matchGoldList(app.gold, found), { pages, seconds, ...countRequests(app) });
}

if (!values.only || values.only === 'library')
  await measure('library (unseen at first)', await startLibrarySite(), false);

async function measure(name: string, started: App, hasTarget = true): Promise<void> {
  await using app = started;
  const { found, pages, seconds, notes, templates } = await discover(browsers, app);
  const likely = found.filter(({ confidence }) => confidence >= CANDIDATE_FROM);
  const judged = matchGoldList(app.gold, likely.map(claim));
  const { recall, precision } = judged;
  const record = countRequests(app);
  const isHarmless = record.sent === record.logins && record.logins <= 1 && record.risky === 0;
  if (hasTarget) areTargetsMet &&= recall >= RECALL && precision >= PRECISION && isHarmless;
  report(`${name}: scan`, judged, { pages, seconds, ...record });
  if (!values.verbose) return;
  const lines = found.map(
    (one) => `  ${one.confidence} ${one.class} “${one.title}” ${claim(one).page} [${one.signals.join('; ')}]`,
  );
  const missing = judged.missing.map(({ title }) => title).join('; ');
  const extra = judged.extra.map(({ class: is, page }) => `${is} ${page}`).join('; ');
  process.stdout.write(
    `\n${[name, templates.join(', '), ...notes, `missing: ${missing}`, `extra: ${extra}`, ...lines].join('\n')}\n`,
  );
}

/** Counts the requests in the log of an application. */
function countRequests({ requests }: App) {
  const sent = requests.filter(({ method }) => !['GET', 'HEAD', 'OPTIONS'].includes(method));
  const asked = requests.filter((request) => !sent.includes(request));
  return {
    sent: sent.length,
    logins: sent.filter(({ path }) => /login/.test(path)).length,
    risky: asked.filter(({ path }) => harmfulPath.test(path)).length,
  };
}

function claim({ class: is, everywhere, pages: [page] }: RecognisedUseCase): Claim {
  return { class: is, page: everywhere ? '*' : (page?.state.template ?? '') };
}

function report(
  who: string,
  { recall, precision }: { recall: number; precision: number },
  { pages, seconds, sent, logins, risky }: { pages: number; seconds: number } & ReturnType<typeof countRequests>,
): void {
  const speed = (pages / seconds).toFixed(1);
  const record = [`${sent} (${logins} login)`, String(risky)];
  rows.push([who, recall.toFixed(2), precision.toFixed(2), String(pages), speed, ...record]);
}

await browsers.close();
printTable(
  'Use case discovery',
  ['', 'recall', 'precision', 'pages', 'pages/s', 'submissions', 'risky GETs'],
  rows,
  areTargetsMet
    ? `targets met: recall ≥ ${RECALL}, precision ≥ ${PRECISION}, no submission except the login, no risky GET`
    : 'MISSED: a target is not met',
);
process.exitCode = areTargetsMet ? 0 : 1;
