import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { casePriorities, expectableOutcomes, writeCase } from '../../cases/write/write-case.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentWholeTestCase, wholeTestCaseShape } from '../shared/test-shapes.ts';

const words = z.string().max(5000);

export const qaTestCaseUpsert = defineTool({
  name: 'qa_test_case_upsert',
  title: 'Write or change a test case',
  description:
    'Create, add, write, define or specify a new test case or scenario of your own (custom, manual), or change, edit, modify or update one: title, steps, data, expected result, priority, e.g. that an expired card must fail. Give data to have its script generated, or use qa_test_script_upsert.',
  effect: 'write',
  idempotent: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    testCaseId: z.string().optional().describe('Id of the test case to change; leave out to create one'),
    useCaseId: z.string().optional().describe('Use case id; required for a new test case'),
    title: z.string().min(1).max(300).optional().describe('Title of the test case'),
    goal: words.optional().describe('What the test proves'),
    expectedResult: words.optional().describe('Expected result'),
    precondition: words.optional().describe('State required before the test'),
    instructions: words.optional().describe('Steps, one per line'),
    url: z.string().max(2000).optional().describe('Start address; default: address of the use case'),
    priority: z.enum(casePriorities).optional().describe('Priority; default MEDIUM'),
    tags: z.array(z.string()).max(20).optional().describe('Tags, e.g. "smoke"'),
    data: z
      .looseObject({})
      .optional()
      .describe('Form values by field, e.g. {"Email": "x"}; other fields get valid values'),
    outcome: z.enum(expectableOutcomes).optional().describe('Expected reaction of the site to data'),
  }),
  output: z.object(wholeTestCaseShape),
  async run(args, context) {
    return presentWholeTestCase(await writeCase(await openQaContext(context), args));
  },
});
