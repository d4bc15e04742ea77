import { tidyText } from './text.ts';
import { boxOf, documentOf, isWithin, parentOf, shadowOf, tagOf, windowOf } from './tree.ts';
import { isVisible } from './visibility.ts';

/** Visible and not reduced to a dot, as texts for screen readers are. */
export function isSeen(element: Element): boolean {
  const { width, height } = boxOf(element);
  return width > 1 && height > 1 && isVisible(element);
}

/** Lies in a box that shows nothing of it, such as a list for screen readers only. */
export function isClippedAway(element: Element): boolean {
  for (const outer of wrappers(element, 6)) {
    const { width, height } = boxOf(outer);
    if ((width <= 1 || height <= 1) && windowOf(outer).getComputedStyle(outer).overflow !== 'visible') return true;
  }
  return false;
}

/** The innermost element at a point of a document, through open shadow roots. */
export function elementAt(owner: Document, x: number, y: number): Element | null {
  let hit = Document.prototype.elementFromPoint.call(owner, x, y);
  for (let root = hit && shadowOf(hit); root; root = hit && shadowOf(hit)) {
    const inner = root.elementFromPoint(x, y);
    if (!inner || inner === hit) break;
    hit = inner;
  }
  return hit;
}

/** Points of a box that are tried, as parts of its width and height. */
const POINTS = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.1, 0.8],
] as const;

export interface Point {
  x: number;
  y: number;
}

/** A point at which a click reaches the element or what it contains; null where something else is on top everywhere. */
export function reachablePoint(element: Element): Point | null {
  const { x, y, width, height } = boxOf(element);
  if (width < 2 || height < 2) return null;
  for (const [across, down] of POINTS) {
    const point = { x: x + width * across, y: y + height * down };
    const hit = elementAt(documentOf(element) ?? document, point.x, point.y);
    if (hit && (isWithin(element, hit) || isPartOf(element, hit))) return point;
  }
  return null;
}

/** A text input lies in a box that answers clicks for it: the hit is an ancestor that hardly exceeds it. */
function isPartOf(element: Element, hit: Element): boolean {
  if (tagOf(hit) === 'body' || tagOf(hit) === 'html' || !isSeen(element) || !isWithin(hit, element)) return false;
  return windowOf(element).getComputedStyle(element).pointerEvents === 'none';
}

/** What lies over the middle of an element, in the part of the page that is in view. */
export function coverOf(element: Element): Element | null {
  const { x, y, width, height } = boxOf(element);
  const view = windowOf(element);
  const [middle, centre] = [x + width / 2, y + height / 2];
  if (middle < 0 || centre < 0 || middle > view.innerWidth || centre > view.innerHeight) return null;
  const hit = elementAt(documentOf(element) ?? document, middle, centre);
  if (!hit || isWithin(element, hit) || isWithin(hit, element) || reachablePoint(element)) return null;
  return hit;
}

/** How messages name an element that has no name: its tag, and what it says. */
export function describeElement(element: Element): string {
  const text = tidyText(element.textContent, 40);
  return text ? `<${tagOf(element)}> "${text}"` : `<${tagOf(element)}>`;
}

/** The position of a document in the outermost document of this world. */
export function frameOffset(element: Element): Point {
  const offset = { x: 0, y: 0 };
  for (let frame = windowOf(element).frameElement; frame; frame = windowOf(frame).frameElement) {
    const inner = contentPoint(frame);
    offset.x += inner.x;
    offset.y += inner.y;
  }
  return offset;
}

/** Where the content of a frame begins. */
export function contentPoint(frame: Element): Point {
  const box = boxOf(frame);
  const { paddingLeft, paddingTop } = windowOf(frame).getComputedStyle(frame);
  return {
    x: box.x + frame.clientLeft + Number.parseFloat(paddingLeft),
    y: box.y + frame.clientTop + Number.parseFloat(paddingTop),
  };
}

/** Ancestors as shown that are not much more than the element: its box, its label, its wrapper. */
export function* wrappers(element: Element, limit = 4): Generator<Element> {
  for (let at = parentOf(element), depth = 0; at && depth < limit; at = parentOf(at), depth++) {
    if (tagOf(at) === 'body' || tagOf(at) === 'form') return;
    yield at;
  }
}
