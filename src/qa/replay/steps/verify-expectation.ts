import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { Failure, quote } from '../../../platform/errors.ts';
import { type FoundElement, locateRung, readTargetFacts } from '../../../platform/page/locate/element-finder.ts';
import { toPageTarget } from '../../../platform/page/locate/element-target.ts';
import type { Rung } from '../../../platform/page/page-model.ts';
import { waitForChange } from '../../../platform/page/settle/settle.ts';
import {
  beginningPattern,
  type EachExpectation,
  filePattern,
  isInEach,
  isWriteRequest,
  listedRoleSelectors,
  pathPattern,
  pathWithin,
  type ScriptExpectation,
  type ScriptStep,
} from '../../scripts/model/script-steps.ts';
import { hasClosedItsTab } from '../session/closed-tab.ts';
import type { ReplaySession } from '../session/replay-session.ts';
import { findElement } from './find-element.ts';
import type { PerformedStep, StepLimits } from './perform-action.ts';
import { defaultLimits } from './perform-action.ts';

/** Whether the expectation holds, and if not, what was found instead. */
interface CheckResult {
  holds: boolean;
  instead: string;
  /** For a text: a text with the same beginning. For an address: the actual one. */
  found?: string;
  healedBy?: number;
  /** Waiting cannot change it. */
  isFinal?: boolean;
}

const ENABLE_DELAY_MS = 1000;

/** Expectations that hold until something happens. */
const absenceExpectations: readonly ScriptStep['do'][] = ['expectNoText', 'expectNoRequest', 'expectNoErrors'];
/** Expectations about sent requests and errors, which waiting cannot change. */
const finalExpectations: readonly ScriptStep['do'][] = ['expectNoRequest', 'expectNoErrors'];

/** Waits until an expectation holds. After its time limit, throws what was found instead. */
export async function verifyExpectation(
  session: ReplaySession,
  step: ScriptExpectation,
  limits: StepLimits = defaultLimits,
): Promise<PerformedStep> {
  session.meter.steps++;
  // A missing element may still be loading.
  if ((absenceExpectations.includes(step.do) || 'times' in step) && limits.expectMs > 0)
    await session.waitForResponses(session.page(), limits.expectMs);
  const until = Date.now() + limits.expectMs;
  for (;;) {
    const left = until - Date.now();
    const page = session.page();
    const seen = await checkExpectation(session, step, left).catch((error: unknown) =>
      ignoreNavigation(session, page, error, left),
    );
    if (seen?.holds) return seen.healedBy === undefined ? {} : { healedBy: seen.healedBy };
    if (left <= 0 || seen?.isFinal || finalExpectations.includes(step.do) || isServerErrorPage(session))
      throw expectationFailure(session, step, seen ?? { instead: 'the page was still changing' });
    if (session.page() === page) await waitForChange(page, Math.min(left, 250));
  }
}

/** An expectation cannot come true on an error page of the server. */
function isServerErrorPage({ sent }: ReplaySession): boolean {
  return (sent.findLast(({ opensPage }) => opensPage)?.status ?? 0) >= 500;
}

/** A page that is being replaced cannot be read; the next page can, or the one that opened the tab. */
async function ignoreNavigation(session: ReplaySession, page: Page, error: unknown, left: number): Promise<undefined> {
  const isMoving = error instanceof Error && /Execution context was destroyed|navigat|detached/i.test(error.message);
  if (left > 0 && (isMoving || (await hasClosedItsTab(session, page, error)))) return;
  throw error;
}

function expectationFailure(
  { describe }: ReplaySession,
  step: ScriptExpectation,
  { instead, found }: Pick<CheckResult, 'instead' | 'found'>,
): Failure {
  const message = `Expected: ${describe(step)}. Instead: ${instead}.`;
  const details = { expectation: step.do, oracle: step.oracle, instead, ...(found !== undefined && { found }) };
  return new Failure('site_failed', 'EXPECTATION', message, details);
}

async function checkExpectation(session: ReplaySession, step: ScriptExpectation, left: number): Promise<CheckResult> {
  const page = session.page();
  switch (step.do) {
    case 'expectUrl': {
      const path = pathWithin(page.url(), session.baseUrl);
      const holds = pathPattern(session.fillIn(step.path)).test(path);
      return { holds, instead: `the page is ${quote(session.redact(path))}`, found: path };
    }
    case 'expectText':
    case 'expectNoText': {
      const text = await visibleText(session, step.inParts);
      const wanted = oneLine(session.fillIn(step.text));
      const isThere = text.includes(wanted);
      if (step.do === 'expectNoText') return { holds: !isThere, instead: 'it does' };
      if (isThere) return { holds: true, instead: '' };
      const said = nearestText(session.redact(text), session.redact(wanted));
      return { holds: false, instead: `the page says ${quote(said, 200)}`, found: nearestText(text, wanted) };
    }
    case 'expectDialog': {
      const said = oneLine(session.dialogTexts().join(' '));
      const instead = said ? `it says ${quote(session.redact(said), 200)}` : 'there is none';
      return { holds: said.includes(oneLine(session.fillIn(step.text))), instead };
    }
    case 'expectDownload':
      return checkDownloads(session, step);
    case 'expectVisible': {
      const found = await checkVisible(session, step, left);
      return { holds: found.visible, instead: found.instead, ...found.healed };
    }
    case 'expectValue': {
      const { facts, locator, ...found } = await findElement(page, step.on, Math.max(1, left));
      // The element was found. Reading it may exceed the time limit.
      const value = facts.kind === 'password' ? await locator.inputValue({ timeout: 1000 }) : facts.value;
      return {
        holds: value === session.fillIn(step.value),
        instead: `its value is ${quote(session.redact(value), 80)}`,
        ...healing(found),
      };
    }
    case 'expectInvalid': {
      const { facts, ...found } = await findElement(page, step.on, Math.max(1, left));
      const raised = facts.validity;
      const isRefused = step.flag ? raised.includes(step.flag) : raised.length > 0 && !raised.includes('valid');
      const instead = raised.includes('valid') ? 'it is valid' : `it is ${raised.join(', ')}`;
      return { holds: isRefused, instead, ...healing(found) };
    }
    case 'expectDisabled': {
      const { locator, ...found } = await findElement(page, step.on, Math.max(1, left));
      const isOff = await locator.isDisabled();
      // A page may check the entered values before it enables its button.
      if (isOff && left > 0) await pause(ENABLE_DELAY_MS);
      return { holds: isOff && (await locator.isDisabled()), instead: 'it is enabled', ...healing(found) };
    }
    case 'expectCount': {
      const count = await page.locator(MAIN_SELECTOR).getByRole(step.role).count();
      return { holds: count === step.count, instead: `there are ${count}` };
    }
    case 'expectEach':
      return checkEachItem(session, step);
    case 'expectRequest':
    case 'expectNoRequest':
      return checkRequests(session, step);
    case 'expectNoErrors':
      return { holds: session.failures.length === 0, instead: session.failures.slice(0, 3).join('; ') };
  }
}

const healing = ({ healed, rung }: Pick<FoundElement, 'healed' | 'rung'>): Pick<CheckResult, 'healedBy'> =>
  healed ? { healedBy: rung } : {};

/** The main part of a page, or all of it. */
export const MAIN_SELECTOR = 'main:visible, body:not(:has(main:visible))';

async function checkEachItem(session: ReplaySession, step: EachExpectation): Promise<CheckResult> {
  const listed = session
    .page()
    .locator(MAIN_SELECTOR)
    .locator(listedRoleSelectors[step.role])
    .filter({ visible: true });
  const items = (await listed.allInnerTexts()).map(oneLine);
  const wanted = { ...step, text: session.fillIn(step.text) };
  const other = items.find((item) => !isInEach([item], wanted));
  const instead = other === undefined ? 'nothing is listed' : `one says ${quote(session.redact(other), 200)}`;
  return { holds: isInEach(items, wanted), instead };
}

async function checkDownloads(
  session: ReplaySession,
  { file, begins = '' }: Extract<ScriptExpectation, { do: 'expectDownload' }>,
): Promise<CheckResult> {
  const name = filePattern(session.fillIn(file));
  const downloads = session.downloads();
  const [one] = downloads.filter((other) => name.test(other.name));
  if (!one) {
    const names = downloads.map((other) => quote(session.redact(other.name), 80));
    return { holds: false, instead: names.length > 0 ? `it is called ${names.join(', ')}` : 'no file is offered' };
  }
  const beginning = await one.beginning;
  if (!beginning)
    return { holds: false, isFinal: true, instead: beginning === undefined ? 'it does not arrive' : 'it is empty' };
  const holds = beginningPattern(session.fillIn(begins)).test(beginning);
  return { holds, isFinal: true, instead: `it begins with ${quote(session.redact(oneLine(beginning)), 80)}` };
}

function checkRequests(session: ReplaySession, step: Extract<ScriptExpectation, { method: string }>): CheckResult {
  if (step.method === '*') {
    const [written] = session.sentInStep().filter((one) => isWriteRequest(one, session.baseUrl));
    return {
      holds: !written,
      instead: written ? `${written.method} ${quote(session.redact(written.path))} was sent` : '',
    };
  }
  const pattern = pathPattern(session.fillIn(step.path));
  const matching = session.sent.filter(({ method, path }) => method === step.method && pattern.test(path));
  if (step.do === 'expectNoRequest') return { holds: matching.length === 0, instead: 'it was sent' };
  const isAnswered = matching.some(({ status }) => status > 0 && status < 400);
  if (step.times !== undefined && matching.length > step.times)
    return { holds: false, isFinal: true, instead: `it was sent ${matching.length} times` };
  const statuses = matching.map(({ status }) => status).join(', ');
  const isOftenEnough = matching.length >= (step.times ?? 1);
  return {
    holds: isAnswered && isOftenEnough,
    instead: matching.length === 0 ? 'it was not sent' : `it was answered with ${statuses}`,
  };
}

async function checkVisible(
  session: ReplaySession,
  { on }: Extract<ScriptExpectation, { do: 'expectVisible' }>,
  left: number,
) {
  const [best] = on.ladder;
  const page = session.page();
  if (best && (await isVisible(page, best))) return { visible: true, instead: '', healed: {} };
  // The other locators are tried after the time limit: the best one may still appear.
  if (left > 0) return { visible: false, instead: 'it is not visible', healed: {} };
  const found = await findElement(page, on, 1).catch(() => undefined);
  const visible = found?.facts.visible ?? false;
  return { visible, instead: 'it is not visible', healed: visible && found ? { healedBy: found.rung } : {} };
}

/** Looks for the element in the page first, and through Playwright if it is not visible there. */
async function isVisible(page: Page, rung: Rung): Promise<boolean> {
  const target = toPageTarget(rung, undefined);
  const [first] = target ? await readTargetFacts(page, target) : [];
  return first?.visible || locateRung(page, rung).first().isVisible();
}

async function visibleText(session: ReplaySession, inParts = false): Promise<string> {
  const page = session.page();
  return oneLine(
    await (inParts ? page.evaluate(readTextWithFrames) : page.evaluate(() => document.body?.innerText ?? '')),
  );
}

/** Runs in the page. Elements of a frame have the classes of another window, so `instanceof` does not recognise them. */
function readTextWithFrames(): string {
  const roots: (Document | ShadowRoot)[] = [document];
  const texts: string[] = [];
  for (const root of roots) {
    const shown = [...('body' in root ? root.querySelectorAll('body') : root.children)];
    for (const one of shown) if ('innerText' in one && one.checkVisibility()) texts.push(String(one.innerText));
    for (const host of root.querySelectorAll('*')) {
      const framed = host instanceof HTMLIFrameElement && host.checkVisibility() ? host.contentDocument : null;
      const inner = host.shadowRoot ?? framed;
      if (inner) roots.push(inner);
    }
  }
  return texts.join('\n');
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** The part of a text with the same beginning as the expected one, for the message. */
function nearestText(text: string, wanted: string): string {
  for (let length = Math.min(24, wanted.length); length >= 4; length -= 4) {
    const at = text.indexOf(wanted.slice(0, length));
    if (at >= 0) return text.slice(at, at + wanted.length + 20);
  }
  return text.slice(0, 120);
}
