/**
 * Access to the document that a page cannot redirect. The isolated world keeps its own prototypes, but names of elements
 * reach it: `<form name="fonts">` hides `document.fonts`, and `<input name="shadowRoot">` hides that property of its form.
 */
export function ofDocument<Key extends keyof Document>(document: Document, key: Key): Document[Key] {
  return read(Document.prototype, key, document);
}

/** A property of an element, such as `ofElement(form, 'shadowRoot')`. A method is bound to the element. */
export function ofElement<Key extends keyof Element>(element: Element, key: Key): Element[Key] {
  return read(Element.prototype, key, element);
}

function read(prototype: object, key: PropertyKey, target: object) {
  const value = Reflect.get(prototype, key, target);
  return typeof value === 'function' ? value.bind(target) : value;
}

export type Root = Document | ShadowRoot;

/** The first elements in these roots that match. */
export function queryRoots(roots: readonly Root[], selector: string, limit = 200): Element[] {
  const found: Element[] = [];
  for (const root of roots) {
    const query = root instanceof ShadowRoot ? root.querySelectorAll(selector) : queryDocument(root, selector);
    for (const element of query) {
      if (found.length >= limit) return found;
      found.push(element);
    }
  }
  return found;
}

const queryDocument = (document: Document, selector: string) => ofDocument(document, 'querySelectorAll')(selector);

/** The document with all open shadow roots and documents of frames of the same origin below it, outermost first. */
export function rootsOf(document: Document): Root[] {
  const roots: Root[] = [document];
  // The list grows while it is read.
  for (const root of roots) {
    const walker = ofDocument(document, 'createTreeWalker')(root, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const inner = innerRoot(node as Element);
      if (inner && roots.length < MAX_ROOTS) roots.push(inner);
    }
  }
  return roots;
}

const MAX_ROOTS = 2_000;

function innerRoot(element: Element): Root | null {
  if (element instanceof HTMLIFrameElement || element.localName === 'iframe')
    return Reflect.get(HTMLIFrameElement.prototype, 'contentDocument', element);
  return ofElement(element, 'shadowRoot');
}

/** The text nodes below a node that are not blank, up to the limit. Shadow roots and frames are roots of their own. */
export function textNodes(root: Node, limit = 500): Text[] {
  const walker = ofDocument(document, 'createTreeWalker')(root, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  for (let node = walker.nextNode(); node && found.length < limit; node = walker.nextNode())
    if (node instanceof Text && node.data.trim() !== '') found.push(node);
  return found;
}
