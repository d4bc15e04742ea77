import * as z from 'zod';
import { defineTool } from '../../tool/tool.ts';
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
    'List previous, past or earlier website scans (crawls, explorations) that were run before, newest first: history, when the last one was.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ projectId: projectId.optional(), ...pageArguments }),
  output: z.object(pageOf(z.object(runtimeShape))),
  async run({ projectId: id, ...request }, context) {
    return mapPage(await listRuntimes(await qaRoom(context), SCAN, id, request), presentRuntime);
  },
});
