import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { summariseScripts } from '../../artifacts/project-summaries.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';

const count = z.number();

export const qaProjectTestScriptsSummaryGet = defineTool({
  name: 'qa_project_test_scripts_summary_get',
  title: 'Test script statistics of a project',
  description:
    'Statistics of the test scripts: how many scripts are active, draft, broken or failed, how many test cases or scenarios are automated or have no script (share, percentage). Also how long they take (duration).',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ projectId }),
  output: z.object({
    projectId: z.string(),
    ...{ totalScripts: count, active: count, failed: count, draft: count },
    ...{ totalTestCases: count, testCasesWithScript: count, testCasesWithoutScript: count },
    failuresByKind: z.record(z.string(), count),
    averageDurationMs: count,
    totalDurationMs: count,
  }),
  async run({ projectId: id }, context) {
    return { projectId: id, ...(await summariseScripts(await openQaContext(context), id)) };
  },
});
