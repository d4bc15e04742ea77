/**
 * Runs in the page. Everything in here stands inside one function, since only its text travels there: no imports, no names
 * from outside. The rules are those of the accessible name computation, as far as controls need them.
 */
export function nameTools() {
  const tidy = (text: string | null | undefined) =>
    (text ?? '')
      .replace(/[\u200b\u00ad]/g, '')
      .replace(/\s+/g, ' ')
      .trim();
  const cut = (text: string, most = 300) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

  const inputRoles: Record<string, string> = {
    button: 'button',
    submit: 'button',
    reset: 'button',
    image: 'button',
    file: 'button',
    checkbox: 'checkbox',
    radio: 'radio',
    range: 'slider',
    number: 'spinbutton',
    search: 'searchbox',
  };
  const listable = new Set(['text', 'search', 'email', 'tel', 'url']);

  function roleOf(element: Element): string {
    const said = tidy(element.getAttribute('role')).split(' ')[0];
    if (said && said !== 'presentation' && said !== 'none') return said;
    if (element instanceof HTMLInputElement) {
      if (element.hasAttribute('list') && listable.has(element.type)) return 'combobox';
      return inputRoles[element.type] ?? 'textbox';
    }
    if (element instanceof HTMLSelectElement) return element.multiple || element.size > 1 ? 'listbox' : 'combobox';
    if (element instanceof HTMLTextAreaElement) return 'textbox';
    if (element instanceof HTMLButtonElement) return 'button';
    if (element instanceof HTMLAnchorElement || element instanceof HTMLAreaElement)
      return element.hasAttribute('href') ? 'link' : 'generic';
    if (/^H[1-6]$/.test(element.tagName)) return 'heading';
    if (element.tagName === 'FIELDSET') return 'group';
    if (element instanceof HTMLElement && element.isContentEditable) return 'textbox';
    return 'generic';
  }

  /** The element itself can be seen: it has a size, and is not hidden, transparent, or clipped to a dot. */
  function isSeen(element: Element): boolean {
    if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return false;
    const box = element.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) return false;
    // Moved out of the page to the left or top, a usual way to hide an input whose label is drawn instead.
    return box.right + scrollX > 0 && box.bottom + scrollY > 0;
  }

  function isInTree(element: Element): boolean {
    if (!element.checkVisibility({ checkVisibilityCSS: true })) return false;
    // Not step by step: a form with an input called parentNode would lead in a circle.
    for (let at: Element | null = element; at; at = hostOf(at.getRootNode()))
      if (at.closest('[aria-hidden=true],[inert]')) return false;
    return true;
  }

  function hostOf(node: Node): Element | null {
    return node instanceof ShadowRoot ? node.host : null;
  }

  function byIds(element: Element, attribute: string): Element[] {
    const root = element.getRootNode();
    const ids = tidy(element.getAttribute(attribute)).split(' ').filter(Boolean);
    if (!(root instanceof Document || root instanceof ShadowRoot)) return [];
    return ids.flatMap((id) => root.getElementById(id) ?? []);
  }

  const unread = new Set([
    'SCRIPT',
    'STYLE',
    'NOSCRIPT',
    'TEMPLATE',
    'SVG',
    'svg',
    'SELECT',
    'TEXTAREA',
    'INPUT',
    'OPTION',
  ]);

  /** What is read out of an element's content. */
  function textOf(element: Element, but?: Element): string {
    const parts: string[] = [];
    gather(element, but, parts, 0);
    return cut(tidy(parts.join('')));
  }

  function gather(element: Element, but: Element | undefined, parts: string[], depth: number): void {
    if (depth > 30 || parts.length > 200) return;
    const style = getComputedStyle(element);
    const block = !/^inline|^contents|^none/.test(style.display);
    if (block) parts.push(' ');
    parts.push(drawn(element, '::before'));
    const children = element.shadowRoot ? [...element.shadowRoot.childNodes] : [...element.childNodes];
    const inside = element instanceof HTMLSlotElement ? element.assignedNodes({ flatten: true }) : children;
    for (const child of inside.length > 0 ? inside : children) {
      if (child.nodeType === Node.TEXT_NODE) parts.push(child.nodeValue ?? '');
      else if (child instanceof Element && child !== but) gatherChild(child, but, parts, depth);
    }
    parts.push(drawn(element, '::after'));
    if (block) parts.push(' ');
  }

  function gatherChild(child: Element, but: Element | undefined, parts: string[], depth: number): void {
    const hidden = child.getAttribute('aria-hidden') === 'true' || !child.checkVisibility({ checkVisibilityCSS: true });
    const label = tidy(child.getAttribute('aria-label'));
    const svgTitle = child.tagName.toLowerCase() === 'svg' ? tidy(child.querySelector('title')?.textContent) : '';
    if (hidden) return;
    if (label) parts.push(` ${label} `);
    else if (child instanceof HTMLImageElement) parts.push(` ${child.alt} `);
    else if (svgTitle) parts.push(` ${svgTitle} `);
    else if (child.tagName === 'BR') parts.push(' ');
    else if (!unread.has(child.tagName)) gather(child, but, parts, depth + 1);
  }

  /** What a style sheet writes before or after an element is read too. */
  function drawn(element: Element, where: '::before' | '::after'): string {
    const { content } = getComputedStyle(element, where);
    if (!content || content === 'none' || content === 'normal') return '';
    return /^"((?:[^"\\]|\\.)*)"$/.exec(content)?.[1]?.replace(/\\(.)/g, '$1') ?? '';
  }

  function labelsOf(element: Element): HTMLLabelElement[] {
    const labelled =
      element instanceof HTMLInputElement ||
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement ||
      element instanceof HTMLButtonElement;
    return labelled && element.labels ? [...element.labels] : [];
  }

  const fromContent = new Set(
    'button link heading option radio checkbox switch tab menuitem menuitemradio menuitemcheckbox treeitem cell gridcell columnheader rowheader tooltip'.split(
      ' ',
    ),
  );

  function nameOf(element: Element): string {
    const referenced = byIds(element, 'aria-labelledby');
    if (referenced.length > 0) {
      const name = tidy(
        referenced.map((each) => tidy(each.getAttribute('aria-label')) || textOf(each, element)).join(' '),
      );
      if (name) return cut(name);
    }
    const said = tidy(element.getAttribute('aria-label'));
    if (said) return cut(said);
    return cut(nativeName(element) || contentName(element) || hintName(element));
  }

  function nativeName(element: Element): string {
    if (element instanceof HTMLInputElement && /^(button|submit|reset)$/.test(element.type)) {
      return tidy(element.value) || { submit: 'Submit', reset: 'Reset' }[element.type] || '';
    }
    const labels = labelsOf(element);
    if (labels.length > 0) {
      const name = tidy(labels.map((label) => textOf(label, element)).join(' '));
      if (name) return name;
    }
    if (element instanceof HTMLInputElement && element.type === 'image')
      return tidy(element.alt) || tidy(element.title) || 'Submit';
    if (element instanceof HTMLFieldSetElement) {
      const legend = [...element.children].find((child) => child instanceof HTMLLegendElement);
      return legend ? textOf(legend) : '';
    }
    return '';
  }

  function contentName(element: Element): string {
    return fromContent.has(roleOf(element)) && !(element instanceof HTMLInputElement) ? textOf(element) : '';
  }

  function hintName(element: Element): string {
    return tidy(element.getAttribute('title')) || tidy(element.getAttribute('placeholder'));
  }

  /** Where a control has no name: the words that stand before it, as a person would take them. */
  function wordsBefore(element: Element): string {
    for (let at: Element | null = element, up = 0; at && up < 3; at = at.parentElement, up++) {
      for (let before = at.previousSibling; before; before = before.previousSibling) {
        const text = before instanceof Element ? wordsOf(before) : tidy(before.nodeValue);
        if (text) return cut(text, 160);
        if (before instanceof Element && before.querySelector('input,select,textarea')) return '';
      }
      if (/^(FORM|BODY|FIELDSET|MAIN|SECTION)$/.test(at.parentElement?.tagName ?? 'BODY')) return '';
    }
    return '';
  }

  function wordsOf(element: Element): string {
    return unread.has(element.tagName) || !element.checkVisibility() || element.querySelector('input,select,textarea')
      ? ''
      : textOf(element);
  }

  return { tidy, cut, roleOf, nameOf, textOf, labelsOf, byIds, isSeen, isInTree, hostOf, wordsBefore };
}

export type NameTools = ReturnType<typeof nameTools>;
