import type { BrowserContext } from 'playwright-core';
import { readSnapshot } from '../../src/page/index.ts';
import { printTable } from '../table.ts';

const CONTROLS = 200;
const RUNS = 15;
const LIMIT = 0.5;
const KINDS = [
  '<input>',
  '<select><option>one<option>two</select>',
  '<input type="checkbox">',
  '<textarea></textarea>',
];

/** Reads a form of 200 controls, in turn with Playwright's snapshot of the same page. False when it takes more than half as long. */
export async function measureReading(context: BrowserContext): Promise<boolean> {
  const page = await context.newPage();
  const rows = Array.from({ length: CONTROLS }, (_, index) => {
    const control = (KINDS[index % KINDS.length] ?? '').replace(/^<(\w+)/, `<$1 id="c${index}"`);
    const label = `<label for="c${index}">Field number ${index} <span>(required)</span></label>`;
    return `<div class="row"><div>${label}</div><div>${control}</div><p>Hint text <b>bold</b></p></div>`;
  });
  await page.setContent(`<!doctype html><title>Form</title><form>${rows.join('')}</form>`);
  const [own, other]: [number[], number[]] = [[], []];
  let found = 0;
  for (let run = 0; run < RUNS; run++) {
    own.push(
      await timed(async () => {
        found = (await readSnapshot(page)).controls.length;
      }),
    );
    other.push(await timed(() => page.ariaSnapshot()));
  }
  await page.close();
  const ratio = median(own) / median(other);
  const isFast = ratio <= LIMIT && found === CONTROLS;
  printTable(
    `Reading ${CONTROLS} controls, median of ${RUNS}`,
    ['', 'time'],
    [
      ['readSnapshot', `${median(own).toFixed(1)} ms`],
      ['page.ariaSnapshot', `${median(other).toFixed(1)} ms`],
    ],
    `ratio ${ratio.toFixed(2)}, at most ${LIMIT}; ${found} controls found`,
  );
  return isFast;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;
