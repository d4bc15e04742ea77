import type { Locator, Page } from 'playwright-core';
import { Failure } from '../../platform/errors.ts';
import { actionFailure } from '../../platform/page/action-failure.ts';
import { clickAtOnce } from '../../platform/page/click-at-once.ts';
import type { Action } from '../scripts/model.ts';
import { isOfEndedBrowser } from './classify.ts';
import { findPlace } from './find-place.ts';
import type { Stage } from './stage.ts';

export interface Limits {
  /** How long an element may take to appear. */
  elementMs: number;
  /** How long a page may take to load. */
  pageMs: number;
  /** How long an expectation may take to come true. */
  expectMs: number;
}

export const usualLimits: Limits = { elementMs: 8000, pageMs: 30_000, expectMs: 5000 };

export interface Performed {
  /** It was found by another rung than the best: which, from 0. */
  healedBy?: number;
}

/** Does what a user would do. What cannot be found or done is thrown. */
export async function perform(stage: Stage, step: Action, limits: Limits = usualLimits): Promise<Performed> {
  const page = stage.page();
  stage.meter.steps++;
  switch (step.do) {
    case 'goto':
      await open(stage, page, stage.fillIn(step.url), limits);
      return {};
    case 'reload':
      await page.reload({ timeout: limits.pageMs });
      return {};
    case 'back':
      await page.goBack({ timeout: limits.pageMs });
      return {};
    default:
      try {
        return await onElement(stage, page, step, limits);
      } catch (error) {
        throw actionFailure(error, `“${step.on.name}”`);
      }
  }
}

async function open(stage: Stage, page: Page, url: string, limits: Limits): Promise<void> {
  const target = new URL(url, stage.baseUrl).href;
  const response = await page.goto(target, { timeout: limits.pageMs, waitUntil: 'load' });
  const status = response?.status() ?? 0;
  if (status !== 404 && status !== 410) return;
  throw new Failure('site_failed', 'PAGE_GONE', `${url} is no longer there: the site answered with ${status}.`, {
    status,
  });
}

type OnElement = Exclude<Action, { do: 'goto' | 'reload' | 'back' }>;

async function onElement(stage: Stage, page: Page, step: OnElement, limits: Limits): Promise<Performed> {
  if (step.do === 'click') {
    // Every other question of a page is answered with no, so this one must not come up.
    if (step.confirms) await page.evaluate(() => Object.assign(globalThis, { confirm: () => true }));
    if (step.unchecked) await page.evaluate(uncheckForms);
    if (await clickAtOnce(page, step.on.ladder, { times: step.times, timeoutMs: limits.pageMs })) return {};
  }
  const found = await findPlace(page, step.on, limits.elementMs);
  const { locator } = found;
  const timeout = limits.elementMs;
  switch (step.do) {
    case 'fill':
      await locator.fill(stage.fillIn(step.value), { timeout });
      break;
    case 'fillSecret':
      stage.entered.add(stage.secret(step.secret));
      await fillSecret(locator, stage.secret(step.secret), step.secret, timeout);
      break;
    case 'type':
      await locator.pressSequentially(stage.fillIn(step.value), { timeout });
      break;
    case 'select':
      await locator.selectOption(
        step.options.map((option) => stage.fillIn(option)),
        { timeout },
      );
      break;
    case 'check':
      if (!step.hidden) await locator.setChecked(step.checked, { timeout });
      else if ((await locator.isChecked()) !== step.checked) await locator.dispatchEvent('click');
      break;
    case 'click':
      await locator.click({ timeout, clickCount: step.times });
      break;
    case 'press':
      await locator.press(step.key, { timeout });
      break;
    case 'upload': {
      const { name, type, content } = step.file;
      const buffer = Buffer.from(stage.fillIn(content));
      await locator.setInputFiles({ name, mimeType: type, buffer }, { timeout });
      break;
    }
  }
  return found.healed ? { healedBy: found.rung } : {};
}

/** In the page. */
function uncheckForms(): void {
  for (const form of document.forms) form.noValidate = true;
}

/** Playwright's own errors quote what was to be filled in. */
async function fillSecret(locator: Locator, value: string, name: string, timeout: number): Promise<void> {
  try {
    await locator.fill(value, { timeout });
  } catch (error) {
    if (isOfEndedBrowser(String(error))) throw new Failure('unavailable', 'BROWSER_GONE', 'The browser ended.');
    throw new Failure('site_failed', 'NOT_FILLED', `The secret ${name} could not be entered.`);
  }
}
