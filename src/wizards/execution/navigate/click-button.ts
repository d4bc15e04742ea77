import type { Locator } from 'playwright-core';
import { Failure, quote } from '../../../platform/errors.ts';
import { actionFailure } from '../../../platform/page/act/action-failure.ts';
import { fastClick } from '../../../platform/page/act/fast-click.ts';
import { findByLadder, locateRung } from '../../../platform/page/locate/element-finder.ts';
import { identityRung } from '../../../platform/page/locate/element-target.ts';
import { rungToSelector, selectorToRung } from '../../../platform/page/locate/rung-selector.ts';
import type { Ladder } from '../../../platform/page/page-model.ts';
import { createRestDetector, PAGE_POLL_MS, waitForChange } from '../../../platform/page/settle/settle.ts';
import { looksLikeSelector } from '../../discovery/read-page/selector.ts';
import type { WizardButton } from '../../files/wizard-schema.ts';
import { foldText } from '../../validation/read-values.ts';
import { addHealed, type FilePath } from '../record/healed-selectors.ts';
import { runError } from '../run/run-error.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import { clickGuarded } from '../submit/guarded-click.ts';

export type ButtonTarget = Pick<WizardButton, 'selector' | 'locators' | 'selector_type'> & {
  text?: string;
  /** The name in a healing report and the position in the file; the default is the continue button of the page. */
  source?: { name: string; filePath: FilePath; key?: string };
};

/** How long an element may take to appear on a loaded page. The wait ends earlier if the page settles. */
export const APPEAR_MS = 10_000;

/** How long a disabled button may take to validate the input. */
const DISABLED_MS = 5_000;

export interface FoundButton {
  locator: Locator;
  selector: string;
  rung: number;
  /** The first locator did not find the button. */
  healed: boolean;
  /** The locators of the file, if the first of them found the button. */
  ladder?: Ladder;
}

/** Finds the one element to click: by its selector, by the ladder of the file, or by its visible text. */
export async function findButton(run: WizardRun, button: ButtonTarget, limitMs = APPEAR_MS): Promise<FoundButton> {
  const { selector, selector_type = 'auto', locators = [], text = '' } = button;
  const timeoutMs = Math.min(limitMs, run.remainingMs());
  if (selector_type === 'text' || (selector_type === 'auto' && isWords(selector)))
    return byWords(run, selector, timeoutMs);
  const first = selector_type === 'id' && !selector.startsWith('#') ? `#${selector}` : selector;
  const ladder = [...new Set([first, ...locators])].map(selectorToRung);
  const options = { timeoutMs, signal: run.signal, pending: run.pendingRequests };
  const isProven = identityRung(ladder) !== undefined;
  try {
    const { locator, rung, healed } = await findByLadder(run.page(), ladder, {}, options);
    if (!isProven && text) await throwIfOtherButton(run, locator, text);
    const used = ladder[rung];
    const by = { locator, selector: used ? rungToSelector(used) : first, rung, healed };
    return rung === 0 && isProven ? { ...by, ladder } : by;
  } catch (error) {
    const named = text && !isProven ? await byName(run, text, ladder[0]?.frame) : undefined;
    if (!named) throw error;
    return named;
  }
}

/** The only button or link with this name. */
async function byName(
  run: WizardRun,
  text: string,
  frame: readonly string[] | undefined,
): Promise<FoundButton | undefined> {
  const ways = ['button', 'link'].map((role) => ({
    by: 'role' as const,
    role,
    value: text,
    ...(frame && { frame: [...frame] }),
  }));
  const found: FoundButton[] = [];
  for (const way of ways) {
    const locator = locateRung(run.page(), way);
    const count = await locator.count();
    if (count > 1) return undefined;
    if (count === 1) found.push({ locator, selector: rungToSelector(way), rung: 1, healed: true });
  }
  return found.length === 1 ? found[0] : undefined;
}

/**
 * Fails if the button has another text than in the file, because a selector alone does not prove that it is the same
 * button.
 */
async function throwIfOtherButton(run: WizardRun, locator: Locator, text: string): Promise<void> {
  const names = await locator.evaluate(namesInPage, undefined, { timeout: 2_000 });
  const bare = (words: string) => foldText(words).replaceAll(/[^\p{L}\p{N}]+/gu, '');
  if (names.length === 0 || bare(text) === '' || names.some((name) => bare(name) === bare(text))) return;
  const other = quote(run.redactor.pageText(names[0] ?? ''), 80);
  throw runError(
    'selector_not_found',
    `The button ${quote(text)} of page ${run.pageNumber}: its selector now matches ${other}, which is another element.`,
    { technical_details: 'ELEMENT_CHANGED' },
  );
}

/** Runs in the page: lists all possible names of a button. */
function namesInPage(button: Element): string[] {
  const tidy = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim();
  const labelled = (button.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean);
  const root = button.getRootNode();
  const from = root instanceof ShadowRoot || root instanceof Document ? root : document;
  const names = [
    labelled.map((id) => tidy(from.getElementById(id)?.textContent)).join(' '),
    button.getAttribute('aria-label'),
    button instanceof HTMLElement ? button.innerText : button.textContent,
    button instanceof HTMLInputElement ? button.value : '',
    ...[...button.querySelectorAll('img[alt]')].map((image) => image.getAttribute('alt')),
    button.getAttribute('alt'),
    button.getAttribute('title'),
  ];
  return names.map(tidy).filter(Boolean);
}

/** Reports that a button was found by another locator than the first one of the file. */
export function reportHealedButton(
  run: WizardRun,
  button: ButtonTarget,
  { healed, selector, rung }: FoundButton,
): void {
  if (!healed) return;
  const known = button.source ?? {
    name: 'continue_button',
    filePath: ['pages', run.pageNumber - 1, 'continue_button'],
  };
  addHealed(run, { ...known, from: button.selector, to: selector, rung });
}

/** A handwritten file may have a bare tag name, which is a CSS selector. */
const isWords = (selector: string) =>
  !looksLikeSelector(selector) && !/^(?:a|button|input|select|textarea|form|label)$/.test(selector);

/** A button or link with this name, else any element with exactly this text. */
async function byWords(run: WizardRun, words: string, timeoutMs: number): Promise<FoundButton> {
  const page = run.page();
  const named = page
    .getByRole('button', { name: words, exact: true })
    .or(page.getByRole('link', { name: words, exact: true }));
  const shown = page.getByText(words, { exact: true });
  const deadline = performance.now() + timeoutMs;
  const rest = createRestDetector(run.pendingRequests);
  for (let isOver = false; ; ) {
    const [names, texts] = await Promise.all([named.count(), shown.count()]);
    const count = names || texts;
    const locator = names > 0 ? named : shown;
    if (count === 1) return { locator, selector: `text=${JSON.stringify(words)}`, rung: 0, healed: false };
    const left = deadline - performance.now();
    if (isOver || left <= 0) throw noElementError(words, count);
    isOver = rest.isAtRest(await waitForChange(page, Math.min(left, PAGE_POLL_MS)));
    run.signal.throwIfAborted();
  }
}

function noElementError(words: string, count: number): Error {
  const many = count > 1 ? `${count} elements match` : 'no element matches';
  return runError('selector_not_found', `No single element to click has the text ${quote(words)}: ${many}.`);
}

/** Clicks as soon as the button can be clicked, and fails if the page settles with an obstacle in front of it. */
export async function clickButton(button: FoundButton, what: string, run: WizardRun): Promise<void> {
  await clickGuarded(run, { selector: button.selector, what }, () => clickOnce(button, what, run));
}

async function clickOnce({ locator, ladder }: FoundButton, what: string, run: WizardRun): Promise<void> {
  if (ladder && (await fastClick(run.page(), ladder, { timeoutMs: run.remainingMs() }))) return;
  const over = new AbortController();
  const obstacle = waitForObstacle(run, locator, over.signal).then((found) => {
    if (found) over.abort();
    return found;
  });
  try {
    await locator.click({ timeout: Math.min(APPEAR_MS, run.remainingMs()), signal: over.signal });
  } catch (error) {
    const found = over.signal.aborted ? await obstacle : undefined;
    if (!found) throw actionFailure(error, what);
    const cover = found.cover ? ` (${quote(found.cover, 100)})` : '';
    throw new Failure('bad_input', found.code, `${what} cannot be used: ${reasons[found.code]}${cover}.`, {
      corrective_action: 'Call federalscout_check_wizard: it reports what has changed on the page.',
    });
  } finally {
    over.abort();
  }
}

const reasons = {
  ELEMENT_COVERED: 'another element covers it',
  ELEMENT_DISABLED: 'it is disabled',
} as const;

interface Obstacle {
  code: keyof typeof reasons;
  cover?: string;
}

/** The obstacle that keeps a click waiting on a settled page; undefined if the click has ended. */
async function waitForObstacle(run: WizardRun, locator: Locator, signal: AbortSignal): Promise<Obstacle | undefined> {
  const rest = createRestDetector(run.pendingRequests);
  const begun = performance.now();
  try {
    while (!signal.aborted && !run.page().isClosed()) {
      if (!rest.isAtRest(await waitForChange(run.page(), PAGE_POLL_MS)) || signal.aborted) continue;
      const [obstacle] = await locator.evaluateAll(obstaclesInPage);
      const mayPass = obstacle?.code === 'ELEMENT_DISABLED' && performance.now() < begun + DISABLED_MS;
      if (obstacle && !mayPass) return obstacle;
    }
  } catch {
    // The page has advanced, and the click with it.
  }
  return undefined;
}

/** Runs in the page: finds the obstacle in front of each button. The hit test needs a scrolled page. */
function obstaclesInPage(buttons: readonly Element[]): (Obstacle | null)[] {
  return buttons.map((button) => {
    if (button.matches(':disabled') || button.getAttribute('aria-disabled') === 'true')
      return { code: 'ELEMENT_DISABLED' };
    const box = button.getBoundingClientRect();
    const root = button.getRootNode();
    const from = root instanceof ShadowRoot ? root : document;
    const top = from.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    if (!top || button.contains(top) || top.contains(button)) return null;
    const bare = top.cloneNode(false);
    return { code: 'ELEMENT_COVERED', cover: bare instanceof Element ? bare.outerHTML.replace(/<\/.*$/, '') : '' };
  });
}
