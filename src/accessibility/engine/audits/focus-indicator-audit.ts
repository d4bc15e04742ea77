import type { Page } from 'playwright-core';
import type { CsvRow } from '../output/csv-rows.ts';
import { withTimeLimit } from '../time-limits.ts';
import { type Audit, standardColumns, truncateCharacters } from './audit.ts';

const TYPE = 'FocusIndicatorAudit';
const HELP = 'https://www.w3.org/WAI/WCAG22/Understanding/focus-visible.html';
/** Around an element, where its ring or shadow may lie. */
const MARGIN_PX = 24;

interface FocusedElement {
  html: string;
  /** A text field shows its cursor, which is sign enough; a frame in which nothing has the focus needs none. */
  isExempt: boolean;
  /** The part of the viewport where it is drawn; null where it lies outside. */
  box: { x: number; y: number; width: number; height: number } | null;
}

/** Walks through the page by Tab and compares each element with and without the focus: where nothing changes, nobody sees it. */
export const focusIndicatorAudit: Audit = {
  name: 'focus_indicator_audit',
  async run(auditTarget, settings) {
    const { page } = auditTarget;
    const presses = settings.max_tab_key_presses ?? 5;
    const limit = auditTarget.scriptLimitMs;
    await withTimeLimit(
      limit,
      'finding where to begin',
      page.evaluate(startTabbingInPage, settings.root_element_css_selector ?? 'main'),
    );
    for (let press = 0; press < (settings.pre_tab_key_presses ?? 0); press++)
      await withTimeLimit(limit, 'pressing Tab', page.keyboard.press('Tab'));
    const invisible = new Map<string, string>();
    for (let press = 0; press < presses; press++) {
      await withTimeLimit(limit, 'pressing Tab', page.keyboard.press('Tab'));
      const focused = await withTimeLimit(limit, 'finding the focus', page.evaluate(focusedElementInPage, MARGIN_PX));
      // The focus has left the page at its end.
      if (!focused) break;
      if (focused.isExempt) continue;
      if (!(await withTimeLimit(limit, 'comparing pictures', hasVisibleFocus(page, focused))))
        invisible.set(focused.html, focused.html);
    }
    const standard = standardColumns(auditTarget);
    const rows = [...invisible.keys()].map((html) => focusRow(standard, html));
    return {
      rows: { focus_indicator_audit: rows.length > 0 ? rows : [focusRow(standard, undefined)] },
      issues: rows.length,
    };
  },
};

async function hasVisibleFocus(page: Page, { box }: FocusedElement): Promise<boolean> {
  const near = box ? { clip: box } : {};
  // To hide the cursor, Playwright would write into the page; fields that have one are not photographed.
  const quiet: { animations: 'disabled'; caret: 'initial' } = { animations: 'disabled', caret: 'initial' };
  const nearWith = await page.screenshot({ ...quiet, ...near });
  const allWith = box ? await page.screenshot(quiet) : nearWith;
  // The next Tab still goes on from here.
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement || document.activeElement instanceof SVGElement) {
      document.activeElement.blur();
    }
  });
  if (!nearWith.equals(await page.screenshot({ ...quiet, ...near }))) return true;
  // The sign may be elsewhere: a marked row, a bar at the side.
  return box !== null && !allWith.equals(await page.screenshot(quiet));
}

/** In the page: the next Tab goes to the first element inside of the root. */
function startTabbingInPage(selector: string): void {
  const root = document.querySelector(selector) ?? document.body;
  window.scrollTo({ top: 0, left: 0, behavior: 'instant' });
  const had = root.getAttribute('tabindex');
  root.setAttribute('tabindex', '-1');
  if (root instanceof HTMLElement) {
    root.focus({ preventScroll: true });
    root.blur();
  }
  if (had === null) root.removeAttribute('tabindex');
  else root.setAttribute('tabindex', had);
}

/** In the page. */
function focusedElementInPage(margin: number): FocusedElement | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (!element || element === document.body || element === document.documentElement) return null;
  const { left, top, right, bottom } = element.getBoundingClientRect();
  const x = Math.max(0, Math.floor(left - margin));
  const y = Math.max(0, Math.floor(top - margin));
  const width = Math.min(window.innerWidth, Math.ceil(right + margin)) - x;
  const height = Math.min(window.innerHeight, Math.ceil(bottom + margin)) - y;
  const noText =
    '[type=button],[type=submit],[type=reset],[type=checkbox],[type=radio],[type=range],[type=color],[type=file],[type=image]';
  const isField = element.matches(`textarea, input:not(${noText}), [contenteditable]:not([contenteditable="false"])`);
  const cursor = isField && !/^(transparent|rgba\(.*, 0\))$/.test(getComputedStyle(element).caretColor);
  // Into another site's frame nobody can look, so it is not accused.
  const inner = element instanceof HTMLIFrameElement ? element.contentDocument : undefined;
  const idleFrame = inner !== undefined && (!inner?.activeElement || inner.activeElement === inner.body);
  return {
    html: element.outerHTML,
    isExempt: cursor || idleFrame,
    box: width > 0 && height > 0 ? { x, y, width, height } : null,
  };
}

function focusRow(standard: CsvRow, html: string | undefined): CsvRow {
  return {
    ...standard,
    audit_type: TYPE,
    helpUrl: html === undefined ? '' : HELP,
    description: html === undefined ? 'No issues found' : 'Nothing shows that the element has the focus',
    html: truncateCharacters(html ?? '', 100),
    num_issues: html === undefined ? 0 : 1,
  };
}
