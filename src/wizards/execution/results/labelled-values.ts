import type { Page } from 'playwright-core';
import { type VisibleTextTools, visibleTextTools } from '../../../platform/page/in-page/visible-text.ts';
import { loosePairsInPage } from './loose-pairs.ts';

export interface LabelledValue {
  label: string;
  value: string;
  /** The caption of the table, else the nearest heading before the value. */
  heading: string;
}

export interface LabelledPageText {
  /** Labels with their values, from definition lists, table rows and "Label: value". */
  pairs: LabelledValue[];
  /** Pairs with weaker evidence: see `loosePairsInPage`. */
  loose: LabelledValue[];
  text: string;
}

/** Reads the visible text of all frames of a page. */
export async function readLabelledValues(page: Page): Promise<LabelledPageText> {
  const script = `(${readInPage})((${visibleTextTools})(), ${loosePairsInPage})`;
  const frames = await Promise.all(
    page
      .frames()
      .slice(0, 10)
      .map((frame) => frame.evaluate<LabelledPageText>(script).catch(() => empty)),
  );
  return {
    pairs: frames.flatMap(({ pairs }) => pairs),
    loose: frames.flatMap(({ loose }) => loose),
    text: frames.map(({ text }) => text).join('\n'),
  };
}

const empty: LabelledPageText = { pairs: [], loose: [], text: '' };

/** Runs in the page. */
function readInPage(tools: VisibleTextTools, loosePairs: typeof loosePairsInPage): LabelledPageText {
  const { isSeen, linesOf, saidBy: said } = tools;
  const most = 300;
  const pairs: LabelledValue[] = [];
  const headings = new Map<Node, Element[]>();
  const headingOf = (at: Element) => {
    const caption = at.closest('table')?.caption;
    if (caption) return said(caption);
    const root = at.getRootNode();
    const all = headings.get(root) ?? [];
    return said(all.findLast((one) => one.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING));
  };
  const add = (label: string, value: string, at: Element) => {
    const name = label.replace(/[:：]\s*$/, '').trim();
    if (pairs.length < most && name && value && name.length <= 120 && value.length <= 300)
      pairs.push({ label: name, value, heading: headingOf(at) });
  };
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
  for (const root of roots) {
    headings.set(root, [...root.querySelectorAll('h1,h2,h3,h4,h5,h6,[role=heading]')].slice(0, 200).filter(isSeen));
    for (const term of root.querySelectorAll('dt')) {
      let next = term.nextElementSibling;
      while (next && next.tagName === 'DT') next = next.nextElementSibling;
      if (next?.tagName === 'DD') add(said(term), said(next), term);
    }
    for (const row of root.querySelectorAll('tr')) {
      const cells = [...row.children];
      if (cells.length === 2 && cells[1]?.tagName === 'TD') add(said(cells[0]), said(cells[1]), row);
    }
    for (const output of root.querySelectorAll('output')) {
      const label = output.id ? root.querySelector(`label[for="${CSS.escape(output.id)}"]`) : null;
      add(output.getAttribute('aria-label') ?? said(label ?? output.previousElementSibling), said(output), output);
    }
    for (const line of root.querySelectorAll('p, li, div, span, h2, h3')) {
      if (line.closest('nav, footer, header, form, label, button')) continue;
      const block = line.querySelector('p, li, div, dl, table, ul, form');
      const [, label, value] = block ? [] : (/^([^:：]{2,80})[:：]\s*(\S.{0,299})$/.exec(said(line)) ?? []);
      if (label && value) add(label, value, line);
    }
  }
  const loose = roots
    .flatMap((root) => loosePairs(root, tools))
    .map(({ label, value, at }) => ({ label, value, heading: cardHeading(label, at) }));
  const within = roots.slice(1).flatMap((root) => [...root.querySelectorAll(':host > *')].map(said));
  const text = [linesOf(document.body), ...within].join('\n');
  return { pairs, loose, text: text.slice(0, 100_000) };

  /** The heading of a card is its label, so the heading before it distinguishes equal cards. */
  function cardHeading(label: string, at: Element): string {
    const all = headings.get(at.getRootNode()) ?? [];
    const before = all.filter((one) => one.compareDocumentPosition(at) & Node.DOCUMENT_POSITION_FOLLOWING);
    return at.closest('table')?.caption ? headingOf(at) : said(before.findLast((one) => said(one) !== label));
  }
}
