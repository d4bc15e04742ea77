import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { Failure, quote } from '../../platform/errors.ts';
import { type Found, factsOf, locate } from '../../platform/page/ladder.ts';
import { targetOf } from '../../platform/page/marks.ts';
import type { Rung } from '../../platform/page/model.ts';
import { nextChange } from '../../platform/page/settle.ts';
import {
  beginningPattern,
  type EachExpectation,
  type Expectation,
  filePattern,
  isInEach,
  isWriting,
  listedAs,
  pathPattern,
  pathWithin,
  type Step,
} from '../scripts/model.ts';
import { hasClosedItsTab } from './closed-tab.ts';
import { findPlace } from './find-place.ts';
import type { Limits, Performed } from './perform.ts';
import { usualLimits } from './perform.ts';
import type { Stage } from './stage.ts';

/** How it stands now: it holds, or what was there instead. */
interface Look {
  holds: boolean;
  instead: string;
  /** For a text: what begins as it does. For an address: the one that it is. */
  found?: string;
  healedBy?: number;
  /** Waiting changes nothing of it. */
  isFinal?: boolean;
}

const THINKS_MS = 1000;

/** What holds as long as nothing comes. */
const negative: readonly Step['do'][] = ['expectNoText', 'expectNoRequest', 'expectNoErrors'];
/** What has once been sent, or gone wrong, stays so: there is nothing to wait for. */
const lasting: readonly Step['do'][] = ['expectNoRequest', 'expectNoErrors'];

/** Waits until an expectation holds. When its time is up, what was there instead is thrown. */
export async function verify(stage: Stage, step: Expectation, limits: Limits = usualLimits): Promise<Performed> {
  stage.meter.steps++;
  // What is not there yet may still be on its way.
  if ((negative.includes(step.do) || 'times' in step) && limits.expectMs > 0)
    await stage.rest(stage.page(), limits.expectMs);
  const until = Date.now() + limits.expectMs;
  for (;;) {
    const left = until - Date.now();
    const page = stage.page();
    const seen = await look(stage, step, left).catch((error: unknown) => unlessMoving(stage, page, error, left));
    if (seen?.holds) return seen.healedBy === undefined ? {} : { healedBy: seen.healedBy };
    if (left <= 0 || seen?.isFinal || lasting.includes(step.do) || hasBroken(stage))
      throw notSo(stage, step, seen ?? { instead: 'the page was still changing' });
    if (stage.page() === page) await nextChange(page, Math.min(left, 250));
  }
}

/** What a server error has put in the place of a page will not come true by waiting. */
function hasBroken({ sent }: Stage): boolean {
  return (sent.findLast(({ opensPage }) => opensPage)?.status ?? 0) >= 500;
}

/** A page that is being replaced cannot be looked at; the next one can, or the one that a tab was opened from. */
async function unlessMoving(stage: Stage, page: Page, error: unknown, left: number): Promise<undefined> {
  const isMoving = error instanceof Error && /Execution context was destroyed|navigat|detached/i.test(error.message);
  if (left > 0 && (isMoving || (await hasClosedItsTab(stage, page, error)))) return;
  throw error;
}

function notSo({ describe }: Stage, step: Expectation, { instead, found }: Pick<Look, 'instead' | 'found'>): Failure {
  const message = `Expected: ${describe(step)}. Instead: ${instead}.`;
  const details = { expectation: step.do, oracle: step.oracle, instead, ...(found !== undefined && { found }) };
  return new Failure('site_failed', 'EXPECTATION', message, details);
}

async function look(stage: Stage, step: Expectation, left: number): Promise<Look> {
  const page = stage.page();
  switch (step.do) {
    case 'expectUrl': {
      const path = pathWithin(page.url(), stage.baseUrl);
      const holds = pathPattern(stage.fillIn(step.path)).test(path);
      return { holds, instead: `the page is ${quote(stage.clean(path))}`, found: path };
    }
    case 'expectText':
    case 'expectNoText': {
      const text = await visibleText(stage, step.inParts);
      const wanted = oneLine(stage.fillIn(step.text));
      const isThere = text.includes(wanted);
      if (step.do === 'expectNoText') return { holds: !isThere, instead: 'it does' };
      if (isThere) return { holds: true, instead: '' };
      const said = nearest(stage.clean(text), stage.clean(wanted));
      return { holds: false, instead: `the page says ${quote(said, 200)}`, found: nearest(text, wanted) };
    }
    case 'expectDialog': {
      const said = oneLine(stage.spoken().join(' '));
      const instead = said ? `it says ${quote(stage.clean(said), 200)}` : 'there is none';
      return { holds: said.includes(oneLine(stage.fillIn(step.text))), instead };
    }
    case 'expectDownload':
      return lookAtFiles(stage, step);
    case 'expectVisible': {
      const found = await seen(stage, step, left);
      return { holds: found.visible, instead: found.instead, ...found.healed };
    }
    case 'expectValue': {
      const { facts, locator, ...found } = await findPlace(page, step.on, Math.max(1, left));
      // It was found: reading it takes a moment, even where no time to wait is left.
      const value = facts.kind === 'password' ? await locator.inputValue({ timeout: 1000 }) : facts.value;
      return {
        holds: value === stage.fillIn(step.value),
        instead: `it holds ${quote(stage.clean(value), 80)}`,
        ...healing(found),
      };
    }
    case 'expectInvalid': {
      const { facts, ...found } = await findPlace(page, step.on, Math.max(1, left));
      const raised = facts.validity;
      const isRefused = step.flag ? raised.includes(step.flag) : raised.length > 0 && !raised.includes('valid');
      const instead = raised.includes('valid') ? 'it is accepted' : `it is ${raised.join(', ')}`;
      return { holds: isRefused, instead, ...healing(found) };
    }
    case 'expectDisabled': {
      const { locator, ...found } = await findPlace(page, step.on, Math.max(1, left));
      const isOff = await locator.isDisabled();
      // A page may think about what was entered before it lets its button be clicked.
      if (isOff && left > 0) await pause(THINKS_MS);
      return { holds: isOff && (await locator.isDisabled()), instead: 'it can be', ...healing(found) };
    }
    case 'expectCount': {
      const count = await page.locator(MAIN).getByRole(step.role).count();
      return { holds: count === step.count, instead: `there are ${count}` };
    }
    case 'expectEach':
      return lookAtEach(stage, step);
    case 'expectRequest':
    case 'expectNoRequest':
      return lookAtRequests(stage, step);
    case 'expectNoErrors':
      return { holds: stage.failures.length === 0, instead: stage.failures.slice(0, 3).join('; ') };
  }
}

const healing = ({ healed, rung }: Pick<Found, 'healed' | 'rung'>): Pick<Look, 'healedBy'> =>
  healed ? { healedBy: rung } : {};

/** Where a page says what it is about: its main part, or all of it. */
export const MAIN = 'main:visible, body:not(:has(main:visible))';

async function lookAtEach(stage: Stage, step: EachExpectation): Promise<Look> {
  const listed = stage.page().locator(MAIN).locator(listedAs[step.role]).filter({ visible: true });
  const items = (await listed.allInnerTexts()).map(oneLine);
  const wanted = { ...step, text: stage.fillIn(step.text) };
  const other = items.find((item) => !isInEach([item], wanted));
  const instead = other === undefined ? 'nothing is listed' : `one says ${quote(stage.clean(other), 200)}`;
  return { holds: isInEach(items, wanted), instead };
}

async function lookAtFiles(
  stage: Stage,
  { file, begins = '' }: Extract<Expectation, { do: 'expectDownload' }>,
): Promise<Look> {
  const name = filePattern(stage.fillIn(file));
  const offered = stage.offered();
  const [one] = offered.filter((other) => name.test(other.name));
  if (!one) {
    const names = offered.map((other) => quote(stage.clean(other.name), 80));
    return { holds: false, instead: names.length > 0 ? `it is called ${names.join(', ')}` : 'no file is offered' };
  }
  const beginning = await one.beginning;
  if (!beginning)
    return { holds: false, isFinal: true, instead: beginning === undefined ? 'it does not arrive' : 'it is empty' };
  const holds = beginningPattern(stage.fillIn(begins)).test(beginning);
  return { holds, isFinal: true, instead: `it begins with ${quote(stage.clean(oneLine(beginning)), 80)}` };
}

function lookAtRequests(stage: Stage, step: Extract<Expectation, { method: string }>): Look {
  if (step.method === '*') {
    const [written] = stage.sentSince().filter((one) => isWriting(one, stage.baseUrl));
    return {
      holds: !written,
      instead: written ? `${written.method} ${quote(stage.clean(written.path))} was sent` : '',
    };
  }
  const pattern = pathPattern(stage.fillIn(step.path));
  const matching = stage.sent.filter(({ method, path }) => method === step.method && pattern.test(path));
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

async function seen(stage: Stage, { on }: Extract<Expectation, { do: 'expectVisible' }>, left: number) {
  const [best] = on.ladder;
  const page = stage.page();
  if (best && (await isSeen(page, best))) return { visible: true, instead: '', healed: {} };
  // Only when the time is up are the other ways tried: the best one may be about to appear.
  if (left > 0) return { visible: false, instead: 'it cannot be seen', healed: {} };
  const found = await findPlace(page, on, 1).catch(() => undefined);
  const visible = found?.facts.visible ?? false;
  return { visible, instead: 'it cannot be seen', healed: visible && found ? { healedBy: found.rung } : {} };
}

/** With the page's own means, which is the usual case; where they do not see it, Playwright's may. */
async function isSeen(page: Page, rung: Rung): Promise<boolean> {
  const target = targetOf(rung, undefined);
  const [first] = target ? await factsOf(page, target) : [];
  return first?.visible || locate(page, rung).first().isVisible();
}

async function visibleText(stage: Stage, inParts = false): Promise<string> {
  const page = stage.page();
  return oneLine(await (inParts ? page.evaluate(textOfParts) : page.evaluate(() => document.body?.innerText ?? '')));
}

/** In the page. What is in a frame is of the classes of another window, so it is told by what it has. */
function textOfParts(): string {
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

/** The part of a text that begins as the wanted one does, for a message that helps. */
function nearest(text: string, wanted: string): string {
  for (let length = Math.min(24, wanted.length); length >= 4; length -= 4) {
    const at = text.indexOf(wanted.slice(0, length));
    if (at >= 0) return text.slice(at, at + wanted.length + 20);
  }
  return text.slice(0, 120);
}
