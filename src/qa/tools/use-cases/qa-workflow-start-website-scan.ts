import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { SCAN_JOB_KIND } from '../../runs/run-kinds.ts';
import { waitForLatestRun } from '../../runs/run-status.ts';
import { startSiteScan } from '../../scan/start-scan.ts';
import { projectId } from '../projects/project-shapes.ts';
import { workflowParams } from '../shared/compatibility-arguments.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentRun } from '../shared/run-shapes.ts';

export const qaWorkflowStartWebsiteScan = defineTool({
  name: 'qa_workflow_start_website_scan',
  title: 'Explore a website to find use cases',
  description:
    'Start a website scan: explore, crawl, map or look around a site or web app to discover use cases worth testing. Finds out or learns what users can do there: see which features, functions, user flows and journeys exist. Logs in with the stored secrets, but submits nothing else; poll qa_workflow_get_website_scan_latest_run.',
  effect: 'write',
  openWorld: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    url: z.string().min(1).max(2000).describe('Address where the exploration starts'),
    description: z.string().min(1).max(10_000).describe('What to look for, e.g. "sign-up and checkout"'),
    archiveUnapproved: z.boolean().default(false).describe('Delete unapproved candidates first'),
    allowLogin: z
      .boolean()
      .default(false)
      .describe('Allow secrets on url although it is not on the site of the project'),
    maxPages: z.number().int().min(1).max(2000).default(100).describe('Maximum number of pages to visit'),
    maxDepth: z.number().int().min(0).max(50).default(8).describe('Maximum clicks away from the start page'),
    maxSeconds: z.number().int().min(5).max(7200).default(600).describe('Time limit in seconds'),
    workflowParams,
  }),
  output: z.object({ workflowRuntimeId: z.string(), workflowRunId: z.string() }),
  async run({ maxPages, maxDepth, maxSeconds, workflowParams: _, ...options }, context) {
    const limits = { pages: maxPages, depth: maxDepth, seconds: maxSeconds };
    return startSiteScan(await openQaContext(context), { ...options, limits });
  },
  async follow({ workflowRuntimeId }, context) {
    return presentRun(await waitForLatestRun(await openQaContext(context), SCAN_JOB_KIND, workflowRuntimeId, context));
  },
});
