import { defineTools } from '../tool/tool.ts';
import { presentStandardsError } from './present-error.ts';
import { buildFeatureUnderSpec } from './prompts/build-feature-under-spec.ts';
import { checkChangeIsDone } from './prompts/check-change-is-done.ts';
import { waiverResource, workingSpecResource } from './resources/caws-resources.ts';
import { cawsDiagnose } from './tools/caws-diagnose.ts';
import { cawsEvaluate } from './tools/caws-evaluate.ts';
import { cawsHooks } from './tools/caws-hooks.ts';
import { cawsInit } from './tools/caws-init.ts';
import { cawsIterate } from './tools/caws-iterate.ts';
import { cawsProvenance } from './tools/caws-provenance.ts';
import { cawsQualityMonitor } from './tools/caws-quality-monitor.ts';
import { cawsRunTests } from './tools/caws-run-tests.ts';
import { cawsScaffold } from './tools/caws-scaffold.ts';
import { cawsStatus } from './tools/caws-status.ts';
import { cawsTestAnalysis } from './tools/caws-test-analysis.ts';
import { cawsValidate } from './tools/caws-validate.ts';
import { cawsWaiverCreate } from './tools/caws-waiver-create.ts';
import { cawsWorkflowGuidance } from './tools/caws-workflow-guidance.ts';

export const standardsDefinitions = defineTools({
  name: 'standards',
  title: 'Standards',
  summary:
    'Checks whether a change is done: working spec, quality gates, waivers, git hooks and commit provenance, measured from git and test reports. Start with caws_status for an overview and caws_evaluate before a merge.',
  questions: [
    { question: 'Is this change done, ready to merge?', tool: 'caws_evaluate' },
    { question: 'Where does the project stand, and what is next?', tool: 'caws_status' },
  ],
  tools: [
    cawsInit,
    cawsScaffold,
    cawsStatus,
    cawsDiagnose,
    cawsRunTests,
    cawsEvaluate,
    cawsIterate,
    cawsValidate,
    cawsHooks,
    cawsProvenance,
    cawsWaiverCreate,
    cawsWorkflowGuidance,
    cawsQualityMonitor,
    cawsTestAnalysis,
  ],
  prompts: [buildFeatureUnderSpec, checkChangeIsDone],
  resources: [workingSpecResource, waiverResource],
  presentError: presentStandardsError,
});
