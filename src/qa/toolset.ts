import { defineToolset } from '../tool/tool.ts';
import { presentError } from './present-error.ts';
import { exploreAndTestSite } from './prompts/explore-and-test-site.ts';
import { keepSuiteGreen } from './prompts/keep-suite-green.ts';
import { triageFailures } from './prompts/triage-failures.ts';
import { artifactResource } from './resources/artifact.ts';
import { reportResource } from './resources/report.ts';
import { qaPrdFileDelete } from './tools/qa-prd-file-delete.ts';
import { qaPrdFileListByProject } from './tools/qa-prd-file-list-by-project.ts';
import { qaPrdFileUpload } from './tools/qa-prd-file-upload.ts';
import { qaProjectCreate } from './tools/qa-project-create.ts';
import { qaProjectGet } from './tools/qa-project-get.ts';
import { qaProjectList } from './tools/qa-project-list.ts';
import { qaProjectTestResultsSummaryGet } from './tools/qa-project-test-results-summary-get.ts';
import { qaProjectTestRunsSummaryGet } from './tools/qa-project-test-runs-summary-get.ts';
import { qaProjectTestScriptsSummaryGet } from './tools/qa-project-test-scripts-summary-get.ts';
import { qaProjectUpdate } from './tools/qa-project-update.ts';
import { qaRecommendCicdSetup } from './tools/qa-recommend-cicd-setup.ts';
import { qaRecommendSchedule } from './tools/qa-recommend-schedule.ts';
import { qaReportCostQuery } from './tools/qa-report-cost-query.ts';
import { qaReportFinalGenerate } from './tools/qa-report-final-generate.ts';
import { qaReportPreferencesUpsert } from './tools/qa-report-preferences-upsert.ts';
import { qaReportStatsSummaryGet } from './tools/qa-report-stats-summary-get.ts';
import { qaSecretCreate } from './tools/qa-secret-create.ts';
import { qaSecretDelete } from './tools/qa-secret-delete.ts';
import { qaSecretGet } from './tools/qa-secret-get.ts';
import { qaSecretList } from './tools/qa-secret-list.ts';
import { qaSecretUpdate } from './tools/qa-secret-update.ts';
import { qaTestCaseGet } from './tools/qa-test-case-get.ts';
import { qaTestCaseList } from './tools/qa-test-case-list.ts';
import { qaTestCaseListByUseCase } from './tools/qa-test-case-list-by-use-case.ts';
import { qaTestCaseUpsert } from './tools/qa-test-case-upsert.ts';
import { qaTestScriptExport } from './tools/qa-test-script-export.ts';
import { qaTestScriptGet } from './tools/qa-test-script-get.ts';
import { qaTestScriptList } from './tools/qa-test-script-list.ts';
import { qaTestScriptListPaginated } from './tools/qa-test-script-list-paginated.ts';
import { qaTestScriptUpsert } from './tools/qa-test-script-upsert.ts';
import { qaUseCaseCandidatePropose } from './tools/qa-use-case-candidate-propose.ts';
import { qaUseCaseCandidatesApprove } from './tools/qa-use-case-candidates-approve.ts';
import { qaUseCaseCandidatesDrop } from './tools/qa-use-case-candidates-drop.ts';
import { qaUseCaseDiscoveryMemoryGet } from './tools/qa-use-case-discovery-memory-get.ts';
import { qaUseCaseGet } from './tools/qa-use-case-get.ts';
import { qaUseCaseList } from './tools/qa-use-case-list.ts';
import { qaWorkflowCancelRun } from './tools/qa-workflow-cancel-run.ts';
import { qaWorkflowCancelRuntime } from './tools/qa-workflow-cancel-runtime.ts';
import { qaWorkflowGetLatestTestScriptGenerationRuntimeByTestCase } from './tools/qa-workflow-get-latest-test-script-generation-runtime-by-test-case.ts';
import { qaWorkflowGetReplayBulkRunBatchSummary } from './tools/qa-workflow-get-replay-bulk-run-batch-summary.ts';
import { qaWorkflowGetTestCaseDetectionLatestRun } from './tools/qa-workflow-get-test-case-detection-latest-run.ts';
import { qaWorkflowGetTestScriptGenerationLatestRun } from './tools/qa-workflow-get-test-script-generation-latest-run.ts';
import { qaWorkflowGetTestScriptReplayBulkLatestRun } from './tools/qa-workflow-get-test-script-replay-bulk-latest-run.ts';
import { qaWorkflowGetTestScriptReplayLatestRun } from './tools/qa-workflow-get-test-script-replay-latest-run.ts';
import { qaWorkflowGetWebsiteScanLatestRun } from './tools/qa-workflow-get-website-scan-latest-run.ts';
import { qaWorkflowListTestCaseDetectionRuntimes } from './tools/qa-workflow-list-test-case-detection-runtimes.ts';
import { qaWorkflowListTestScriptReplayBulkRuntimes } from './tools/qa-workflow-list-test-script-replay-bulk-runtimes.ts';
import { qaWorkflowListWebsiteScanRuntimes } from './tools/qa-workflow-list-website-scan-runtimes.ts';
import { qaWorkflowStartTestCaseDetection } from './tools/qa-workflow-start-test-case-detection.ts';
import { qaWorkflowStartTestScriptGeneration } from './tools/qa-workflow-start-test-script-generation.ts';
import { qaWorkflowStartTestScriptReplay } from './tools/qa-workflow-start-test-script-replay.ts';
import { qaWorkflowStartTestScriptReplayBulk } from './tools/qa-workflow-start-test-script-replay-bulk.ts';
import { qaWorkflowStartWebsiteScan } from './tools/qa-workflow-start-website-scan.ts';

export const qaToolset = defineToolset({
  name: 'qa',
  title: 'QA',
  summary:
    'Writes and runs end-to-end browser tests of a website: use cases, test cases, Playwright scripts, regression runs and reports. Start with qa_project_list or qa_project_create, then qa_workflow_start_website_scan.',
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
  prompts: [exploreAndTestSite, triageFailures, keepSuiteGreen],
  resources: [artifactResource, reportResource],
  presentError,
});
