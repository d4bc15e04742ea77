import type { NameTools } from './name-tools.ts';

/** What an element is known by, as the page itself can look for it: one of the three. */
export interface ElementMark {
  css: string | null;
  label: string | null;
  /** Role and name; before it, outermost first, those of the groups that it lies in. */
  chain: readonly { role: string; name: string }[] | null;
}

/** An element that is meant: the way to it, what proves that it is the one, and the frame that it is in. */
export interface PageTarget {
  way: ElementMark;
  proof: ElementMark | null;
  /** Selectors of iframes, outermost first. */
  frame: readonly string[];
}

/** Runs in the page (see names.ts): finds what is marked, through open shadow roots. */
export function markTools({ roleOf, nameOf, labelsOf, textOf, isInTree, tidy }: NameTools) {
  const possible = 'input,select,textarea,button,a[href],summary,fieldset,[role],[contenteditable]';
  // A name takes a while to make, and is asked for once for each that is looked for.
  const names = new Map<Element, string>();

  function roots(): (Document | ShadowRoot)[] {
    const found: (Document | ShadowRoot)[] = [document];
    for (const root of found)
      for (const element of root.querySelectorAll('*')) if (element.shadowRoot) found.push(element.shadowRoot);
    return found;
  }

  function all(css: string): Element[] {
    return roots().flatMap((root) => [...root.querySelectorAll(css)]);
  }

  function knownName(element: Element): string {
    const known = names.get(element) ?? nameOf(element);
    names.set(element, known);
    return known;
  }

  function isCalled(element: Element, { role, name }: { role: string; name: string }, isFresh: boolean): boolean {
    if (roleOf(element) !== role || !isInTree(element)) return false;
    return (isFresh ? nameOf(element) : knownName(element)) === tidy(name);
  }

  function fits(element: Element, { css, label, chain }: ElementMark, isFresh = false): boolean {
    if (css !== null) return element.matches(css);
    if (label !== null)
      return (
        tidy(element.getAttribute('aria-label')) === tidy(label) ||
        labelsOf(element).some((each) => textOf(each, element) === tidy(label))
      );
    const own = chain?.at(-1);
    if (!chain || !own || !isCalled(element, own, isFresh)) return false;
    return chain.slice(0, -1).every((group) => isWithin(element, group));
  }

  function isWithin(element: Element, group: { role: string; name: string }): boolean {
    return all('fieldset,[role]').some(
      (each) => each !== element && each.contains(element) && isCalled(each, group, false),
    );
  }

  /** All elements that a way leads to, proven or not. */
  function at(way: ElementMark): Element[] {
    return way.css === null ? all(possible).filter((element) => fits(element, way)) : all(way.css);
  }

  /** The elements that are meant: one, where it is beyond doubt. */
  function meant({ way, proof }: Pick<PageTarget, 'way' | 'proof'>): Element[] {
    const found = at(way);
    const proven = proof ? found.filter((element) => fits(element, proof)) : found;
    // What was named before the page changed has its name made anew.
    return proven.filter((element) => fits(element, proof ?? way, true));
  }

  return { at, meant, fits };
}

export type MarkTools = ReturnType<typeof markTools>;
