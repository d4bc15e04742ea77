import type { Page } from 'playwright-core';

/** An element with the keys of the specification. */
export interface RawElement {
  tag: string;
  type: string | null;
  id: string | null;
  name: string | null;
  class: string | null;
  text: string | null;
  value: string;
  visible: boolean;
  options: string[];
}

export interface HtmlContextEntry {
  tag: string;
  type: string | null;
  id: string | null;
  class: string | null;
  text: string | null;
}

const MAX_CONTEXT_ELEMENTS = 200;

/** Every input, list, text area, button and link of a page and its frames, one by one. */
export async function listPageElements(page: Page): Promise<RawElement[]> {
  const frames = page.frames().slice(0, 20);
  const found = await Promise.all(frames.map((frame) => frame.evaluate(elementsInPage).catch(() => [])));
  return found.flat();
}

/** The visible controls and links, in the flat form of the specification. */
export function toHtmlContext(elements: readonly RawElement[]): HtmlContextEntry[] {
  return elements
    .filter(({ tag, visible }) => visible && /^(button|a|input|select)$/.test(tag))
    .slice(0, MAX_CONTEXT_ELEMENTS)
    .map(({ tag, type, id, class: className, text }) => ({ tag, type, id, class: className, text }));
}

/** The same elements in the four lists of the specification. Links are in `html_context`, not here. */
export function groupElements(elements: readonly RawElement[]) {
  const of = (test: (element: RawElement) => boolean) => elements.filter(test);
  const isButton = ({ tag, type }: RawElement) =>
    tag === 'button' || (tag === 'input' && /^(submit|button|reset|image)$/.test(type ?? ''));
  return {
    inputs: of((element) => element.tag === 'input' && !isButton(element)).map((element) => ({
      type: element.type ?? 'text',
      id: element.id ?? '',
      name: element.name ?? '',
      class: element.class ?? '',
      visible: element.visible,
      value: element.value,
      label: element.text ?? '',
    })),
    selects: of(({ tag }) => tag === 'select').map((element) => ({
      id: element.id ?? '',
      name: element.name ?? '',
      options: element.options,
      class: element.class ?? '',
      visible: element.visible,
      value: element.value,
      label: element.text ?? '',
    })),
    textareas: of(({ tag }) => tag === 'textarea').map((element) => ({
      id: element.id ?? '',
      name: element.name ?? '',
      class: element.class ?? '',
      visible: element.visible,
      value: element.value,
      label: element.text ?? '',
    })),
    buttons: of(isButton).map((element) => ({
      text: element.text ?? '',
      id: element.id ?? '',
      type: element.type ?? 'submit',
      class: element.class ?? '',
      visible: element.visible,
    })),
  };
}

/** In the page. Uses no imports, because only its source is sent there. */
function elementsInPage(): RawElement[] {
  const most = 3_000;
  const tidy = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim().slice(0, 200);
  const isSeen = (element: Element) =>
    element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) &&
    element.getBoundingClientRect().width > 1 &&
    element.getBoundingClientRect().height > 1;
  const found: Element[] = [];
  const walk = (root: ParentNode) => {
    for (const element of root.querySelectorAll('*')) {
      if (found.length >= most) return;
      if (element.matches('button,a[href],input:not([type=hidden]),select,textarea')) found.push(element);
      if (element.shadowRoot) walk(element.shadowRoot);
    }
  };
  walk(document);
  const labelled = (element: Element) =>
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement
      ? [...(element.labels ?? [])]
      : [];
  // A label may contain its text twice: once to be seen, once for screen readers.
  const labelText = (label: HTMLElement) => {
    const heard = label.cloneNode(true);
    // The options of a select inside its label are not part of the label text.
    const unsaid = '[aria-hidden=true],select,textarea';
    if (!(heard instanceof Element) || !label.querySelector(unsaid)) return label.innerText;
    for (const unheard of heard.querySelectorAll(unsaid)) unheard.remove();
    return tidy(heard.textContent) || label.innerText;
  };
  const textOf = (element: Element) => {
    if (element instanceof HTMLButtonElement || element instanceof HTMLAnchorElement)
      return tidy(element.innerText) || tidy(element.getAttribute('aria-label')) || tidy(element.title);
    if (element instanceof HTMLInputElement && /^(submit|button|reset)$/.test(element.type)) return tidy(element.value);
    return (
      tidy(element.getAttribute('aria-label')) ||
      tidy(labelled(element).map(labelText).join(' ')) ||
      tidy(element.getAttribute('placeholder'))
    );
  };
  const currentValue = (element: Element) => {
    if (element instanceof HTMLInputElement && /^(password|file)$/.test(element.type)) return '';
    const holds =
      element instanceof HTMLInputElement ||
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement;
    return holds ? element.value.slice(0, 1_000) : '';
  };
  const typeOf = (element: Element) =>
    element instanceof HTMLInputElement || element instanceof HTMLButtonElement ? element.type : null;
  return found.map((element) => ({
    tag: element.localName,
    type: typeOf(element),
    id: element.getAttribute('id'),
    name: element.getAttribute('name'),
    class: element.getAttribute('class'),
    text: textOf(element) || null,
    value: currentValue(element),
    visible: isSeen(element) || (element.matches('[type=radio],[type=checkbox]') && labelled(element).some(isSeen)),
    options:
      element instanceof HTMLSelectElement
        ? [...element.options].map((option) => tidy(option.label || option.textContent))
        : [],
  }));
}
