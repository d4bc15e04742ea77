import { queryRoots, rootsOf } from './dom.ts';

/** Refs of this document begin with it, so that a ref of a document that was replaced leads to no other element. */
const token = Math.random().toString(36).slice(2, 10);
const elements = new Map<string, WeakRef<Element>>();
const refs = new WeakMap<Element, string>();
const SEPARATOR = '+';

/** A name for one element, or for several that are one control, such as the radio buttons of a group. */
export function refOf(...group: readonly Element[]): string {
  return group.map(singleRef).join(SEPARATOR);
}

function singleRef(element: Element): string {
  const known = refs.get(element);
  if (known) return known;
  const ref = `${token}.${elements.size}`;
  refs.set(element, ref);
  elements.set(ref, new WeakRef(element));
  return ref;
}

/** The elements that a ref names and that are still in the page. */
export function elementsOf(ref: string): Element[] {
  return ref.split(SEPARATOR).flatMap((single) => {
    const element = elements.get(single)?.deref();
    return element?.isConnected ? [element] : [];
  });
}

export function elementOf(ref: string): Element | undefined {
  return elementsOf(ref)[0];
}

const MAX_FOUND = 50;

/** The elements that match a CSS selector, in open shadow roots and frames of the same origin too. */
export function findBySelector({ selector }: { selector: string }): string[] {
  return queryRoots(rootsOf(document), selector, MAX_FOUND).map((element) => refOf(element));
}
