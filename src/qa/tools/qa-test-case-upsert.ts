import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { casePriorities, outcomes, writeCase } from '../cases/write-case.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { presentWholeTestCase, wholeTestCaseShape } from './test-shapes.ts';

const words = z.string().max(5000);

export const qaTestCaseUpsert = defineTool({
  name: 'qa_test_case_upsert',
  title: 'Write a test case',
  description:
    'Add or change a test case of your own. With data for the form of its use case the generator writes the script; otherwise write it with qa_test_script_upsert.',
  effect: 'write',
  idempotent: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    testCaseId: z.string().optional().describe('To change it'),
    useCaseId: z.string().optional().describe('For a new one'),
    title: z.string().min(1).max(300).optional().describe('Title'),
    goal: words.optional().describe('What it shows'),
    expectedResult: words.optional().describe('When it is right'),
    precondition: words.optional().describe('What must be so before'),
    instructions: words.optional().describe('A step a line'),
    url: z.string().max(2000).optional().describe('Where it begins'),
    priority: z.enum(casePriorities).optional().describe('Default MEDIUM'),
    tags: z.array(z.string()).max(20).optional().describe('Tags'),
    data: z.looseObject({}).optional().describe('{"field": "value"}; other fields get valid values'),
    outcome: z.enum(outcomes).optional().describe('What the site does with the data'),
  }),
  output: z.object(wholeTestCaseShape),
  async run(args, context) {
    return presentWholeTestCase(await writeCase(await qaRoom(context), args));
  },
});
