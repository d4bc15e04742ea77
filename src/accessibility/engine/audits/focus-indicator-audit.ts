import type { Page } from 'playwright-core';
import type { CsvRow } from '../output/csv-rows.ts';
import { withTimeLimit } from '../time-limits.ts';
import { type Audit, standardColumns, truncateCharacters } from './audit.ts';

const TYPE = 'FocusIndicatorAudit';
const HELP = 'https://www.w3.org/WAI/WCAG22/Understanding/focus-visible.html';
/** Margin around an element for its focus ring or shadow. */
const MARGIN_PX = 24;

interface FocusedElement {
  html: string;
  /** True for text fields, which show a cursor, and for frames without a focused element. */
  isExempt: boolean;
  /** Position in the viewport with margin; null when the element is outside. */
  box: { x: number; y: number; width: number; height: number } | null;
}

/** Moves through the page with Tab and compares screenshots of each element with and without focus: no change is an issue. */
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
      // No focused element: Tab has left the page.
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
  // Playwright would change the page to hide the cursor. Fields with a cursor are exempt, so it can stay.
  const quiet: { animations: 'disabled'; caret: 'initial' } = { animations: 'disabled', caret: 'initial' };
  const nearWith = await page.screenshot({ ...quiet, ...near });
  const allWith = box ? await page.screenshot(quiet) : nearWith;
  // After blur, the next Tab still continues from this element.
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement || document.activeElement instanceof SVGElement) {
      document.activeElement.blur();
    }
  });
  if (!nearWith.equals(await page.screenshot({ ...quiet, ...near }))) return true;
  // The indicator may be elsewhere, such as a highlighted row.
  return box !== null && !allWith.equals(await page.screenshot(quiet));
}

/** Runs in the page: makes the next Tab go to the first element inside of the root. */
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
  // The content of a cross-origin frame cannot be read, so such a frame is exempt.
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
    description: html === undefined ? 'No issues found' : 'The element has no visible focus indicator',
    html: truncateCharacters(html ?? '', 100),
    num_issues: html === undefined ? 0 : 1,
  };
}
