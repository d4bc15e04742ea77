import { elementOf } from './element-refs.ts';
import { contentPoint, coverOf, describeElement, frameOffset, isSeen, reachablePoint, wrappers } from './geometry.ts';
import { boxOf, windowOf } from './tree.ts';
import { isDisabled } from './widget-state.ts';

export interface ClickAim {
  /** Where a click operates the element, in the outermost document of this world. */
  x: number;
  y: number;
  /** Why a click would not reach it; empty if it would. */
  obstacle: string;
  isMoving: boolean;
}

/** Brings an element into view and finds where a person would click to operate it: on it, its label, or the box that draws it. */
export function findClickTarget({ ref }: { ref: string }): ClickAim | null {
  const element = elementOf(ref);
  if (!element) return null;
  bringIntoView(element);
  const target = reachable(element);
  const point = target?.point ?? centreOf(element);
  const offset = frameOffset(element);
  return {
    x: point.x + offset.x,
    y: point.y + offset.y,
    obstacle: target ? (isDisabled(element) ? 'it is disabled' : '') : obstacleOf(element),
    isMoving: isMoving(target?.element ?? element),
  };
}

function reachable(element: Element) {
  const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : [];
  for (const candidate of [element, ...labels, ...wrappers(element)]) {
    const point = reachablePoint(candidate);
    if (point) return { element: candidate, point };
  }
  return undefined;
}

function bringIntoView(element: Element): void {
  const target = isSeen(element)
    ? element
    : ('labels' in element && (element as HTMLInputElement).labels?.[0]) || element;
  const { top, left, bottom, right } = boxOf(target);
  const { innerWidth, innerHeight } = windowOf(target);
  const isInView = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
  if (!isInView || coverOf(target)) target.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
}

function centreOf(element: Element) {
  const { x, y, width, height } = boxOf(element);
  return { x: x + width / 2, y: y + height / 2 };
}

function obstacleOf(element: Element): string {
  if (!isSeen(element)) return 'it cannot be seen';
  const cover = coverOf(element);
  return cover
    ? `${describeElement(cover)} lies over it`
    : 'it lies outside of the part of the page that can be scrolled into view';
}

/** An animation that ends is moving it or what it lies in. */
function isMoving(element: Element): boolean {
  return windowOf(element)
    .document.getAnimations()
    .some(({ playState, effect }) => {
      if (playState !== 'running' || !(effect instanceof KeyframeEffect) || !effect.target?.contains(element))
        return false;
      return effect.getComputedTiming().iterations !== Number.POSITIVE_INFINITY;
    });
}

/** Brings a frame into view. Where its document begins, in the outermost document of this world. */
export function findFrameOrigin({ ref }: { ref: string }): { x: number; y: number } | null {
  const frame = elementOf(ref);
  if (!frame) return null;
  bringIntoView(frame);
  const { x, y } = contentPoint(frame);
  const offset = frameOffset(frame);
  return { x: x + offset.x, y: y + offset.y };
}

export function focusElement({ ref }: { ref: string }): boolean {
  const element = elementOf(ref);
  (element as HTMLElement | undefined)?.focus();
  return element !== undefined;
}
