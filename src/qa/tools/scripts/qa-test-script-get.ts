import * as z from 'zod';
import { untrusted } from '../../../platform/text/untrusted-schema.ts';
import { inDetail } from '../../../tool/detail-schema.ts';
import { defineTool } from '../../../tool/tool.ts';
import { readScriptDetails } from '../../artifacts/script-details.ts';
import { requireOwned, requireOwnedInProject, requireProject } from '../../owned-rows.ts';
import { describeUniqueToken } from '../../runs/unique-token-text.ts';
import { describeStep } from '../../scripts/model/describe-step.ts';
import { scriptSteps } from '../../scripts/model/script-steps.ts';
import { projectId } from '../projects/project-shapes.ts';
import { openQaContext } from '../shared/open-qa-context.ts';
import { listReplaySteps, replayStepShape } from '../shared/replay-steps.ts';
import { presentTestScript, testScriptId, testScriptShape } from '../shared/test-shapes.ts';

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
    const { latest, mutants = [] } = readScriptDetails(script);
    return {
      ...presentTestScript(script),
      steps: script.steps,
      instructions: (scriptSteps.safeParse(script.steps).data ?? []).map((step) =>
        describeUniqueToken(describeStep(step)),
      ),
      spec: script.spec,
      mutations: mutants,
      ...(latest && { latestRun: { workflowRunId: latest.runId, steps: await listReplaySteps(qa, latest.runId) } }),
    };
  },
});
