import * as z from 'zod';
import { untrusted } from '../../../platform/text/untrusted-schema.ts';
import { inDetail } from '../../../tool/detail-schema.ts';
import { defineTool } from '../../../tool/tool.ts';
import { requireOwned, requireOwnedInProject, requireProject } from '../../owned-rows.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { replayStepShape } from '../shared/replay-steps.ts';
import { testScriptId, testScriptShape } from '../shared/test-shapes.ts';
import { presentWholeTestScript } from '../shared/whole-test-script.ts';

export const qaTestScriptGet = defineTool({
  name: 'qa_test_script_get',
  title: 'Playwright source code of a test script',
  description:
    'Look at, view, read or open one test script, e.g. checkout: source code of the Playwright test, steps it performs, latest run.',
  effect: 'read',
  scope: 'qa:read',
  longReply: { offset: true, detail: true },
  input: z.object({ testScriptId, projectId: projectId.optional() }),
  output: z.object({
    ...testScriptShape,
    steps: inDetail(untrusted(z.json(), { max: Number.POSITIVE_INFINITY })),
    instructions: untrusted(z.array(z.string())),
    spec: untrusted(z.string(), { max: Number.POSITIVE_INFINITY }).describe(
      'Source of the test for plain npx playwright test',
    ),
    mutations: inDetail(
      z.array(
        z.object({
          name: untrusted(z.string(), { max: 300 }),
          noticed: z.number(),
          unnoticedBy: untrusted(z.array(z.string())),
        }),
      ),
    ),
    latestRun: z.object({ workflowRunId: z.string(), steps: z.array(replayStepShape) }).optional(),
  }),
  async run(args, context) {
    const qa = await openQaContext(context);
    const { testScripts } = qa.store;
    if (args.projectId !== undefined) await requireProject(qa, args.projectId);
    const script =
      args.projectId === undefined
        ? await requireOwned(qa, testScripts, 'testScriptId', args.testScriptId)
        : await requireOwnedInProject(qa, args.projectId, testScripts, 'testScriptId', args.testScriptId);
    return presentWholeTestScript(qa, script);
  },
});
