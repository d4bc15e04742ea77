import type { Locator } from 'playwright-core';
import { quote } from '../../platform/errors.ts';
import { actionFailure } from '../../platform/page/action-failure.ts';
import { find, locate } from '../../platform/page/ladder.ts';
import { rungOf, selectorOf } from '../../platform/page/rung-text.ts';
import { LOOK_MS, nextChange, restWatch } from '../../platform/page/settle.ts';
import { looksLikeSelector } from '../discovery/selector.ts';
import type { WizardButton } from '../files/wizard.ts';
import { runError } from './failures.ts';
import type { Run } from './run.ts';

export type Clickable = Pick<WizardButton, 'selector' | 'locators' | 'selector_type'> & { text?: string };

/** How long something may take to appear on a page that is there; a page at rest is not waited for so long. */
export const APPEAR_MS = 10_000;

export interface Clicked {
  locator: Locator;
  selector: string;
  rung: number;
  /** The first way led nowhere. */
  healed: boolean;
}

/** The one thing that is to be clicked: by its selector, by the ladder of the file, or by the words that it shows. */
export async function findButton(run: Run, button: Clickable, limitMs = APPEAR_MS): Promise<Clicked> {
  const { selector, selector_type = 'auto', locators = [], text = '' } = button;
  const timeoutMs = Math.min(limitMs, run.left());
  if (selector_type === 'text' || (selector_type === 'auto' && isWords(selector)))
    return byWords(run, selector, timeoutMs);
  const first = selector_type === 'id' && !selector.startsWith('#') ? `#${selector}` : selector;
  const ladder = [...new Set([first, ...locators])].map(rungOf);
  const options = { timeoutMs, signal: run.signal, pending: run.pending };
  try {
    const found = await find(run.page(), ladder, {}, options);
    const rung = ladder[found.rung];
    return {
      locator: found.locator,
      selector: rung ? selectorOf(rung) : first,
      rung: found.rung,
      healed: found.healed,
    };
  } catch (error) {
    const named = rungOf(`role=button[name=${JSON.stringify(text)}]`);
    const place = locate(run.page(), named);
    if (!text || locators.length > 0 || (await place.count()) !== 1) throw error;
    return { locator: place, selector: selectorOf(named), rung: 1, healed: true };
  }
}

/** A tag alone is CSS too, in files that somebody wrote by hand. */
const isWords = (selector: string) =>
  !looksLikeSelector(selector) && !/^(?:a|button|input|select|textarea|form|label)$/.test(selector);

/** A button or a link of that name, else whatever shows exactly these words. */
async function byWords(run: Run, words: string, timeoutMs: number): Promise<Clicked> {
  const page = run.page();
  const named = page
    .getByRole('button', { name: words, exact: true })
    .or(page.getByRole('link', { name: words, exact: true }));
  const shown = page.getByText(words, { exact: true });
  const deadline = performance.now() + timeoutMs;
  const rest = restWatch(run.pending);
  for (let isOver = false; ; ) {
    const [names, texts] = await Promise.all([named.count(), shown.count()]);
    const count = names || texts;
    const locator = names > 0 ? named : shown;
    if (count === 1) return { locator, selector: `text=${JSON.stringify(words)}`, rung: 0, healed: false };
    const left = deadline - performance.now();
    if (isOver || left <= 0) throw nothingCalled(words, count);
    isOver = rest.isAtRest(await nextChange(page, Math.min(left, LOOK_MS)));
    run.signal.throwIfAborted();
  }
}

function nothingCalled(words: string, count: number): Error {
  const many = count > 1 ? `there are ${count} of them` : 'there is none';
  return runError('selector_not_found', `Nothing to click by the words ${quote(words)}: ${many}.`);
}

export async function clickOn({ locator }: Clicked, what: string, run: Run): Promise<void> {
  try {
    await locator.click({ timeout: Math.min(APPEAR_MS, run.left()) });
  } catch (error) {
    throw actionFailure(error, what);
  }
}
