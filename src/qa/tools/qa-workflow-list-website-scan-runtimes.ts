import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { listRuntimes } from '../runs/runtimes.ts';
import { SCAN } from '../scan/start.ts';
import { mapPage, pageArguments, pageOf } from '../store/page.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { presentRuntime, runtimeShape } from './run-shapes.ts';

export const qaWorkflowListWebsiteScanRuntimes = defineTool({
  name: 'qa_workflow_list_website_scan_runtimes',
  title: 'List website scans',
  description:
    'List website scans (workflow runtimes), newest first, of one project or of all, each with its latest run.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ projectId: projectId.optional(), ...pageArguments }),
  output: z.object(pageOf(z.object(runtimeShape))),
  async run({ projectId: id, ...request }, context) {
    return mapPage(await listRuntimes(await qaRoom(context), SCAN, id, request), presentRuntime);
  },
});
