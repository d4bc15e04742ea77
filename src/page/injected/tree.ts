/**
 * The tree of elements as a page shows it: open shadow roots and documents of frames of the same origin are part of it. Access goes
 * through the prototypes, because fields of a form hide its own properties: `<input name="parentElement">`.
 */
const getter = <Target extends object, Value>(prototype: Target, key: keyof Target) => {
  const { get } = Object.getOwnPropertyDescriptor(prototype, key) ?? {};
  return (target: Target): Value => get?.call(target);
};
const method = <Target extends object, Args extends unknown[], Value>(own: (this: Target, ...args: Args) => Value) => {
  return (target: Target, ...args: Args): Value => own.apply(target, args);
};

export const tagOf = getter<Element, string>(Element.prototype, 'localName');
export const attribute = method<Element, [string], string | null>(Element.prototype.getAttribute);
export const hasAttribute = method<Element, [string], boolean>(Element.prototype.hasAttribute);
export const matches = method<Element, [string], boolean>(Element.prototype.matches);
export const closest = method<Element, [string], Element | null>(Element.prototype.closest);
export const queryAll = method<Element, [string], NodeListOf<Element>>(Element.prototype.querySelectorAll);
export const boxOf = method<Element, [], DOMRect>(Element.prototype.getBoundingClientRect);
export const childrenOf = getter<Element, HTMLCollection>(Element.prototype, 'children');
export const shadowOf = getter<Element, ShadowRoot | null>(Element.prototype, 'shadowRoot');
const slotOf = getter<Element, HTMLSlotElement | null>(Element.prototype, 'assignedSlot');
const parentElementOf = getter<Node, Element | null>(Node.prototype, 'parentElement');
export const documentOf = getter<Node, Document | null>(Node.prototype, 'ownerDocument');
const rootNodeOf = method<Node, [], Node>(Node.prototype.getRootNode);
const frameDocument = getter<HTMLIFrameElement, Document | null>(HTMLIFrameElement.prototype, 'contentDocument');

export const windowOf = (element: Element): Window => documentOf(element)?.defaultView ?? window;
export const styleOf = (element: Element): CSSStyleDeclaration => windowOf(element).getComputedStyle(element);

/** The document of a frame of the same origin. */
function innerDocument(element: Element): Document | null {
  return tagOf(element) === 'iframe' ? frameDocument(element as HTMLIFrameElement) : null;
}

/** The root in which ids of the element's attributes are looked up. */
export function rootOf(element: Element): Document | ShadowRoot {
  const root = rootNodeOf(element);
  return root instanceof ShadowRoot || root.nodeType === Node.DOCUMENT_NODE
    ? (root as Document | ShadowRoot)
    : document;
}

export function byId(element: Element, id: string): Element | null {
  const root = rootOf(element);
  return root.nodeType === Node.DOCUMENT_NODE
    ? Document.prototype.getElementById.call(root, id)
    : (root as ShadowRoot).getElementById(id);
}

/** The elements that an attribute with ids names. */
export function referenced(element: Element, name: string): Element[] {
  const ids = attribute(element, name)?.trim().split(/\s+/) ?? [];
  return ids.flatMap((id) => (id ? (byId(element, id) ?? []) : []));
}

/** The parent as shown: the slot of slotted content, the host of a shadow root, the frame of a document. */
export function parentOf(element: Element): Element | null {
  const near = slotOf(element) ?? parentElementOf(element);
  if (near) return near;
  const root = rootNodeOf(element);
  if (root.nodeType === Node.DOCUMENT_FRAGMENT_NODE) return (root as ShadowRoot).host ?? null;
  return root.nodeType === Node.DOCUMENT_NODE ? ((root as Document).defaultView?.frameElement ?? null) : null;
}

/** Whether `inner` is `outer` or shown within it. */
export function isWithin(outer: Element, inner: Element): boolean {
  for (let at: Element | null = inner; at; at = parentOf(at)) if (at === outer) return true;
  return false;
}

/** The ancestors as shown, nearest first. */
export function* ancestors(element: Element, limit = 1_000): Generator<Element> {
  for (let at = parentOf(element), depth = 0; at && depth < limit; at = parentOf(at), depth++) yield at;
}

const checkVisibility = method<Element, [CheckVisibilityOptions?], boolean>(Element.prototype.checkVisibility);

/** Has a box, or only passes on those of its children. What is not rendered hides all that is in it. */
export function isRendered(element: Element): boolean {
  return checkVisibility(element) || styleOf(element).display === 'contents';
}

/** Elements that a walk visits at most. */
const MAX_WALK = 150_000;
const MAX_DEPTH = 100;

/**
 * The rendered elements at and below a root, in the order of the page, with a shadow root before the content of its host. Ends
 * early on a page with too many elements.
 */
export function walk(root: Element, limit = MAX_WALK): Element[] {
  const found: Element[] = [];
  collect(root, found, limit, 0);
  return found;
}

function collect(root: Element, found: Element[], limit: number, depth: number): void {
  if (!isRendered(root)) return;
  const owner = documentOf(root) ?? document;
  const filter = (node: Node) => (isRendered(node as Element) ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_REJECT);
  const walker = Document.prototype.createTreeWalker.call(owner, root, NodeFilter.SHOW_ELEMENT, filter);
  for (let node: Node | null = root; node && found.length < limit; node = walker.nextNode()) {
    const element = node as Element;
    found.push(element);
    if (depth >= MAX_DEPTH) continue;
    const shadow = shadowOf(element);
    if (shadow) for (const child of shadow.children) collect(child, found, limit, depth + 1);
    const inner = innerDocument(element)?.documentElement;
    if (inner) collect(inner, found, limit, depth + 1);
  }
}

/** The focused element, through shadow roots and frames. */
export function focusedElement(): Element | null {
  let focused = document.activeElement;
  for (;;) {
    const inner = focused && (shadowOf(focused)?.activeElement ?? innerDocument(focused)?.activeElement);
    if (!inner) return focused;
    focused = inner;
  }
}
