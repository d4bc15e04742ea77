import * as z from 'zod';
import { definePrompt } from '../../tool/tool.ts';

export const buildFeatureUnderSpec = definePrompt({
  name: 'build_feature_under_spec',
  title: 'Build a feature under a working spec',
  description:
    'Build a feature step by step, from the working spec over tests and quality gates to a recorded commit, with evidence for each step.',
  scope: 'standards:read',
  tools: [
    'caws_status',
    'caws_scaffold',
    'caws_init',
    'caws_validate',
    'caws_test_analysis',
    'caws_hooks',
    'caws_provenance',
    'caws_quality_monitor',
    'caws_evaluate',
    'caws_iterate',
  ],
  args: z.object({
    feature: z.string().min(1).max(2000).describe('Feature to build, in one or two sentences'),
    workingDirectory: z.string().optional().describe('Project folder; default: the working directory'),
  }),
  write: ({ feature, workingDirectory }) => {
    const where = workingDirectory ? ` Give workingDirectory ${JSON.stringify(workingDirectory)} to every tool.` : '';
    return [
      `Build this feature under a working spec, and show evidence for each claim: ${JSON.stringify(feature)}.${where}`,
      '1. Call caws_status. Without a working spec call caws_scaffold; in an empty folder caws_init.',
      '2. Edit .caws/working-spec.yaml for this feature: title, scope, invariants, acceptance criteria A1, A2 … Call caws_validate until it is valid.',
      '3. Call caws_test_analysis with assess-budget. If past changes of this kind took more than the budget, cut the feature down first.',
      '4. Call caws_hooks with install, unless they are active, and caws_provenance with init, unless there is a chain.',
      '5. For each criterion: write a test whose name begins with its id, see it fail, write the code, see it pass. Call caws_quality_monitor with the files you saved, and heed its reasons.',
      '6. Run all tests with a JUnit report and coverage. Call caws_evaluate. Unknown is not passed: make the missing evidence.',
      '7. Call caws_iterate while something fails, and do what stands first. Do not lower thresholds, widen the scope or skip tests to get through; ask the user for a waiver where nothing else helps.',
      '8. Commit without --no-verify. Call caws_provenance with verify.',
      '9. Report: each criterion with its test, the figures with their report files, waivers in force, and what is left open.',
    ].join('\n');
  },
});
