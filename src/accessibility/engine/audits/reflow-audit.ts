import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { formatPythonBoolean } from '../output/python-format.ts';
import { withTimeLimit } from '../time-limits.ts';
import { type Audit, auditId, standardColumns } from './audit.ts';

/** CWAC scrolls a hundred pixels to the right and looks how far it came, so its column says 100 at most. */
const MAX_REPORTED_PX = 100;

/** At 320 pixels nothing may need scrolling sideways (WCAG 1.4.10). */
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

/** In the page: how far it really can be scrolled, which is less than its content is wide where the rest is cut off. */
function scrollableWidthInPage(): number {
  const { scrollX, scrollY } = window;
  window.scrollTo({ left: 1_000_000, top: scrollY, behavior: 'instant' });
  const reached = Math.round(window.scrollX);
  window.scrollTo({ left: scrollX, top: scrollY, behavior: 'instant' });
  return reached;
}
