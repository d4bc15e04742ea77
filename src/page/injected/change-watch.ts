import { ofElement, type Root, rootsOf } from './dom.ts';

/** Changes of one element that count. An element that changes more often is a clock, a ticker or a carousel. */
const COUNTED_CHANGES = 4;
const CONTENT = 'a,button,input,select,textarea,h1,h2,h3,h4,h5,h6,table,tr,li,img,form,dialog';
const OBSERVED: MutationObserverInit = {
  subtree: true,
  childList: true,
  characterData: true,
  attributes: true,
  attributeFilter: [
    ...['class', 'style', 'hidden', 'disabled', 'open', 'src', 'href', 'value', 'checked'],
    ...['aria-busy', 'aria-hidden', 'aria-expanded', 'aria-invalid', 'aria-disabled', 'aria-valuenow'],
  ],
};
/** Looking for new shadow roots walks the whole page, so it is done seldom. */
const ROOT_SEARCH_MS = 250;

let lastChange = performance.now();
let lastSearch = Number.NEGATIVE_INFINITY;
let roots: readonly Root[] = [];
let changes = new WeakMap<Node, number>();
const observed = new WeakSet<Node>();
const observer = new MutationObserver(noteChanges);

/** Begins a new period of watching: what changed before does not count. */
export function restartWatch(): void {
  changes = new WeakMap();
  lastChange = performance.now();
}

/** Milliseconds since the last change that a person would notice as the page still being built. */
export function quietPeriod(): number {
  knownRoots();
  noteChanges(observer.takeRecords());
  return performance.now() - lastChange;
}

/** Whether the element has changed so often that it is a ticker. */
export function isTicker(node: Node): boolean {
  return (changes.get(node) ?? 0) > COUNTED_CHANGES;
}

/** The roots of the page, as of a moment ago. They are watched for changes. */
export function knownRoots(): readonly Root[] {
  if (performance.now() - lastSearch < ROOT_SEARCH_MS) return roots;
  roots = rootsOf(document);
  for (const root of roots) {
    if (observed.has(root)) continue;
    observed.add(root);
    observer.observe(root, OBSERVED);
    // A root that appears later is a change itself: attaching one is no mutation.
    if (lastSearch > 0) lastChange = performance.now();
  }
  lastSearch = performance.now();
  return roots;
}

function noteChanges(records: MutationRecord[]): void {
  const counted = new Set<Node>();
  let isChange = false;
  for (const { target, addedNodes, type } of records) {
    const node = type === 'characterData' ? (target.parentNode ?? target) : target;
    if (!counted.has(node)) {
      counted.add(node);
      changes.set(node, (changes.get(node) ?? 0) + 1);
    }
    isChange ||= !isTicker(node) || [...addedNodes].some(hasContent);
  }
  if (isChange) lastChange = performance.now();
}

function hasContent(node: Node): boolean {
  if (!(node instanceof Element)) return false;
  return ofElement(node, 'matches')(CONTENT) || ofElement(node, 'querySelector')(CONTENT) !== null;
}
