import type { Page } from 'playwright-core';
import { type SeenTools, seenTools } from '../../platform/page/in-page/seen.ts';

export interface PageText {
  /** A label and what stands for it, as in a list of terms, a row of a table, or "Label: value". */
  pairs: { label: string; value: string }[];
  text: string;
}

/** What all frames of a page say, as a person sees it. */
export async function pageText(page: Page): Promise<PageText> {
  const script = `(${readInPage})((${seenTools})())`;
  const frames = await Promise.all(
    page
      .frames()
      .slice(0, 10)
      .map((frame) => frame.evaluate<PageText>(script).catch(() => empty)),
  );
  return { pairs: frames.flatMap(({ pairs }) => pairs), text: frames.map(({ text }) => text).join('\n') };
}

const empty: PageText = { pairs: [], text: '' };

/** In the page. */
function readInPage({ linesOf, saidBy: said }: SeenTools): PageText {
  const most = 300;
  const pairs: { label: string; value: string }[] = [];
  const add = (label: string, value: string) => {
    const name = label.replace(/[:：]\s*$/, '').trim();
    if (pairs.length < most && name && value && name.length <= 120 && value.length <= 300)
      pairs.push({ label: name, value });
  };
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
  for (const root of roots) {
    for (const term of root.querySelectorAll('dt')) {
      let next = term.nextElementSibling;
      while (next && next.tagName === 'DT') next = next.nextElementSibling;
      if (next?.tagName === 'DD') add(said(term), said(next));
    }
    for (const row of root.querySelectorAll('tr')) {
      const cells = [...row.children];
      if (cells.length === 2 && cells[1]?.tagName === 'TD') add(said(cells[0]), said(cells[1]));
    }
    for (const output of root.querySelectorAll('output')) {
      const label = output.id ? root.querySelector(`label[for="${CSS.escape(output.id)}"]`) : null;
      add(output.getAttribute('aria-label') ?? said(label ?? output.previousElementSibling), said(output));
    }
    for (const line of root.querySelectorAll('p, li, div, span, h2, h3')) {
      if (line.closest('nav, footer, header, form, label, button')) continue;
      const block = line.querySelector('p, li, div, dl, table, ul, form');
      const [, label, value] = block ? [] : (/^([^:：]{2,80})[:：]\s*(\S.{0,299})$/.exec(said(line)) ?? []);
      if (label && value) add(label, value);
    }
  }
  const within = roots.slice(1).flatMap((root) => [...root.querySelectorAll(':host > *')].map(said));
  const text = [linesOf(document.body), ...within].join('\n');
  return { pairs, text: text.slice(0, 100_000) };
}
