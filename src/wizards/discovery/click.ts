import type { Page } from 'playwright-core';
import { Failure, quote } from '../../platform/errors.ts';
import { actionFailure } from '../../platform/page/action-failure.ts';
import type { Control, PageReading } from '../../platform/page/model.ts';
import { selectorOf } from '../../platform/page/rung-text.ts';
import { setValue } from '../../platform/page/set-value.ts';
import { settled } from '../../platform/page/settle.ts';
import { clickErrorType, discoveryError } from './failures.ts';
import { overlayAround } from './overlay.ts';
import { controlAt, type Matched, noteAnswer, noteReveals, readNow } from './reading.ts';
import { noteRows } from './row-groups.ts';
import { resolve, type SelectorType, suggestion } from './selector.ts';
import { pageOf, placeOf, type Session } from './session.ts';
import { pictureOrNull, type ShowPicture } from './view.ts';

/** A button that is disabled may look at what was entered for so long, too. */
const CLICK_MS = 5_000;
/** What is hidden on a page at rest seldom stays so for a moment only. */
const CLOSED_MS = 1_500;

export interface Clicked {
  description: string;
  moved: boolean;
  /** The page afterwards. */
  reading: PageReading;
}

/** Clicks what a selector means, records it, and waits until the page has come to rest. */
export async function clickOn(
  session: Session,
  selector: string,
  type: SelectorType,
  signal: AbortSignal,
  known?: PageReading,
): Promise<Clicked> {
  const page = pageOf(session);
  const before = known ?? (await readNow(session));
  const { locator, selector: way } = await resolve(page, selector, type);
  const matched = await controlAt(locator, before);
  const name = matched?.option?.label || matched?.control.name || selector;
  const description = `Click ${quote(name, 80)}`;
  const isHidden = matched?.control.byLabel === true;
  const timeout = (await locator.isVisible()) ? CLICK_MS : CLOSED_MS;
  await using overlay = await overlayAround(locator);
  const act = isHidden ? () => clickLabel(page, matched) : () => locator.click({ timeout });
  try {
    await settled(page, act, { signal });
  } catch (error) {
    throw actionFailure(error, `What ${quote(selector)} leads to`);
  }
  const after = await readNow(session);
  const moved = placeOf(before) !== placeOf(after);
  const uncovered = !moved && (await overlay.isGone());
  const ladder = matched?.option?.ladder ?? matched?.control.ladder ?? [];
  session.clicks.push({
    description,
    selector: type === 'auto' ? (ladder[0] ? selectorOf(ladder[0]) : way) : selector,
    selectorType: type === 'auto' ? 'css' : type,
    locators: ladder.map(selectorOf),
    moved,
    uncovered,
    saved: session.pages.size,
  });
  if (matched && !moved) {
    noteChoice(session, before, after, matched.control, matched.option?.value);
    await noteRows(session, page, matched.control, before, after);
  }
  return { description, moved, reading: after };
}

/** What cannot be seen itself is clicked by its label: a radio button is chosen, a checkbox is turned over. */
async function clickLabel(page: Page, { control, option }: Matched): Promise<void> {
  const options = { timeoutMs: CLICK_MS };
  if (control.kind === 'radio-group' && option) await setValue(page, control, option.value, options);
  else if (option)
    await setValue(page, { ...control, kind: 'checkbox', ladder: option.ladder }, !option.selected, options);
  else await setValue(page, control, control.checked !== true, options);
}

function noteChoice(
  session: Session,
  before: PageReading,
  after: PageReading,
  control: Control,
  option: string | undefined,
): void {
  const by = control.name;
  const now = after.controls.find(({ name }) => name === by);
  const value = option ?? (now?.checked === null ? undefined : String(now?.checked));
  if (value === undefined || !by) return;
  noteAnswer(session, control, value);
  noteReveals(session, before, after, control, value);
}

/** A click that failed, as the specification tells it: with the state of the page, and a selector that does exist. */
export async function explainClick(
  session: Session,
  error: unknown,
  selector: string,
  show: ShowPicture,
): Promise<unknown> {
  const type = clickErrorType(error);
  if (!type || !(error instanceof Failure)) return error;
  const reading = await readNow(session).catch(() => undefined);
  return discoveryError(
    type,
    error.message,
    {
      screenshot: await pictureOrNull(pageOf(session), show, session.secrets),
      suggestion: reading ? suggestion(reading, selector) : 'Call federalscout_get_page_info to see what there is.',
      technical_details: error.code,
    },
    error,
  );
}
