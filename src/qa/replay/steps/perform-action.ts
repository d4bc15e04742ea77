import type { ElementHandle, Frame, Locator, Page } from 'playwright-core';
import { Failure, quote } from '../../../platform/errors.ts';
import { actionFailure } from '../../../platform/page/act/action-failure.ts';
import { fastClick } from '../../../platform/page/act/fast-click.ts';
import { isSameSite } from '../../scan/start-url.ts';
import type { ScriptAction } from '../../scripts/model/script-steps.ts';
import { describeRateLimit, isEndedBrowserError } from '../classify-failure.ts';
import { hasClosedItsTab } from '../session/closed-tab.ts';
import type { ReplaySession } from '../session/replay-session.ts';
import { findElement } from './find-element.ts';
import { clickRepeatedly } from './repeated-click.ts';

export interface StepLimits {
  /** How long an element may take to appear. */
  elementMs: number;
  /** How long a page may take to load. */
  pageMs: number;
  /** How long an expectation may take to come true. */
  expectMs: number;
  /** How long one step may take. After it, the page or its browser no longer responds. */
  stepMs: number;
}

export const defaultLimits: StepLimits = { elementMs: 8000, pageMs: 30_000, expectMs: 5000, stepMs: 120_000 };

export interface PerformedStep {
  /** Index of the rung that found the element, if not the best one. */
  healedBy?: number;
}

/** Performs an action like a user. Throws if the element is not found or the action is not possible. */
export async function performAction(
  session: ReplaySession,
  step: ScriptAction,
  limits: StepLimits = defaultLimits,
): Promise<PerformedStep> {
  const page = session.page();
  session.meter.steps++;
  session.startStep();
  switch (step.do) {
    case 'goto':
      await openPage(session, page, session.fillIn(step.url), limits);
      return {};
    case 'reload':
      await retryWhenAttached(page, limits, (timeout) => page.reload({ timeout })).catch((error: unknown) => {
        throw isTimeout(error) ? tooSlow(page.url(), limits) : error;
      });
      return {};
    case 'back':
      await goBack(page, limits);
      return {};
    default:
      try {
        return await performOnElement(session, page, step, limits);
      } catch (error) {
        if (await hasClosedItsTab(session, page, error)) return {};
        throw actionFailure(error, `“${step.on.name}”`);
      }
  }
}

/** A page that is replacing another has no history yet and cannot be reloaded. */
async function retryWhenAttached(
  page: Page,
  { pageMs: timeout }: StepLimits,
  move: (timeout: number) => Promise<unknown>,
): Promise<void> {
  try {
    await move(timeout);
  } catch (error) {
    if (!/Not attached to an active page/.test(String(error))) throw error;
    await page.waitForLoadState('load', { timeout });
    await move(timeout);
  }
}

/** Going back after a submission in a frame changes only the frame, so Playwright would wait for a new page in vain. */
async function goBack(page: Page, limits: StepLimits): Promise<void> {
  let inFrame = false;
  const note = (frame: Frame) => {
    inFrame ||= frame.parentFrame() !== null;
  };
  page.on('framenavigated', note);
  try {
    await retryWhenAttached(page, limits, (timeout) => page.goBack({ timeout }));
  } catch (error) {
    if (!isTimeout(error)) throw error;
    if (!inFrame) throw tooSlow('The page before', limits);
    const message =
      'Going back changed only a frame of the page. Remove the step, or test the page of the frame directly.';
    throw new Failure('site_failed', 'ONLY_FRAME', message);
  } finally {
    page.off('framenavigated', note);
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

function tooSlow(what: string, { pageMs }: StepLimits): Failure {
  return new Failure('site_failed', 'TOO_SLOW', `${what} did not load within ${pageMs / 1000} s.`);
}

async function openPage(session: ReplaySession, page: Page, url: string, limits: StepLimits): Promise<void> {
  const target = new URL(url, session.baseUrl).href;
  if (session.holdsSecret(url)) requireSameSite(session, target);
  const opening = page.goto(target, { timeout: limits.pageMs, waitUntil: 'load' });
  const response = await opening.catch((error: unknown) => {
    throw isTimeout(error) ? tooSlow(url, limits) : error;
  });
  const status = response?.status() ?? 0;
  const turnedAway = describeRateLimit({ method: 'GET', path: url, status });
  if (turnedAway) throw new Failure('unavailable', 'TURNED_AWAY', turnedAway, { status });
  if (status !== 404 && status !== 410) return;
  throw new Failure('site_failed', 'PAGE_GONE', `${url} no longer exists: the site answered with ${status}.`, {
    status,
  });
}

type ElementAction = Exclude<ScriptAction, { do: 'goto' | 'reload' | 'back' }>;

async function performOnElement(
  session: ReplaySession,
  page: Page,
  step: ElementAction,
  limits: StepLimits,
): Promise<PerformedStep> {
  if (step.do === 'click') {
    // Other dialogs are dismissed, so this one must not open.
    if (step.confirms) await page.evaluate(() => Object.assign(globalThis, { confirm: () => true }));
    if (step.unchecked) await page.evaluate(disableValidation);
    if (step.times === 1 && (await fastClick(page, step.on.ladder, { timeoutMs: limits.pageMs }))) return {};
  }
  const found = await findElement(page, step.on, limits.elementMs);
  if (entersSecretValue(session, step)) await enterSecretValue(session, found.locator, step, limits.elementMs);
  else await performOnLocator(session, found.locator, step, limits.elementMs);
  return found.healed ? { healedBy: found.rung } : {};
}

async function performOnLocator(
  session: ReplaySession,
  locator: Locator,
  step: ElementAction,
  timeout: number,
): Promise<void> {
  switch (step.do) {
    case 'check':
      if (!step.hidden) await locator.setChecked(step.checked, { timeout });
      else if ((await locator.isChecked()) !== step.checked) await locator.dispatchEvent('click');
      break;
    case 'click':
      if (step.times > 1) await clickRepeatedly(session.page(), locator, { times: step.times, timeout });
      else await locator.click({ timeout });
      break;
    case 'press':
      await locator.press(step.key, { timeout });
      break;
    case 'type':
      await locator.pressSequentially(session.fillIn(step.value), { timeout });
      break;
    default:
      await enterValue(session, locator, step, timeout);
  }
}

type ValueAction = Exclude<ElementAction, { do: 'check' | 'click' | 'press' }>;

/** Enters a value into an element. */
async function enterValue(
  session: ReplaySession,
  to: Locator | ElementHandle,
  step: ValueAction,
  timeout: number,
): Promise<void> {
  switch (step.do) {
    case 'fill':
      await to.fill(session.fillIn(step.value), { timeout });
      break;
    case 'fillSecret':
      await to.fill(session.secret(step.secret), { timeout });
      break;
    case 'type':
      await to.type(session.fillIn(step.value), { timeout });
      break;
    case 'select':
      await to.selectOption(
        step.options.map((option) => session.fillIn(option)),
        { timeout },
      );
      break;
    case 'upload': {
      const { name, type, content } = step.file;
      await to.setInputFiles({ name, mimeType: type, buffer: Buffer.from(session.fillIn(content)) }, { timeout });
      break;
    }
  }
}

function entersSecretValue({ holdsSecret }: ReplaySession, step: ElementAction): step is ValueAction {
  switch (step.do) {
    case 'fillSecret':
      return true;
    case 'fill':
    case 'type':
      return holdsSecret(step.value);
    case 'select':
      return step.options.some(holdsSecret);
    case 'upload':
      return holdsSecret(step.file.content);
    default:
      return false;
  }
}

/**
 * Enters a secret only on a page of the site, and in no frame of another origin. The element handle belongs to one document,
 * so no other document can replace it in between. Playwright's errors quote the value, so they are not passed on.
 */
async function enterSecretValue(
  session: ReplaySession,
  locator: Locator,
  step: ValueAction,
  timeout: number,
): Promise<void> {
  const what = step.do === 'fillSecret' ? `The secret ${step.secret}` : 'A value with a secret';
  try {
    const element = await locator.elementHandle({ timeout });
    let frame = await element?.ownerFrame();
    // A frame without its own address is written by the page around it.
    while (frame && /^about:/.test(frame.url())) frame = frame.parentFrame();
    requireSameSite(session, frame?.url() ?? '');
    if (element) await enterValue(session, element, step, timeout);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (isEndedBrowserError(String(error))) throw new Failure('unavailable', 'BROWSER_GONE', 'The browser ended.');
    throw new Failure('site_failed', 'NOT_FILLED', `${what} could not be entered.`);
  }
}

function requireSameSite({ baseUrl }: ReplaySession, address: string): void {
  const url = URL.parse(address);
  if (url && isSameSite(new URL(baseUrl), url)) return;
  const where = url?.origin ?? 'a page without an address';
  const message = `No secret is entered on ${quote(where, 200)}: it is not part of the site ${quote(baseUrl, 200)}.`;
  throw new Failure('site_failed', 'OTHER_SITE', message, { origin: where });
}

/** Runs in the page. */
function disableValidation(): void {
  for (const form of document.forms) form.noValidate = true;
}
