import type { WidgetPattern } from '../snapshot/page-snapshot.ts';
import { isEditableHost, labelsOf, roleOf } from './accessibility.ts';
import { isClippedAway, isSeen } from './geometry.ts';
import {
  ancestors,
  attribute,
  closest,
  hasAttribute,
  matches,
  parentOf,
  shadowOf,
  styleOf,
  tagOf,
  walk,
} from './tree.ts';
import { absorbsChildren, isWidgetRole, patternOf } from './widget-pattern.ts';

/** The elements of a document by what they are, each list in the order of the page. */
export interface FoundParts {
  order: Map<Element, number>;
  roles: Map<Element, string>;
  /** Of the controls of one element. */
  patterns: Map<Element, WidgetPattern>;
  containers: Element[];
  radios: Element[];
  checkboxes: Element[];
  /** Controls of one element. */
  singles: Element[];
  messages: Element[];
  data: Element[];
  /** Elements that react to a person and have no role that says how. */
  unclear: { element: Element; reason: string }[];
  frames: Element[];
  isCut: boolean;
}

const MAX_ELEMENTS = 150_000;
/** Looking at the pointer needs the style of each element. */
const MAX_POINTERS = 5_000;

const REGIONS = new Set([
  ...['alertdialog', 'application', 'banner', 'complementary', 'contentinfo', 'dialog', 'form', 'main', 'navigation'],
  ...['region', 'search', 'tabpanel', 'menu', 'tablist', 'tree', 'grid', 'table', 'treegrid'],
]);
const GROUPS = new Set(['group', 'radiogroup', 'toolbar', 'menubar']);
const MESSAGES = new Set(['alert', 'status', 'log']);
const DATA = new Set(['heading', 'row', 'listitem', 'definition', 'paragraph']);
const TAGS =
  'input, select, textarea, button, a[href], summary, form, fieldset, dialog, main, nav, header, footer, aside, section, search, h1, h2, h3, h4, h5, h6, tr, li, dd, p, table, output, details, [role], [contenteditable], [tabindex], [aria-live], [aria-modal], iframe, frame';

const isRegionRole = (role: string): boolean => REGIONS.has(role);
export const isGroupRole = (role: string): boolean => GROUPS.has(role);

export function findParts(root: Element): FoundParts {
  const elements = walk(root, MAX_ELEMENTS);
  const parts: FoundParts = {
    order: new Map(elements.map((element, index) => [element, index])),
    roles: new Map(),
    patterns: new Map(),
    containers: [],
    radios: [],
    checkboxes: [],
    singles: [],
    messages: [],
    data: [],
    unclear: [],
    frames: [],
    isCut: elements.length >= MAX_ELEMENTS,
  };
  const inner = new WidgetInterior();
  let pointers = 0;
  for (const element of elements) {
    if (matches(element, TAGS)) sort(element, parts, inner);
    else {
      if (pointers++ < MAX_POINTERS && showsPointer(element)) addPointer(element, parts, inner);
      if (hasOwnText(element)) parts.data.push(element);
    }
  }
  parts.isCut ||= pointers > MAX_POINTERS;
  addLabelled(elements, parts);
  return parts;
}

function sort(element: Element, parts: FoundParts, inner: WidgetInterior): void {
  const role = roleOf(element);
  parts.roles.set(element, role);
  if (tagOf(element) === 'iframe' || tagOf(element) === 'frame') {
    if (isSeen(element)) parts.frames.push(element);
    return;
  }
  if (isRegionRole(role) || isGroupRole(role)) parts.containers.push(element);
  if (MESSAGES.has(role) || isLive(element)) parts.messages.push(element);
  if (DATA.has(role) || tagOf(element) === 'p') parts.data.push(element);
  if (!isControlLike(element, role) || inner.contains(element) || !isOperable(element)) return;
  const pattern = patternOf(element, role);
  if (role === 'radio' || role === 'menuitemradio') parts.radios.push(element);
  else if (pattern === 'checkbox') parts.checkboxes.push(element);
  else if (pattern) addSingle(element, pattern, parts);
  else if (role !== 'gridcell') addUnclear(element, role, parts, inner);
  if (role === 'radio' || (pattern && absorbsChildren(pattern))) inner.add(element);
}

const LABELLING =
  'label, legend, button, a, option, select, h1, h2, h3, h4, h5, h6, li, tr, dd, dt, p, [role]:not([role="presentation"])';

/** Text that is neither in a control nor in other data. */
function hasOwnText(element: Element): boolean {
  let own = false;
  for (let node = element.firstChild; node && !own; node = node.nextSibling)
    own = node.nodeType === Node.TEXT_NODE && (node as Text).data.trim() !== '';
  return own && !closest(element, LABELLING) && !matches(element, 'script, style, noscript, title');
}

function addSingle(element: Element, pattern: WidgetPattern, parts: FoundParts): void {
  parts.patterns.set(element, pattern);
  parts.singles.push(element);
}

const isLive = (element: Element) =>
  ['polite', 'assertive'].includes(attribute(element, 'aria-live')?.toLowerCase() ?? '');

function isControlLike(element: Element, role: string): boolean {
  if (tagOf(element) === 'input' && (element as HTMLInputElement).type === 'hidden') return false;
  return (
    isWidgetRole(role) || matches(element, 'input, select, textarea') || isEditableHost(element) || isTabStop(element)
  );
}

const isTabStop = (element: Element) => hasAttribute(element, 'tabindex') && (element as HTMLElement).tabIndex >= 0;

/** Whether a person can see the control, or a label of it that stands for it. */
function isOperable(element: Element): boolean {
  if (attribute(element, 'aria-hidden') === 'true' && (styleOf(element).opacity === '0' || !isTabStopOrNative(element)))
    return false;
  if (isSeen(element) && !isClippedAway(element)) return true;
  return isChoiceOrFile(element) && (labelsOf(element).some(isSeen) || isDrawnByParent(element));
}

const isTabStopOrNative = (element: Element) => (element as HTMLElement).tabIndex >= 0;
const isChoiceOrFile = (element: Element) =>
  matches(element, 'input[type=radio], input[type=checkbox], input[type=file]');

function isDrawnByParent(element: Element): boolean {
  const parent = parentOf(element);
  return parent !== null && tagOf(parent) !== 'body' && isSeen(parent) && styleOf(parent).position !== 'static';
}

/** A label can stand for a radio button, checkbox or file that is not rendered at all. */
function addLabelled(elements: readonly Element[], parts: FoundParts): void {
  for (const label of elements) {
    if (tagOf(label) !== 'label') continue;
    const control = (label as HTMLLabelElement).control;
    if (!control || parts.order.has(control) || !isChoiceOrFile(control) || !isSeen(label)) continue;
    parts.order.set(control, parts.order.get(label) ?? 0);
    parts.roles.set(control, roleOf(control));
    const { type } = control as HTMLInputElement;
    if (type === 'file') addSingle(control, 'file', parts);
    else (type === 'radio' ? parts.radios : parts.checkboxes).push(control);
  }
}

function showsPointer(element: Element): boolean {
  if (styleOf(element).cursor !== 'pointer') return false;
  const parent = parentOf(element);
  return parent === null || styleOf(parent).cursor !== 'pointer';
}

/** What a page marks as clickable and what is neither a control, nor in one, nor around one, nor its label. */
function addPointer(element: Element, parts: FoundParts, inner: WidgetInterior): void {
  if (closest(element, 'a[href], button, label, summary, select, [role], [tabindex]:not([tabindex^="-"])')) return;
  if (inner.contains(element) || !isSeen(element) || hasControls(element)) return;
  parts.unclear.push({ element, reason: 'it shows the pointer of a link, but has no role and cannot be focused' });
}

const CONTROLS = 'input, select, textarea, button, a[href], summary, [role], [tabindex]';
const hasControls = (element: Element) => Element.prototype.querySelector.call(element, CONTROLS) !== null;

function addUnclear(element: Element, role: string, parts: FoundParts, inner: WidgetInterior): void {
  if (isRegionRole(role) || isGroupRole(role) || MESSAGES.has(role)) return;
  if (isTabStop(element) && isScrollable(element)) return;
  // A host passes the focus on to what its shadow root contains.
  if (shadowOf(element)?.delegatesFocus || hasControls(element)) return;
  inner.add(element);
  const what = role ? `it has the role ${role}, which is no control` : 'it can be focused, but has no role';
  parts.unclear.push({ element, reason: what });
}

const isScrollable = (element: Element) =>
  element.scrollHeight > element.clientHeight + 1 && !tagOf(element).includes('-');

/** What lies within controls that were found, such as the input of a combobox. */
class WidgetInterior {
  #widgets = new Set<Element>();

  add(element: Element): void {
    this.#widgets.add(element);
  }

  contains(element: Element): boolean {
    if (this.#widgets.size === 0) return false;
    for (const outer of ancestors(element, 30)) if (this.#widgets.has(outer)) return true;
    return false;
  }
}
