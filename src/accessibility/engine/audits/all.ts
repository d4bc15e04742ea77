import type { ScanConfig } from '../config.ts';
import type { ScanView } from '../scan-parts.ts';
import type { Audit } from './audit.ts';
import { axeAudit } from './axe.ts';
import { elementAudit } from './element.ts';
import { focusIndicatorAudit } from './focus-indicator.ts';
import { htmlValidation } from './html-validation.ts';
import { languageAudit } from './language.ts';
import { reflowAudit } from './reflow.ts';
import { screenshotAudit } from './screenshot.ts';
import { seoAudit } from './seo.ts';
import { titleAudit } from './title.ts';

/** In the order in which they look at a page: those that only read it first, the one that presses keys last. */
const audits: readonly Audit[] = [
  axeAudit,
  titleAudit,
  languageAudit,
  elementAudit,
  htmlValidation,
  seoAudit,
  reflowAudit,
  screenshotAudit,
  focusIndicatorAudit,
];

/** WCAG speaks of 320 CSS pixels. */
const REFLOW_WIDTH = 320;
const REFLOW_VIEW = { name: 'reflow', width: REFLOW_WIDTH, height: 450 };

/** The viewports of a scan, each with the audits that run in it. */
export function viewsOf(config: ScanConfig): ScanView[] {
  const enabled = audits.flatMap((audit) => {
    const settings = config.audit_plugins[audit.name];
    return settings?.enabled ? [{ audit, settings }] : [];
  });
  const sizes = Object.entries(config.viewport_sizes).map(([name, size]) => ({ name, ...size }));
  const names = sizes.map(({ name }) => name);
  const done = new Set<Audit>();
  const views = sizes.map((view) => ({
    ...view,
    audits: enabled.filter(({ audit, settings: { viewport_to_test: only } }) => {
      const here = only === undefined || only === view.name;
      if (audit === reflowAudit) return view.width === REFLOW_WIDTH && here;
      if (done.has(audit) || !(here || !names.includes(only ?? ''))) return false;
      if (audit.once) done.add(audit);
      return true;
    }),
  }));
  const reflow = enabled.filter(({ audit }) => audit === reflowAudit);
  const measured = views.some((view) => view.audits.some(({ audit }) => audit === reflowAudit));
  // Where no viewport has the width that reflow is about, it gets a look of its own.
  const more = reflow.length > 0 && !measured ? [{ ...REFLOW_VIEW, audits: reflow }] : [];
  const used = [...views, ...more].filter((view) => view.audits.length > 0);
  // A crawl without any audit still opens each page once, for its links.
  return used.length > 0 ? used : views.slice(0, 1);
}
