import type { ScanConfig } from '../input/engine-config.ts';
import type { AuditedViewport } from '../scan-context.ts';
import type { Audit } from './audit.ts';
import { axeAudit } from './axe-audit.ts';
import { elementAudit } from './element-audit.ts';
import { focusIndicatorAudit } from './focus-indicator-audit.ts';
import { htmlValidationAudit } from './html-validation-audit.ts';
import { languageAudit } from './language-audit.ts';
import { reflowAudit } from './reflow-audit.ts';
import { screenshotAudit } from './screenshot-audit.ts';
import { seoAudit } from './seo-audit.ts';
import { titleAudit } from './title-audit.ts';

/** All audits in execution order: those that only read the page first, the one that presses keys last. */
const allAudits: readonly Audit[] = [
  axeAudit,
  titleAudit,
  languageAudit,
  elementAudit,
  htmlValidationAudit,
  seoAudit,
  reflowAudit,
  screenshotAudit,
  focusIndicatorAudit,
];

/** Width in CSS pixels that WCAG 1.4.10 (Reflow) requires. */
const REFLOW_WIDTH = 320;
const REFLOW_VIEWPORT = { name: 'reflow', width: REFLOW_WIDTH, height: 450 };

/** Assigns the enabled audits to the viewports of a scan. */
export function planAudits(config: ScanConfig): AuditedViewport[] {
  const enabled = allAudits.flatMap((audit) => {
    const settings = config.audit_plugins[audit.name];
    return settings?.enabled ? [{ audit, settings }] : [];
  });
  const sizes = Object.entries(config.viewport_sizes).map(([name, size]) => ({ name, ...size }));
  const names = sizes.map(({ name }) => name);
  const plannedAudits = new Set<Audit>();
  const plannedViewports = sizes.map((viewport) => ({
    ...viewport,
    audits: enabled.filter(({ audit, settings: { viewport_to_test: only } }) => {
      const here = only === undefined || only === viewport.name;
      if (audit === reflowAudit) return viewport.width === REFLOW_WIDTH && here;
      if (plannedAudits.has(audit) || !(here || !names.includes(only ?? ''))) return false;
      if (audit.isViewportIndependent) plannedAudits.add(audit);
      return true;
    }),
  }));
  const reflow = enabled.filter(({ audit }) => audit === reflowAudit);
  const measured = plannedViewports.some((viewport) => viewport.audits.some(({ audit }) => audit === reflowAudit));
  // Without a viewport of the reflow width, the reflow audit gets an extra viewport.
  const extraViewports = reflow.length > 0 && !measured ? [{ ...REFLOW_VIEWPORT, audits: reflow }] : [];
  const usedViewports = [...plannedViewports, ...extraViewports].filter((viewport) => viewport.audits.length > 0);
  // A scan without audits still opens each page once, to collect its links.
  return usedViewports.length > 0 ? usedViewports : plannedViewports.slice(0, 1);
}
