import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { listRuntimes } from '../../runs/list-runtimes.ts';
import { mapPage, pageArguments, pageShape } from '../../store/result-page.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentRuntime, runtimeShape } from '../shared/run-shapes.ts';

export const qaWorkflowListTestCaseDetectionRuntimes = defineTool({
  name: 'qa_workflow_list_test_case_detection_runtimes',
  title: 'List test case detections',
  description:
    'List previous, past or earlier test case detection workflows or jobs, newest first: history, how often and when they were started.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ projectId: projectId.optional(), ...pageArguments }),
  output: z.object(pageShape(z.object(runtimeShape))),
  async run({ projectId: id, ...request }, context) {
    return mapPage(await listRuntimes(await openQaContext(context), 'qa.detection', id, request), presentRuntime);
  },
});
