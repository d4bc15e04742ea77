import { documentOf, isRendered, shadowOf, tagOf } from './tree.ts';

/** Control characters, and characters that change the direction of text or cannot be seen, apart from those of scripts and emoji. */
const UNSEEN = /[\p{Cc}\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]+/gu;
const MAX_TEXT = 500;

/** Text of a page as data: one line, without characters that cannot be seen, cut to a limit. */
export function tidyText(text: string | null | undefined, limit = MAX_TEXT): string {
  const cleaned = (text ?? '')
    .slice(0, limit * 8)
    .replace(/\s+/g, ' ')
    .replace(UNSEEN, '')
    .trim()
    .toWellFormed();
  return cleaned.length > limit ? `${cleaned.slice(0, limit - 1).toWellFormed()}…` : cleaned;
}

const NO_TEXT = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'select',
  'datalist',
  'textarea',
  'option',
  'iframe',
]);
const MAX_NODES = 2_000;

/** The rendered text below an element, through open shadow roots, in the order of the page. */
export function shownText(element: Element, limit = MAX_TEXT, skip: (inner: Element) => boolean = () => false): string {
  const parts: string[] = [];
  let nodes = 0;
  let length = 0;
  const visit = (node: Node): void => {
    if (nodes++ > MAX_NODES || length > limit * 2) return;
    if (node.nodeType === Node.TEXT_NODE) {
      const { data } = node as Text;
      parts.push(data);
      length += data.length;
      return;
    }
    if (node.nodeType !== Node.ELEMENT_NODE) return;
    const inner = node as Element;
    if (NO_TEXT.has(tagOf(inner)) || !isRendered(inner) || (inner !== element && skip(inner))) return;
    const isBlock = !isInline(inner);
    if (isBlock) parts.push(' ');
    for (const child of shownNodes(inner)) visit(child);
    if (isBlock) parts.push(' ');
  };
  visit(element);
  return tidyText(parts.join(''), limit);
}

function isInline(element: Element): boolean {
  const view = documentOf(element)?.defaultView ?? window;
  return ['inline', 'contents'].includes(view.getComputedStyle(element).display);
}

/** The nodes that an element shows: of its shadow root, or those that are put into a slot. */
function shownNodes(element: Element): Iterable<Node> {
  const shadow = shadowOf(element);
  if (shadow) return shadow.childNodes;
  if (tagOf(element) === 'slot') {
    const assigned = (element as HTMLSlotElement).assignedNodes();
    if (assigned.length > 0) return assigned;
  }
  return Node.prototype.hasChildNodes.call(element) ? childNodesOf(element) : [];
}

const childNodes = Object.getOwnPropertyDescriptor(Node.prototype, 'childNodes')?.get;
const childNodesOf = (element: Element): NodeListOf<ChildNode> => childNodes?.call(element);
