import { defineTools } from '../tool/tool.ts';
import { presentQaError } from './present-error.ts';
import { exploreAndTestSite } from './prompts/explore-and-test-site.ts';
import { keepSuiteGreen } from './prompts/keep-suite-green.ts';
import { triageFailures } from './prompts/triage-failures.ts';
import { qaArtifactResource } from './resources/qa-artifact-resource.ts';
import { qaReportResource } from './resources/qa-report-resource.ts';
import { qaTestCaseGet } from './tools/cases/qa-test-case-get.ts';
import { qaTestCaseList } from './tools/cases/qa-test-case-list.ts';
import { qaTestCaseListByUseCase } from './tools/cases/qa-test-case-list-by-use-case.ts';
import { qaTestCaseUpsert } from './tools/cases/qa-test-case-upsert.ts';
import { qaWorkflowGetTestCaseDetectionLatestRun } from './tools/cases/qa-workflow-get-test-case-detection-latest-run.ts';
import { qaWorkflowListTestCaseDetectionRuntimes } from './tools/cases/qa-workflow-list-test-case-detection-runtimes.ts';
import { qaWorkflowStartTestCaseDetection } from './tools/cases/qa-workflow-start-test-case-detection.ts';
import { qaPrdFileDelete } from './tools/prd/qa-prd-file-delete.ts';
import { qaPrdFileListByProject } from './tools/prd/qa-prd-file-list-by-project.ts';
import { qaPrdFileUpload } from './tools/prd/qa-prd-file-upload.ts';
import { qaProjectCreate } from './tools/projects/qa-project-create.ts';
import { qaProjectGet } from './tools/projects/qa-project-get.ts';
import { qaProjectList } from './tools/projects/qa-project-list.ts';
import { qaProjectUpdate } from './tools/projects/qa-project-update.ts';
import { qaRecommendCicdSetup } from './tools/recommend/qa-recommend-cicd-setup.ts';
import { qaRecommendSchedule } from './tools/recommend/qa-recommend-schedule.ts';
import { qaReportCostQuery } from './tools/reports/qa-report-cost-query.ts';
import { qaReportFinalGenerate } from './tools/reports/qa-report-final-generate.ts';
import { qaReportPreferencesUpsert } from './tools/reports/qa-report-preferences-upsert.ts';
import { qaReportStatsSummaryGet } from './tools/reports/qa-report-stats-summary-get.ts';
import { qaProjectTestResultsSummaryGet } from './tools/runs/qa-project-test-results-summary-get.ts';
import { qaProjectTestRunsSummaryGet } from './tools/runs/qa-project-test-runs-summary-get.ts';
import { qaWorkflowCancelRun } from './tools/runs/qa-workflow-cancel-run.ts';
import { qaWorkflowCancelRuntime } from './tools/runs/qa-workflow-cancel-runtime.ts';
import { qaWorkflowGetReplayBulkRunBatchSummary } from './tools/runs/qa-workflow-get-replay-bulk-run-batch-summary.ts';
import { qaWorkflowGetTestScriptReplayBulkLatestRun } from './tools/runs/qa-workflow-get-test-script-replay-bulk-latest-run.ts';
import { qaWorkflowGetTestScriptReplayLatestRun } from './tools/runs/qa-workflow-get-test-script-replay-latest-run.ts';
import { qaWorkflowListTestScriptReplayBulkRuntimes } from './tools/runs/qa-workflow-list-test-script-replay-bulk-runtimes.ts';
import { qaWorkflowStartTestScriptReplay } from './tools/runs/qa-workflow-start-test-script-replay.ts';
import { qaWorkflowStartTestScriptReplayBulk } from './tools/runs/qa-workflow-start-test-script-replay-bulk.ts';
import { qaProjectTestScriptsSummaryGet } from './tools/scripts/qa-project-test-scripts-summary-get.ts';
import { qaTestScriptExport } from './tools/scripts/qa-test-script-export.ts';
import { qaTestScriptGet } from './tools/scripts/qa-test-script-get.ts';
import { qaTestScriptList } from './tools/scripts/qa-test-script-list.ts';
import { qaTestScriptListPaginated } from './tools/scripts/qa-test-script-list-paginated.ts';
import { qaTestScriptUpsert } from './tools/scripts/qa-test-script-upsert.ts';
import { qaWorkflowGetLatestTestScriptGenerationRuntimeByTestCase } from './tools/scripts/qa-workflow-get-latest-test-script-generation-runtime-by-test-case.ts';
import { qaWorkflowGetTestScriptGenerationLatestRun } from './tools/scripts/qa-workflow-get-test-script-generation-latest-run.ts';
import { qaWorkflowStartTestScriptGeneration } from './tools/scripts/qa-workflow-start-test-script-generation.ts';
import { qaSecretCreate } from './tools/secrets/qa-secret-create.ts';
import { qaSecretDelete } from './tools/secrets/qa-secret-delete.ts';
import { qaSecretGet } from './tools/secrets/qa-secret-get.ts';
import { qaSecretList } from './tools/secrets/qa-secret-list.ts';
import { qaSecretUpdate } from './tools/secrets/qa-secret-update.ts';
import { qaUseCaseCandidatePropose } from './tools/use-cases/qa-use-case-candidate-propose.ts';
import { qaUseCaseCandidatesApprove } from './tools/use-cases/qa-use-case-candidates-approve.ts';
import { qaUseCaseCandidatesDrop } from './tools/use-cases/qa-use-case-candidates-drop.ts';
import { qaUseCaseDiscoveryMemoryGet } from './tools/use-cases/qa-use-case-discovery-memory-get.ts';
import { qaUseCaseGet } from './tools/use-cases/qa-use-case-get.ts';
import { qaUseCaseList } from './tools/use-cases/qa-use-case-list.ts';
import { qaWorkflowGetWebsiteScanLatestRun } from './tools/use-cases/qa-workflow-get-website-scan-latest-run.ts';
import { qaWorkflowListWebsiteScanRuntimes } from './tools/use-cases/qa-workflow-list-website-scan-runtimes.ts';
import { qaWorkflowStartWebsiteScan } from './tools/use-cases/qa-workflow-start-website-scan.ts';

export const qaDefinitions = defineTools({
  name: 'qa',
  title: 'QA',
  summary:
    'Writes and runs end-to-end browser tests of a website: use cases, test cases, Playwright scripts, regression runs and reports. Start with qa_project_list or qa_project_create, then qa_workflow_start_website_scan.',
  questions: [
    { question: 'Test a website end to end, or continue with one:', tool: 'qa_project_list' },
    { question: 'Start testing a new website:', tool: 'qa_project_create' },
    { question: 'Which user journeys does the site have?', tool: 'qa_workflow_start_website_scan' },
  ],
  tools: [
    qaProjectCreate,
    qaProjectGet,
    qaProjectUpdate,
    qaProjectList,
    qaPrdFileUpload,
    qaPrdFileListByProject,
    qaPrdFileDelete,
    qaSecretCreate,
    qaSecretList,
    qaSecretGet,
    qaSecretUpdate,
    qaSecretDelete,
    qaUseCaseDiscoveryMemoryGet,
    qaUseCaseCandidatesApprove,
    qaUseCaseCandidatesDrop,
    qaUseCaseCandidatePropose,
    qaUseCaseList,
    qaUseCaseGet,
    qaWorkflowStartWebsiteScan,
    qaWorkflowGetWebsiteScanLatestRun,
    qaWorkflowListWebsiteScanRuntimes,
    qaWorkflowStartTestCaseDetection,
    qaWorkflowGetTestCaseDetectionLatestRun,
    qaWorkflowListTestCaseDetectionRuntimes,
    qaWorkflowStartTestScriptGeneration,
    qaWorkflowGetTestScriptGenerationLatestRun,
    qaWorkflowGetLatestTestScriptGenerationRuntimeByTestCase,
    qaWorkflowStartTestScriptReplay,
    qaWorkflowGetTestScriptReplayLatestRun,
    qaWorkflowStartTestScriptReplayBulk,
    qaWorkflowGetTestScriptReplayBulkLatestRun,
    qaWorkflowListTestScriptReplayBulkRuntimes,
    qaWorkflowGetReplayBulkRunBatchSummary,
    qaWorkflowCancelRun,
    qaWorkflowCancelRuntime,
    qaTestCaseList,
    qaTestCaseGet,
    qaTestCaseListByUseCase,
    qaTestCaseUpsert,
    qaTestScriptList,
    qaTestScriptGet,
    qaTestScriptListPaginated,
    qaTestScriptUpsert,
    qaTestScriptExport,
    qaProjectTestResultsSummaryGet,
    qaProjectTestScriptsSummaryGet,
    qaProjectTestRunsSummaryGet,
    qaReportStatsSummaryGet,
    qaReportCostQuery,
    qaReportPreferencesUpsert,
    qaReportFinalGenerate,
    qaRecommendSchedule,
    qaRecommendCicdSetup,
  ],
  polling: {
    how: 'the qa_workflow_get_..._latest_run tool of the workflow',
    tools: [
      'qa_workflow_get_website_scan_latest_run',
      'qa_workflow_get_test_case_detection_latest_run',
      'qa_workflow_get_test_script_generation_latest_run',
      'qa_workflow_get_test_script_replay_latest_run',
      'qa_workflow_get_test_script_replay_bulk_latest_run',
    ],
  },
  prompts: [exploreAndTestSite, triageFailures, keepSuiteGreen],
  resources: [qaArtifactResource, qaReportResource],
  presentError: presentQaError,
});
