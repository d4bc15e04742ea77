import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { listRuntimes } from '../../runs/list-runtimes.ts';
import { mapPage, pageArguments, pageShape } from '../../store/result-page.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentRuntime, runtimeShape } from '../shared/run-shapes.ts';

export const qaWorkflowListTestScriptReplayBulkRuntimes = defineTool({
  name: 'qa_workflow_list_test_script_replay_bulk_runtimes',
  title: 'History of regression suite runs',
  description:
    'List previous, past or earlier bulk replays (full suite runs), newest first: history of nightly and other regressions.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ projectId: projectId.optional(), ...pageArguments }),
  output: z.object(pageShape(z.object(runtimeShape))),
  async run({ projectId: id, ...request }, context) {
    return mapPage(await listRuntimes(await openQaContext(context), 'qa.bulk', id, request), presentRuntime);
  },
});
