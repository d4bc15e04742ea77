import type { NameTools } from './name-tools.ts';

/** What stands around a control, and says what it is about. */
export interface ControlContext {
  /** What it is called, if only by the words before it. */
  name: string;
  /** Of radio buttons and checkboxes that are one question: the question. Of anything else: the name of its group. */
  question: string;
  /** The heading before it. */
  heading: string;
  /** That and those of higher rank, where it stands under them, rather than behind another part of the page. */
  headings: string[];
  /** What the row of a table begins with that it is in. */
  row: string;
  /** What describes it. */
  hint: string;
  /** What stands beside it in the same box without being tied to it: "per year". */
  beside: string;
  placeholder: string;
}

/** Runs in the page (see names.ts): the question that controls belong to. */
export function controlContextTools({ tidy, cut, nameOf, textOf, byIds, isSeen, isInTree, wordsBefore }: NameTools) {
  /** The box that a control shares with others of the same question. */
  function groupElement(element: Element): Element | undefined {
    return element.parentElement?.closest('fieldset,[role=group],[role=radiogroup]') ?? undefined;
  }

  /** The box that holds all of them and nothing else of the kind. */
  function boxOf(members: readonly Element[], type: 'radio' | 'checkbox'): Element | undefined {
    const [first] = members;
    const box = first && groupElement(first);
    if (!box || !members.every((member) => box.contains(member))) return undefined;
    const inside = box.querySelectorAll(`input[type=${type}],[role=${type}]`).length;
    return inside === members.length ? box : undefined;
  }

  function groupName(element: Element): string {
    const group = groupElement(element);
    return group ? nameOf(group) : '';
  }

  /** What is asked by buttons of one group. */
  function questionOf(members: readonly Element[], type: 'radio' | 'checkbox'): string {
    const [first] = members;
    const box = boxOf(members, type);
    return (box && nameOf(box)) || (first && groupName(first)) || questionBefore(members);
  }

  /** Without a legend: the words before the first button's row. */
  function questionBefore(members: readonly Element[]): string {
    const [first] = members;
    if (!first) return '';
    let box: Element | null = first.parentElement;
    while (box && !members.every((member) => box?.contains(member))) box = box.parentElement;
    if (!box || members.length === 1) return wordsBefore(first.closest('label') ?? first);
    const heading = [...box.querySelectorAll(':scope > *')].find(
      (child) => !members.some((member) => child.contains(member)) && child.localName !== 'label',
    );
    return heading && isSeen(heading) ? textOf(heading) : wordsBefore(box);
  }

  /** The buttons that a radio button or checkbox is asked with. */
  function membersWith(element: Element): HTMLInputElement[] {
    if (!(element instanceof HTMLInputElement) || !/^(radio|checkbox)$/.test(element.type) || !element.name) return [];
    const root = element.getRootNode();
    if (!(root instanceof Document || root instanceof ShadowRoot)) return [];
    const all = root.querySelectorAll<HTMLInputElement>(`input[type=${element.type}]`);
    return [...all].filter(({ name, form }) => name === element.name && form === element.form);
  }

  // Collected once, since a page may have hundreds of fields.
  const headings = new Map<Node, Element[]>();
  function headingBefore(element: Element): string {
    const [nearest] = headingsOver(element, 1);
    return nearest ? textOf(nearest) : '';
  }

  /** The heading of a part of the page says nothing of what comes after that part, nor does that of a site. */
  function isPartOver(heading: Element, element: Element): boolean {
    const part = heading.closest('section,article,aside,nav,dialog,form,fieldset,[role=dialog],[role=region]');
    if (part && !part.contains(element)) return false;
    const banner = heading.closest('header,[role=banner]');
    return !banner || banner.contains(element) || banner.closest('main,section,article,form,[role=main]') !== null;
  }

  /** From the nearest up, each of a higher rank than the one before. */
  function headingsOver(element: Element, most: number): Element[] {
    const root = element.getRootNode();
    if (!(root instanceof Document || root instanceof ShadowRoot)) return [];
    const known = headings.get(root) ?? [...root.querySelectorAll('h1,h2,h3,h4,h5,h6,[role=heading]')];
    headings.set(root, known);
    const rankOf = (each: Element) => Number(each.getAttribute('aria-level') ?? each.localName.slice(1)) || 2;
    const over: Element[] = [];
    let rank = Number.POSITIVE_INFINITY;
    for (let i = known.length - 1; i >= 0 && over.length < most; i--) {
      const each = known[i];
      if (!each || rankOf(each) >= rank || each.contains(element) || !isInTree(each)) continue;
      if ((each.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) === 0) continue;
      rank = rankOf(each);
      over.push(each);
    }
    return over;
  }

  function rowOf(element: Element): string {
    const row = element.closest('tr,[role=row]');
    const first = row?.querySelector('th,td,[role=rowheader],[role=cell]');
    return first && !first.contains(element) && !first.querySelector('input,select,textarea') ? textOf(first) : '';
  }

  function hintOf(element: Element): string {
    const said = byIds(element, 'aria-describedby').filter((each) => !each.matches('[role=alert],[aria-live]'));
    return cut(tidy(said.map((each) => textOf(each)).join(' ')));
  }

  const controls = 'input:not([type=hidden]),select,textarea,button';
  const notBeside =
    'label,legend,button,select,option,script,style,h1,h2,h3,h4,h5,h6,[role=alert],[role=status],[aria-live]';

  /** Of what is typed or chosen from a list; a button's words are its name. */
  function besideOf(element: Element): string {
    if (element.matches('[type=radio],[type=checkbox]') || !element.matches('input,select,textarea')) return '';
    let at = element.closest('label') ?? element;
    for (let up = 0; up < 3; up++) {
      const box: Element | null = at.parentElement;
      if (!box || box.matches('form,body,fieldset,main,section,tr,ul,ol') || box.querySelectorAll(controls).length > 1)
        break;
      at = box;
    }
    const parts = at.contains(element) && at !== element && at.localName !== 'label' ? wordsIn(at) : [];
    for (let next = at.nextSibling; next; next = next.nextSibling) {
      const isInline = next instanceof Element && next.matches('span,small,em,i,b,strong,abbr,sub');
      if (next instanceof Element && (!isInline || next.querySelector(controls))) break;
      parts.push(...wordsIn(next));
    }
    return cut(tidy(parts.join(' ')), 200);
  }

  function wordsIn(node: Node): string[] {
    if (node.nodeType === Node.TEXT_NODE) return [node.nodeValue ?? ''];
    const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
    const words: string[] = [];
    while (walker.nextNode() && words.length < 50) {
      const within = walker.currentNode.parentElement;
      if (within && !within.closest(notBeside) && isInTree(within)) words.push(walker.currentNode.nodeValue ?? '');
    }
    return words;
  }

  function aroundOf(element: Element): ControlContext {
    const members = membersWith(element);
    const type = element instanceof HTMLInputElement && element.type === 'radio' ? 'radio' : 'checkbox';
    const isGroup = members.length > (type === 'radio' ? 0 : 1);
    const over = headingsOver(element, 6);
    return {
      name: nameOf(element) || wordsBefore(element),
      question: isGroup ? questionOf(members, type) : groupName(element),
      heading: over[0] ? textOf(over[0]) : '',
      headings: over[0] && isPartOver(over[0], element) ? over.map((each) => textOf(each)) : [],
      row: rowOf(element),
      hint: hintOf(element),
      beside: besideOf(element),
      placeholder: tidy(element.getAttribute('placeholder')),
    };
  }

  return { groupElement, boxOf, questionOf, headingBefore, rowOf, besideOf, aroundOf };
}

export type ControlContextTools = ReturnType<typeof controlContextTools>;
