import type { Page } from 'playwright-core';
import { actAndSettle } from '../../../page/settle/settle.ts';
import { Failure, quote } from '../../../platform/errors.ts';
import { actionFailure } from '../../../platform/page/act/action-failure.ts';
import { setControl } from '../../../platform/page/act/set-value.ts';
import { rungToSelector } from '../../../platform/page/locate/rung-selector.ts';
import type { Control, PageReading } from '../../../platform/page/page-model.ts';
import { recordRowGroup } from '../propose/row-groups.ts';
import { type AttachScreenshot, captureScreenshotOrNull } from '../read-page/page-view.ts';
import { resolveSelector, type SelectorType, suggestSelector } from '../read-page/selector.ts';
import {
  findControlAt,
  type MatchedControl,
  readSessionPage,
  recordAnswer,
  recordReveals,
} from '../read-page/session-reading.ts';
import { clickErrorTypeOf, discoveryError } from '../session/discovery-error.ts';
import { type DiscoverySession, pageKeyOf, sessionPage } from '../session/discovery-session.ts';
import { findOverlay } from './overlay.ts';

/** Also the time that a disabled button may take to check the input. */
const CLICK_MS = 5_000;
/** An element that is hidden on a settled page seldom appears later. */
const HIDDEN_CLICK_MS = 1_500;

export interface ClickOutcome {
  description: string;
  hasMoved: boolean;
  /** The page after the click. */
  reading: PageReading;
}

/** Clicks the element that a selector means, records the click, and waits until the page has settled. */
export async function clickSelector(
  session: DiscoverySession,
  selector: string,
  type: SelectorType,
  signal: AbortSignal,
  known?: PageReading,
): Promise<ClickOutcome> {
  const page = sessionPage(session);
  const before = known ?? (await readSessionPage(session));
  const { locator, selector: way } = await resolveSelector(page, selector, type);
  const matched = await findControlAt(locator, before);
  const name = matched?.option?.label || matched?.control.name || selector;
  const description = `Click ${quote(name, 80)}`;
  const isHidden = matched?.control.byLabel === true;
  const timeout = (await locator.isVisible()) ? CLICK_MS : HIDDEN_CLICK_MS;
  await using overlay = await findOverlay(locator);
  const act = isHidden ? () => clickLabel(page, matched) : () => locator.click({ timeout });
  try {
    await actAndSettle(page, act, { signal });
  } catch (error) {
    throw actionFailure(error, `The element ${quote(selector)}`);
  }
  const after = await readSessionPage(session);
  const moved = pageKeyOf(before) !== pageKeyOf(after);
  const uncovered = !moved && (await overlay.isClosed());
  const ladder = matched?.option?.ladder ?? matched?.control.ladder ?? [];
  session.clicks.push({
    description,
    selector: type === 'auto' ? (ladder[0] ? rungToSelector(ladder[0]) : way) : selector,
    selectorType: type === 'auto' ? 'css' : type,
    locators: ladder.map(rungToSelector),
    hasMoved: moved,
    hasClosedOverlay: uncovered,
    pagesSaved: session.pages.size,
  });
  if (matched && !moved) {
    recordChoice(session, before, after, matched.control, matched.option?.value);
    await recordRowGroup(session, page, matched.control, before, after);
  }
  return { description, hasMoved: moved, reading: after };
}

/** A hidden control is clicked through its label: a radio button is chosen, a checkbox is toggled. */
async function clickLabel(page: Page, { control, option }: MatchedControl): Promise<void> {
  const options = { timeoutMs: CLICK_MS };
  if (control.kind === 'radio-group' && option) await setControl(page, control, option.value, options);
  else if (option)
    await setControl(page, { ...control, kind: 'checkbox', ladder: option.ladder }, !option.selected, options);
  else await setControl(page, control, control.checked !== true, options);
}

function recordChoice(
  session: DiscoverySession,
  before: PageReading,
  after: PageReading,
  control: Control,
  option: string | undefined,
): void {
  const by = control.name;
  const now = after.controls.find(({ name }) => name === by);
  const value = option ?? (now?.checked === null ? undefined : String(now?.checked));
  if (value === undefined || !by) return;
  recordAnswer(session, control, value);
  recordReveals(session, before, after, control, value);
}

/** The error of the specification for a failed click, with a screenshot and a selector that exists. */
export async function toClickError(
  session: DiscoverySession,
  error: unknown,
  selector: string,
  show: AttachScreenshot,
): Promise<unknown> {
  const type = clickErrorTypeOf(error);
  if (!type || !(error instanceof Failure)) return error;
  const reading = await readSessionPage(session).catch(() => undefined);
  return discoveryError(
    type,
    error.message,
    {
      screenshot: await captureScreenshotOrNull(session, sessionPage(session), show),
      suggestion: reading
        ? suggestSelector(reading, selector)
        : 'Call federalscout_get_page_info to list the elements.',
      technical_details: error.code,
    },
    error,
  );
}
