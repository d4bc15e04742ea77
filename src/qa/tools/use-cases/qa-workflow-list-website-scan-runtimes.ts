import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { listRuntimes } from '../../runs/list-runtimes.ts';
import { SCAN_JOB_KIND } from '../../runs/run-kinds.ts';
import { mapPage, pageArguments, pageShape } from '../../store/result-page.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentRuntime, runtimeShape } from '../shared/run-shapes.ts';

export const qaWorkflowListWebsiteScanRuntimes = defineTool({
  name: 'qa_workflow_list_website_scan_runtimes',
  title: 'List website scans',
  description:
    'List previous, past or earlier website scans (crawls, explorations) that were run before, newest first: history, when the last one was.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ projectId: projectId.optional(), ...pageArguments }),
  output: z.object(pageShape(z.object(runtimeShape))),
  async run({ projectId: id, ...request }, context) {
    return mapPage(await listRuntimes(await openQaContext(context), SCAN_JOB_KIND, id, request), presentRuntime);
  },
});
