import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { scriptsSummary } from '../artifacts/summaries.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';

const count = z.number();

export const qaProjectTestScriptsSummaryGet = defineTool({
  name: 'qa_project_test_scripts_summary_get',
  title: 'Test scripts of a project in numbers',
  description: 'Summary of the test scripts of a project: active, failed, which cases have none, how long they take.',
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
    return { projectId: id, ...(await scriptsSummary(await qaRoom(context), id)) };
  },
});
