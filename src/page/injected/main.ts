import { readCalendar } from './calendar.ts';
import { findClickTarget, findFrameOrigin, focusElement } from './click-target.ts';
import { findBySelector } from './element-refs.ts';
import { findFreshInput, findShownOption, isPopupOpen, markVisible } from './fresh-elements.ts';
import { readLoadingState } from './loading-state.ts';
import { dropFocus, hasFocus, selectContent, selectNative, setNative } from './native-input.ts';
import { readDocument } from './read-document.ts';
import { readSubmissionState } from './submission-state.ts';
import { findRowCells } from './table-cells.ts';
import { readWidgetParts } from './widget-parts.ts';
import { readWidget } from './widget-reading.ts';

export { elementOf } from './element-refs.ts';

/** What the server side may call in a page, by name. Arguments and results are JSON. */
const functions = {
  dropFocus,
  findBySelector,
  findClickTarget,
  findFrameOrigin,
  findFreshInput,
  findShownOption,
  findRowCells,
  focusElement,
  hasFocus,
  isPopupOpen,
  markVisible,
  readCalendar,
  readDocument,
  readLoadingState,
  readWidget,
  readWidgetParts,
  selectContent,
  selectNative,
  setNative,
  readSubmissionState,
};

export type InjectedFunctions = typeof functions;

export function callInjected<Name extends keyof InjectedFunctions>(
  name: Name,
  argument: Parameters<InjectedFunctions[Name]>[0],
): string {
  const call = functions[name] as (given: typeof argument) => unknown;
  return JSON.stringify(call(argument) ?? null);
}
