import * as z from 'zod';
import { defineTool } from '../../tool/tool.ts';
import { listRuntimes } from '../runs/runtimes.ts';
import { mapPage, pageArguments, pageOf } from '../store/page.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { presentRuntime, runtimeShape } from './run-shapes.ts';

export const qaWorkflowListTestScriptReplayBulkRuntimes = defineTool({
  name: 'qa_workflow_list_test_script_replay_bulk_runtimes',
  title: 'History of regression suite runs',
  description:
    'List previous, past or earlier bulk replays (full suite runs), newest first: history of nightly and other regressions.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ projectId: projectId.optional(), ...pageArguments }),
  output: z.object(pageOf(z.object(runtimeShape))),
  async run({ projectId: id, ...request }, context) {
    return mapPage(await listRuntimes(await qaRoom(context), 'qa.bulk', id, request), presentRuntime);
  },
});
