import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { followRun } from '../runs/status.ts';
import { writeAuthoredScript } from '../scripts/write-script.ts';
import { projectId } from './project-shapes.ts';
import { qaRoom } from './room.ts';
import { presentRun } from './run-shapes.ts';
import { baseUrl, testCaseId } from './test-shapes.ts';

export const qaTestScriptUpsert = defineTool({
  name: 'qa_test_script_upsert',
  title: 'Write a test script',
  description:
    'Give a test case a script of your own; it becomes active after the same live validation as a generated one. Steps as in qa_test_script_get, e.g. {"do":"goto","url":"/login"}, {"do":"fill","on":{"name":"Email","ladder":[{"by":"label","value":"Email"}]},"value":"a@b.c"}, fillSecret (secret), select, check, click, press, upload, reload, back; expectText, expectNoText, expectDialog, expectDownload, expectUrl, expectVisible, expectValue, expectInvalid, expectDisabled, expectCount, expectEach, expectRequest, expectNoRequest, expectNoErrors.',
  effect: 'write',
  openWorld: true,
  scope: 'qa:write',
  input: z.object({
    projectId,
    testCaseId,
    steps: z
      .array(z.looseObject({}))
      .min(1)
      .max(200)
      .describe(
        'From a goto to what is expected. expectEach: role (row, article, listitem), text, partly for parts of words; expectDownload: file (* for any characters), begins; expectUrl: path.',
      ),
    baseUrl: baseUrl.optional(),
  }),
  output: z.object({ workflowRuntimeId: z.string(), workflowRunId: z.string() }),
  async run({ baseUrl: base, ...args }, context) {
    return writeAuthoredScript(await qaRoom(context), { ...args, baseUrl: base ?? null });
  },
  async follow({ workflowRuntimeId }, context) {
    return presentRun(await followRun(await qaRoom(context), 'qa.generation', workflowRuntimeId, context));
  },
});
