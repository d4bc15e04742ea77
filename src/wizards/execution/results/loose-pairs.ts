import type { VisibleTextTools } from '../../../platform/page/in-page/visible-text.ts';

interface LooseLabelledValue {
  label: string;
  value: string;
  at: Element;
}

/**
 * Runs in the page: finds values without a definition list, a row of two cells or "Label: value". These are a card with
 * a heading and an amount, a table cell with row and column headings, and a sentence with one amount. The label of a
 * sentence has `…` at the position of the amount. Such pairs count only if the file names them.
 */
export function loosePairsInPage(
  root: Document | ShadowRoot,
  { isSeen, saidBy }: VisibleTextTools,
): LooseLabelledValue[] {
  const found: LooseLabelledValue[] = [];
  const most = 200;
  const add = (label: string, value: string, at: Element) => {
    if (found.length < most && label.length <= 160 && /\p{L}{3}/u.test(label) && value !== '' && value.length <= 80)
      found.push({ label, value, at });
  };
  const unit = '(?:%|(?:/|an? |per |each )? ?(?:months?|years?|weeks?|days?|mo|yr|dollars|usd|points?))';
  const amount = new RegExp(`^(?:about |up to |approximately )?[-−+(]?[$€£]? ?\\d[\\d,.]*\\)? ?€?(?: ?${unit})*$`, 'i');
  const beside = 'nav,footer,header,form,label,button,a,table,dl,script,style,[role=table],[role=grid]';

  for (const table of root.querySelectorAll('table')) {
    const [first, ...rows] = [...table.rows].filter(isSeen);
    const heads = [...(first?.cells ?? [])];
    const isHead = heads.length > 2 && heads.slice(1).every((cell) => cell.tagName === 'TH' || cell.closest('thead'));
    if (!isHead) continue;
    for (const row of rows) {
      const [name, ...cells] = [...row.cells];
      if (!name || cells.length !== heads.length - 1 || row.querySelector('input,select,textarea,[colspan],[rowspan]'))
        continue;
      for (const [i, cell] of cells.entries()) {
        const column = saidBy(heads[i + 1]);
        if (column && saidBy(name)) add(`${saidBy(name)}, ${column}`, saidBy(cell), cell);
      }
    }
  }

  const isSmall = ({ children, textContent }: Element) =>
    children.length <= 3 && textContent !== null && textContent.length <= 400 && /\d/.test(textContent);
  const texts = [...root.querySelectorAll('p,div,span,strong,b,em,dd,li,h1,h2,h3,h4,h5,h6,td,output,section')]
    .filter((element) => isSmall(element) && !element.closest(beside))
    .slice(0, 1_000)
    .filter(isSeen);
  const isPlaced = new Set<Element>();
  for (const element of texts) {
    const value = saidBy(element);
    const parent = element.parentElement;
    if (!parent || !amount.test(value) || parent.children.length > 12 || saidBy(parent) === value) continue;
    const siblings = [...parent.children].filter((one) => one !== element && saidBy(one) !== '');
    const before = siblings.findLast((one) => one.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING);
    const isTitle = before?.matches('h1,h2,h3,h4,h5,h6,strong,b,[class*=label],[class*=title],[class*=name]');
    const title = siblings.length === 1 ? siblings[0] : isTitle ? before : undefined;
    const hasOwnText = [...parent.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim(),
    );
    if (!title || hasOwnText || amount.test(saidBy(title))) continue;
    isPlaced.add(parent).add(element);
    add(saidBy(title).replace(/[:：]\s*$/, ''), value, element);
  }

  const blocks = 'p,li,div,dl,table,ul,ol,form,section,h1,h2,h3';
  const sums = /[-−]?[$€£] ?\d(?:[\d,.]*\d)?|\d(?:[\d,.]*\d)? ?(?:€|%)/g;
  for (const element of texts) {
    if (isPlaced.has(element) || element.querySelector(blocks) || !element.matches('p,li,div,h1,h2,h3')) continue;
    const text = saidBy(element);
    const [sum, ...others] = text.match(sums) ?? [];
    if (sum === undefined || others.length > 0 || /[:：] *\S/.test(text) || amount.test(text)) continue;
    if ((text.match(/\p{L}{2,}/gu) ?? []).length >= 2) add(text.replace(sum, '…'), sum, element);
  }
  return found;
}
