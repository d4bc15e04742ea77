import * as z from 'zod';
import { untrusted } from '../../platform/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { ownItem, ownItemOf, ownProject } from '../access.ts';
import { detailsOf } from '../artifacts/latest.ts';
import { readable } from '../runs/readable.ts';
import { steps } from '../scripts/model.ts';
import { inWords } from '../scripts/words.ts';
import { projectId } from './project-shapes.ts';
import { replayStepShape, stepsOf } from './replay-steps.ts';
import { qaRoom } from './room.ts';
import { presentTestScript, testScriptId, testScriptShape } from './test-shapes.ts';

export const qaTestScriptGet = defineTool({
  name: 'qa_test_script_get',
  title: 'Playwright source code of a test script',
  description:
    'Look at, view, read or open one test script, e.g. checkout: source code of the Playwright test, steps it performs, latest run.',
  effect: 'read',
  scope: 'qa:read',
  input: z.object({ testScriptId, projectId: projectId.optional() }),
  output: z.object({
    ...testScriptShape,
    steps: untrusted(z.json(), { max: Number.POSITIVE_INFINITY }),
    instructions: untrusted(z.array(z.string())),
    spec: untrusted(z.string(), { max: Number.POSITIVE_INFINITY }).describe('For plain npx playwright test'),
    mutations: z.array(
      z.object({
        name: untrusted(z.string(), { max: 300 }),
        noticed: z.number(),
        unnoticedBy: untrusted(z.array(z.string())),
      }),
    ),
    latestRun: z.object({ workflowRunId: z.string(), steps: z.array(replayStepShape) }).optional(),
  }),
  async run(args, context) {
    const room = await qaRoom(context);
    const { testScripts } = room.store;
    if (args.projectId !== undefined) await ownProject(room, args.projectId);
    const script =
      args.projectId === undefined
        ? await ownItem(room, testScripts, 'testScriptId', args.testScriptId)
        : await ownItemOf(room, args.projectId, testScripts, 'testScriptId', args.testScriptId);
    const { latest, mutants = [] } = detailsOf(script);
    return {
      ...presentTestScript(script),
      steps: script.steps,
      instructions: (steps.safeParse(script.steps).data ?? []).map((step) => readable(inWords(step))),
      spec: script.spec,
      mutations: mutants,
      ...(latest && { latestRun: { workflowRunId: latest.runId, steps: await stepsOf(room, latest.runId) } }),
    };
  },
});
