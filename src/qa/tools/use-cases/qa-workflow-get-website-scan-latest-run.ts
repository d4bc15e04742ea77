import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { SCAN_JOB_KIND } from '../../runs/run-kinds.ts';
import { findLatestRun } from '../../runs/run-status.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentRun, runShape, workflowRuntimeId } from '../shared/run-shapes.ts';

export const qaWorkflowGetWebsiteScanLatestRun = defineTool({
  name: 'qa_workflow_get_website_scan_latest_run',
  title: 'Status of a website scan (crawl)',
  description:
    'Status and progress of an exploration or crawl of the site: how far it is, still running, ready, done, finished or failed (errors), how many pages were explored so far.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ workflowRuntimeId }),
  output: z.object(runShape),
  async run({ workflowRuntimeId: id }, context) {
    return presentRun(await findLatestRun(await openQaContext(context), SCAN_JOB_KIND, id));
  },
});
