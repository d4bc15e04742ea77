export const workflowTypes = ['tdd', 'refactor', 'feature'] as const;
export type WorkflowType = (typeof workflowTypes)[number];

/** A precondition of a step that files and git can show. */
export type StepNeed = 'spec' | 'criteria' | 'red' | 'green' | 'change' | 'passed';

export interface WorkflowStep {
  name: string;
  guidance: string;
  recommendations: string[];
  needs: StepNeed[];
}

const tdd: WorkflowStep[] = [
  {
    name: 'Define requirements and acceptance criteria',
    guidance:
      'Write what must be true at the end as criteria with given, when and then in the working spec. Every criterion needs a test that can fail.',
    recommendations: [
      'caws_validate: is the spec complete?',
      'Number the criteria A1, A2 …: tests are found by these ids',
    ],
    needs: [],
  },
  {
    name: 'Write failing test',
    guidance:
      'Choose one criterion and write the test that it asks for, with its id in the name. Run it, and see it fail for the reason you expect.',
    recommendations: [
      'Begin the name of the test with the id: "A1: …"',
      'Run the tests with a JUnit report, so that the failure is on record',
    ],
    needs: ['spec', 'criteria'],
  },
  {
    name: 'Implement minimal code to pass test',
    guidance: 'Write the least code that turns the test green, and nothing that no test asks for yet.',
    recommendations: [
      'Run the tests after every small change',
      'caws_quality_monitor on the files you saved: scope, budget, secrets',
    ],
    needs: ['spec', 'red'],
  },
  {
    name: 'Run CAWS validation',
    guidance:
      'Run all tests with coverage, then let the gates look at the change. What is unknown is not passed: make the evidence.',
    recommendations: ['Run the tests with coverage', 'caws_evaluate: which criteria fail, and on which evidence?'],
    needs: ['spec', 'green'],
  },
  {
    name: 'Refactor while maintaining tests',
    guidance: 'Improve names and structure in steps small enough to take back. The tests stay green and unchanged.',
    recommendations: ['Run the tests after each step', 'caws_evaluate: coverage and budget must not get worse'],
    needs: ['green'],
  },
  {
    name: 'Repeat for next requirement',
    guidance:
      'Take the next criterion without a passing test and begin again at the failing test; when there is none, the work is done.',
    recommendations: ['caws_iterate: what is left?', 'Commit what is green'],
    needs: ['green', 'passed'],
  },
];

const refactor: WorkflowStep[] = [
  {
    name: 'Establish baseline quality metrics',
    guidance:
      'Measure before you touch anything: tests green, coverage known, and both on record. Without a baseline there is no proof that behaviour stayed the same.',
    recommendations: [
      'Run the tests with coverage',
      'caws_evaluate: keep the figures',
      'caws_test_analysis analyze-patterns: which files are hot spots?',
    ],
    needs: ['spec', 'green'],
  },
  {
    name: 'Apply refactoring changes',
    guidance:
      'Change structure, not behaviour, one kind of change at a time, and commit each. Leave tests alone unless they name what you moved.',
    recommendations: [
      'caws_quality_monitor after each file',
      'A codemod where the same change repeats: caws_scaffold with withCodemods',
    ],
    needs: ['green'],
  },
  {
    name: 'Run comprehensive validation',
    guidance: 'Run everything, and compare with the baseline: the same tests pass, and coverage has not fallen.',
    recommendations: ['Run all tests with coverage', 'caws_evaluate: against the baseline'],
    needs: ['change', 'green'],
  },
  {
    name: 'Address any quality gate failures',
    guidance:
      'Fix what fails. If that is not possible now, ask a person for a waiver with a reason and an expiry date; do not lower a threshold.',
    recommendations: [
      'caws_iterate: the failing criteria by urgency',
      'caws_waiver_create, approved by another person',
    ],
    needs: ['change'],
  },
  {
    name: 'Document changes and rationale',
    guidance:
      'Explain why the new structure is better and what was left out. Record the commit, so that the change can be traced.',
    recommendations: ['caws_provenance update', 'Name the spec in the commit message'],
    needs: ['passed'],
  },
];

const feature: WorkflowStep[] = [
  {
    name: 'Create working specification',
    guidance:
      'Make a working spec: scope, budget, invariants, and criteria with given, when and then. What is not in scope is not touched.',
    recommendations: ['caws_init or caws_scaffold', 'caws_validate: is it complete?'],
    needs: [],
  },
  {
    name: 'Design and plan implementation',
    guidance:
      'Decide on the contract first: what others will rely on. Then cut the work so that each part fits the budget and proves a criterion.',
    recommendations: [
      'caws_test_analysis assess-budget: is the budget like past changes?',
      'caws_test_analysis find-similar: what did such work take before?',
      'Write the contract that the spec names',
    ],
    needs: ['spec', 'criteria'],
  },
  {
    name: 'Implement core functionality',
    guidance:
      'Build the parts in the order of the criteria, each with its test. Keep to the scope; widen the spec first where it is too narrow.',
    recommendations: ['caws_quality_monitor on what you save', 'caws_iterate: what comes next?'],
    needs: ['spec', 'criteria'],
  },
  {
    name: 'Add comprehensive testing',
    guidance:
      'Every criterion gets a test with its id, every changed branch is run, and the ways it can fail are tried.',
    recommendations: ['Run the tests with coverage', 'caws_evaluate: which criteria have no passing test?'],
    needs: ['change'],
  },
  {
    name: 'Run full quality validation',
    guidance: 'All gates, on fresh reports: a report older than the sources is no evidence.',
    recommendations: [
      'caws_validate',
      'caws_evaluate: every criterion with its evidence',
      'caws_diagnose: is anything around the project broken?',
    ],
    needs: ['change', 'green'],
  },
  {
    name: 'Prepare for integration',
    guidance: 'Record what was done under which spec, and hand it over with its evidence and its open ends.',
    recommendations: [
      'caws_provenance update, then verify',
      'caws_hooks status: will the push be checked?',
      'caws_status: the summary for the reviewer',
    ],
    needs: ['passed'],
  },
];

export const workflows: Record<WorkflowType, WorkflowStep[]> = { tdd, refactor, feature };
