import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { followScan, startScan } from '../scans.ts';
import { scanRoom } from './room.ts';

export const cwacScan = defineTool({
  name: 'cwac_scan',
  title: 'Start an accessibility scan',
  description:
    'Accessibility scan of web sites or pages in a real browser: axe (WCAG), HTML validation, SEO, reflow, focus and more, following links. Starts it and returns a scan_id for cwac_scan_status.',
  effect: 'write',
  openWorld: true,
  scope: 'accessibility:scan',
  input: z.object({
    urls: z.array(z.string()).describe('Where to begin; each is a site of its own'),
    audit_name: z.string().max(200).optional().describe('Default: from the time'),
    plugins: z
      .record(z.string(), z.boolean())
      .optional()
      .describe('Audits on or off, e.g. {"axe_core_audit": true, "seo_audit": false}'),
    max_links_per_domain: z.number().int().min(0).max(100_000).default(50).describe('Pages for each URL; 0: no limit'),
    viewport_sizes: z.looseObject({}).optional().describe('{"width": 1280, "height": 800}, or names with such sizes'),
  }),
  output: z.object({
    scan_id: z.string(),
    config_path: z.string(),
    base_urls_dir: z.string(),
    status: z.literal('started'),
    audit_name: z.string(),
    warnings: z.array(z.string()).optional(),
  }),
  async run(args, context) {
    return startScan(await scanRoom(context), {
      urls: args.urls,
      auditName: args.audit_name,
      plugins: args.plugins,
      maxLinksPerDomain: args.max_links_per_domain,
      viewportSizes: args.viewport_sizes && JSON.parse(JSON.stringify(args.viewport_sizes)),
    });
  },
  async follow({ scan_id }, context) {
    return followScan(await scanRoom(context), scan_id, context);
  },
});
