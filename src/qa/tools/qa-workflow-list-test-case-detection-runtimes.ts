import * as z from 'zod';
import { defineTool } from '../../tool/tool.ts';
import { listRuntimes } from '../runs/runtimes.ts';
import { mapPage, pageArguments, pageOf } from '../store/page.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { presentRuntime, runtimeShape } from './run-shapes.ts';

export const qaWorkflowListTestCaseDetectionRuntimes = defineTool({
  name: 'qa_workflow_list_test_case_detection_runtimes',
  title: 'List test case detections',
  description:
    'List previous, past or earlier test case detection workflows or jobs, newest first: history, how often and when they were started.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ projectId: projectId.optional(), ...pageArguments }),
  output: z.object(pageOf(z.object(runtimeShape))),
  async run({ projectId: id, ...request }, context) {
    return mapPage(await listRuntimes(await qaRoom(context), 'qa.detection', id, request), presentRuntime);
  },
});
