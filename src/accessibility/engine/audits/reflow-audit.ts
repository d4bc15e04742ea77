import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { formatPythonBoolean } from '../output/python-format.ts';
import { withTimeLimit } from '../time-limits.ts';
import { type Audit, auditId, standardColumns } from './audit.ts';

/** CWAC measures by scrolling 100 pixels to the right, so its column has at most this value. */
const MAX_REPORTED_PX = 100;

/** Checks that a page 320 pixels wide does not scroll horizontally (WCAG 1.4.10). */
export const reflowAudit: Audit = {
  name: 'reflow_audit',
  async run(auditTarget, settings) {
    const overflow = await withTimeLimit(
      auditTarget.scriptLimitMs,
      'measuring',
      auditTarget.page.evaluate(scrollableWidthInPage),
    );
    const overflows = overflow > 0;
    if (overflows && settings.screenshot_failures) {
      await mkdir(join(auditTarget.resultsDir, 'screenshots'), { recursive: true });
      await auditTarget.page.screenshot({
        path: join(auditTarget.resultsDir, 'screenshots', `${auditId(auditTarget)}_reflow.png`),
        caret: 'initial',
      });
    }
    const row = {
      ...standardColumns(auditTarget),
      audit_type: 'ReflowAudit',
      overflows: formatPythonBoolean(overflows),
      num_issues: overflows ? 1 : 0,
      overflow_amount_px: Math.min(MAX_REPORTED_PX, overflow),
    };
    return { rows: { reflow_audit: [row] }, issues: overflows ? 1 : 0 };
  },
};

/** Runs in the page: measures by scrolling, because `scrollWidth` includes content that is clipped. */
function scrollableWidthInPage(): number {
  const { scrollX, scrollY } = window;
  window.scrollTo({ left: 1_000_000, top: scrollY, behavior: 'instant' });
  const reached = Math.round(window.scrollX);
  window.scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' });
  return reached;
}
