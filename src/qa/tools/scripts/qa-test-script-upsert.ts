import * as z from 'zod';
import { defineTool } from '../../../tool/tool.ts';
import { waitForLatestRun } from '../../runs/run-status.ts';
import { startAuthoredScript } from '../../scripts/start-authored-script.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { presentRun } from '../shared/run-shapes.ts';
import { baseUrl, testCaseId } from '../shared/test-shapes.ts';
import { requireWholeSteps } from '../shared/whole-test-script.ts';

export const qaTestScriptUpsert = defineTool({
  name: 'qa_test_script_upsert',
  title: 'Write or change a test script by hand',
  description:
    'Write, add, provide, submit or replace a test script manually (hand-written), with your own custom Playwright steps instead of generated ones; it is validated live. Steps, e.g. {"do":"goto","url":"/login"}, {"do":"fill","on":{"name":"Email","ladder":[{"by":"label","value":"Email"}]},"value":"a@b.c"}, fillSecret (secret), select, check, click, press, upload, reload, back; expectText, expectNoText, expectDialog, expectDownload, expectUrl, expectVisible, expectValue, expectInvalid, expectDisabled, expectCount, expectEach, expectRequest, expectNoRequest, expectNoErrors.',
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
        'Steps, as in qa_test_script_get: the first is goto, the last an expectation. expectEach: role (row, article, listitem), text, partly for parts of words; expectDownload: file (* for any characters), begins; expectUrl: path',
      ),
    baseUrl: baseUrl.optional(),
  }),
  output: z.object({ workflowRuntimeId: z.string(), workflowRunId: z.string() }),
  async run({ baseUrl: base, ...args }, context) {
    const qa = await openQaContext(context);
    await requireWholeSteps(qa, args);
    return startAuthoredScript(qa, { ...args, baseUrl: base ?? null });
  },
  async follow({ workflowRuntimeId }, context) {
    return presentRun(
      await waitForLatestRun(await openQaContext(context), 'qa.generation', workflowRuntimeId, context),
    );
  },
});
