import * as z from 'zod';
import { untrusted } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { followScan, startAccessibilityScan } from '../scans.ts';
import { createScanServices } from './scan-services.ts';

export const cwacScan = defineTool({
  name: 'cwac_scan',
  title: 'Accessibility test of a website (a11y, WCAG)',
  description:
    'Run an accessibility check or audit of a site, web page or homepage (URLs) with axe: WCAG compliance, violations, accessibility errors such as contrast (color, colour), labels, alt text, focus, zoom. For people with disabilities (blind, screen reader); also HTML and SEO. Poll cwac_scan_status.',
  effect: 'write',
  openWorld: true,
  scope: 'accessibility:scan',
  input: z.object({
    urls: z.array(z.string()).describe('Start addresses with http(s), one per site, e.g. ["https://example.com"]'),
    audit_name: z.string().max(200).optional().describe('Name of the scan; default: made from the current time'),
    plugins: z
      .record(z.string(), z.boolean())
      .optional()
      .describe('Audits to turn on or off, e.g. {"axe_core_audit": true, "seo_audit": false}'),
    max_links_per_domain: z
      .number()
      .int()
      .min(0)
      .max(100_000)
      .default(50)
      .describe('Maximum pages to scan per start address; 0 means no limit'),
    viewport_sizes: z
      .looseObject({})
      .optional()
      .describe('Browser window in pixels, e.g. {"width": 1280, "height": 800}, or several by name'),
  }),
  output: z.object({
    scan_id: z.string(),
    config_path: z.string(),
    base_urls_dir: z.string(),
    status: z.literal('started'),
    audit_name: z.string(),
    warnings: untrusted(z.array(z.string())).optional(),
  }),
  async run(args, context) {
    const sites = args.urls.length;
    context.progress(0, sites, 'checking the addresses');
    const started = await startAccessibilityScan(await createScanServices(context), {
      urls: args.urls,
      auditName: args.audit_name,
      plugins: args.plugins,
      maxLinksPerDomain: args.max_links_per_domain,
      viewportSizes: args.viewport_sizes && JSON.parse(JSON.stringify(args.viewport_sizes)),
    });
    context.progress(sites, sites, `the scan has started: call cwac_scan_status with scan_id ${started.scan_id}`);
    return started;
  },
  async follow({ scan_id }, context) {
    return followScan(await createScanServices(context), scan_id, context);
  },
});
