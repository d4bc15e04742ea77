import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Audit, auditId, standardColumns } from './audit.ts';

export const screenshotAudit: Audit = {
  name: 'screenshot_audit',
  async run(sight) {
    const screenshot = `screenshots/${auditId(sight)}.png`;
    await mkdir(join(sight.dir, 'screenshots'), { recursive: true });
    await sight.page.screenshot({ path: join(sight.dir, screenshot), caret: 'initial', timeout: sight.scriptLimitMs });
    const row = { ...standardColumns(sight), audit_type: 'ScreenshotAudit', screenshot };
    return { rows: { screenshot_audit: [row] }, issues: 0 };
  },
};
