import * as z from 'zod';
import { definePrompt } from '../../tool/tool.ts';
import { listSpecs } from '../resources/caws-resources.ts';

export const checkChangeIsDone = definePrompt({
  name: 'check_change_is_done',
  title: 'Check whether a change is done',
  description:
    'Decide with evidence whether a change is finished and ready to merge: spec, budget, scope, tests and quality gates.',
  scope: 'standards:read',
  tools: ['caws_status', 'caws_evaluate', 'caws_iterate'],
  args: z.object({
    specFile: z.string().optional().describe('Working spec of the change; default: .caws/working-spec.yaml'),
  }),
  complete: {
    specFile: async (typed, context) => (await listSpecs(context)).filter((path) => path.startsWith(typed)),
  },
  write: ({ specFile }) => {
    const given = specFile ? ` with specFile ${JSON.stringify(specFile)}` : '';
    return [
      'Decide whether the change in this working tree is done. Answer with evidence, not from memory.',
      '1. Run all tests of the project with a JUnit report and coverage. Reports that are older than the change prove nothing.',
      `2. Call caws_evaluate${given}. Only quality_passed true means yes. A gate that is unknown is not passed.`,
      `3. If it fails, call caws_iterate${given}: it names what is missing, the most important first. If there is no working spec, call caws_status, and say what cannot be decided.`,
      '4. Do not change thresholds, scope, tests or waivers to get a yes. Tell the user what a waiver would be needed for.',
      '5. Report: done, not done or unknown; one line per gate with its figure and report file; what is left to do.',
    ].join('\n');
  },
});
