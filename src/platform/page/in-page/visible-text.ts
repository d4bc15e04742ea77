/** Runs in the page (see names.ts): what a person sees of a text. What is not drawn, or quite transparent, nobody does. */
export function visibleTextTools() {
  const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

  function isSeen(element: Element): boolean {
    if (element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return true;
    // What has no box of its own is seen where its parent is.
    const { parentElement } = element;
    return parentElement !== null && getComputedStyle(element).display === 'contents' && isSeen(parentElement);
  }

  /** The text of an element as the browser gives it leaves out what is not drawn, but not what is transparent. */
  const isClear = (element: Element) =>
    element.checkVisibility() && !element.checkVisibility({ opacityProperty: true }) && element.textContent !== '';

  function withoutClear(element: Element, between: string): string {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const texts: string[] = [];
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode;
      if (parentElement && textContent?.trim() && isSeen(parentElement)) texts.push(tidy(textContent));
    }
    return texts.join(between);
  }

  /** All that is seen of an element, line by line. */
  function linesOf(element: Element | null): string {
    if (!element || !isSeen(element)) return '';
    if ([...element.querySelectorAll('*')].some(isClear)) return withoutClear(element, '\n');
    return element instanceof HTMLElement ? element.innerText : (element.textContent ?? '');
  }

  /** The same in one line. */
  const saidBy = (element: Element | null | undefined): string => tidy(linesOf(element ?? null).replaceAll('\n', ' '));

  return { isSeen, linesOf, saidBy };
}

export type VisibleTextTools = ReturnType<typeof visibleTextTools>;
