import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Audit, auditId, standardColumns } from './audit.ts';

export const screenshotAudit: Audit = {
  name: 'screenshot_audit',
  async run(auditTarget) {
    const screenshot = `screenshots/${auditId(auditTarget)}.png`;
    await mkdir(join(auditTarget.resultsDir, 'screenshots'), { recursive: true });
    await auditTarget.page.screenshot({
      path: join(auditTarget.resultsDir, screenshot),
      caret: 'initial',
      timeout: auditTarget.scriptLimitMs,
    });
    const row = { ...standardColumns(auditTarget), audit_type: 'ScreenshotAudit', screenshot };
    return { rows: { screenshot_audit: [row] }, issues: 0 };
  },
};
