import { Failure, quote } from '../../../platform/errors.ts';
import { withTimeLimit } from '../time-limits.ts';
import { isNavigationError } from '../visit/load-page.ts';
import { type Audit, standardColumns } from './audit.ts';

const DEFAULT_SELECTOR = "input:not([type='search'])";
const MAX_ELEMENTS = 1_000;
const MAX_CHARACTERS = 10_000;

/** Lists the elements that a selector matches. */
export const elementAudit: Audit = {
  name: 'element_audit',
  async run(auditTarget, settings) {
    const selector = settings.target_element_css_selector ?? DEFAULT_SELECTOR;
    const limits = { selector, most: MAX_ELEMENTS, characters: MAX_CHARACTERS };
    const elements = await withTimeLimit(
      auditTarget.scriptLimitMs,
      'listing elements',
      auditTarget.page.evaluate(matchInPage, limits),
    ).catch((error) => {
      if (error instanceof Failure || isNavigationError(error) || !/not a valid selector/.test(String(error)))
        throw error;
      throw new Error(`target_element_css_selector ${quote(selector)} is not a valid CSS selector`);
    });
    const standard = standardColumns(auditTarget);
    return { rows: { element_audit: elements.map((html) => ({ ...standard, element_html: html })) }, issues: 0 };
  },
};

/** In the page. */
function matchInPage({ selector, most, characters }: { selector: string; most: number; characters: number }): string[] {
  const elements = Array.from(document.querySelectorAll(selector)).slice(0, most);
  return elements.map((element) => element.outerHTML.slice(0, characters));
}
