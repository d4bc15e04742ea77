import { Failure, quote } from '../../../platform/errors.ts';
import { isNavigation } from '../load.ts';
import { within } from '../waiting.ts';
import { type Audit, standardColumns } from './audit.ts';

const USUAL_SELECTOR = "input:not([type='search'])";
const MOST_ELEMENTS = 1_000;
const MOST_CHARACTERS = 10_000;

/** Lists the elements that a selector matches, to see what there is before deciding what to test. */
export const elementAudit: Audit = {
  name: 'element_audit',
  async run(sight, settings) {
    const selector = settings.target_element_css_selector ?? USUAL_SELECTOR;
    const limits = { selector, most: MOST_ELEMENTS, characters: MOST_CHARACTERS };
    const elements = await within(sight.scriptLimitMs, 'listing elements', sight.page.evaluate(matching, limits)).catch(
      (error) => {
        if (error instanceof Failure || isNavigation(error) || !/not a valid selector/.test(String(error))) throw error;
        throw new Error(`target_element_css_selector ${quote(selector)} is not a selector`);
      },
    );
    const standard = standardColumns(sight);
    return { rows: { element_audit: elements.map((html) => ({ ...standard, element_html: html })) }, issues: 0 };
  },
};

/** In the page. */
function matching({ selector, most, characters }: { selector: string; most: number; characters: number }): string[] {
  const elements = Array.from(document.querySelectorAll(selector)).slice(0, most);
  return elements.map((element) => element.outerHTML.slice(0, characters));
}
