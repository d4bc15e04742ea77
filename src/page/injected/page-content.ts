import type { PageData, PageMessage } from '../snapshot/page-snapshot.ts';
import type { FoundParts } from './found-parts.ts';
import { isSeen } from './geometry.ts';
import { shownText, tidyText } from './text.ts';
import { attribute, childrenOf, closest, matches, parentOf, queryAll, tagOf } from './tree.ts';

export type Unplaced<Part> = Omit<Part, 'id' | 'parent'> & { element: Element };

/** Messages that have a text now, innermost only. */
export function messagesOf(parts: FoundParts): Unplaced<PageMessage>[] {
  const inner = (element: Element) => parts.messages.some((other) => other !== element && element.contains(other));
  return parts.messages.flatMap((element) => {
    if (!isSeen(element) || inner(element) || holdsFields(element)) return [];
    const text = shownText(element);
    if (!text) return [];
    const live = attribute(element, 'aria-live')?.toLowerCase() === 'assertive' ? 'alert' : 'status';
    return [{ element, role: parts.roles.get(element) || live, name: '', text, control: null }];
  });
}

const holdsFields = (element: Element) => queryAll(element, 'input, select, textarea, form').length > 0;

/** Headings, rows, list items, pairs of term and value, and paragraphs. */
export function dataOf(parts: FoundParts, maxRows: number): { data: Unplaced<PageData>[]; left: number } {
  const data: Unplaced<PageData>[] = [];
  let rows = 0;
  for (const element of parts.data) {
    const role = parts.roles.get(element) || 'paragraph';
    if (!isSeen(element)) continue;
    if (role !== 'heading' && ++rows > maxRows) continue;
    const found = read(element, role);
    if (found) data.push({ element, name: '', ...found });
  }
  return { data, left: Math.max(0, rows - maxRows) };
}

function read(element: Element, role: string): Pick<PageData, 'kind' | 'role' | 'level' | 'texts'> | undefined {
  const only = (kind: PageData['kind'], level = 0) => {
    const text = shownText(element, 300);
    return text ? { kind, role, level, texts: [text] } : undefined;
  };
  switch (role) {
    case 'heading':
      return only('heading', Number(attribute(element, 'aria-level')) || Number(tagOf(element)[1]) || 2);
    case 'row': {
      const cells = queryAll(
        element,
        ':scope > td, :scope > th, [role~="cell" i], [role~="gridcell" i], [role~="columnheader" i], [role~="rowheader" i]',
      );
      const texts = [...cells].slice(0, 50).map((cell) => shownText(cell, 200));
      return texts.some(Boolean) ? { kind: 'row', role, level: 0, texts } : undefined;
    }
    case 'definition':
      return { kind: 'term', role, level: 0, texts: [termOf(element), shownText(element, 300)] };
    case 'listitem':
      return closest(element, 'nav, [role~="listbox" i]') || childrenOf(element).length > 20 ? undefined : only('item');
    default:
      return matches(element, 'li p, td p, dd p') || closestButton(element) || holdsFields(element)
        ? undefined
        : only('text');
  }
}

const closestButton = (element: Element) => closest(element, 'button, [role~="button" i], [role~="alert" i]') !== null;

function termOf(definition: Element): string {
  for (let at = definition.previousElementSibling ?? parentOf(definition); at; at = at.previousElementSibling)
    if (tagOf(at) === 'dt') return tidyText(at.textContent, 200);
  return '';
}
