import type { NextSteps } from '../platform/next-steps.ts';

const SCAN_AGAIN = 'Correct this, then start the scan again with qa_workflow_start_website_scan.';
const REPLAY_AGAIN = 'Start the replay again with qa_workflow_start_test_script_replay.';
const REPORT_AGAIN = 'Call qa_report_final_generate again.';
const UPLOAD_OTHER =
  'Save the document as PDF, Word (.docx), text or Markdown, then upload that file with qa_prd_file_upload.';
const UPLOAD_PART = 'Split the document, then upload the parts one by one with qa_prd_file_upload.';
const WRITE_OWN = 'Write the script with qa_test_script_upsert, or scan again if the site has changed.';

/** By the codes whose messages only say what happened: of calls, and of runs whose failure a later call returns. */
export const qaNextSteps: NextSteps = {
  UPSTREAM_ERROR: `Open the address in a browser. ${SCAN_AGAIN}`,
  LOGIN_UNSAFE: SCAN_AGAIN,
  LOGIN_GONE: SCAN_AGAIN,
  LOGIN_FORGOTTEN: `Check that the site works with cookies over this address. ${SCAN_AGAIN}`,
  LOGIN_REFUSED:
    'Correct the secrets with qa_secret_update, then start the scan again with qa_workflow_start_website_scan.',
  NO_RUN: 'Call qa_project_list for the projects that exist.',
  NO_REPORT: 'Call qa_project_list for the projects that exist.',
  NO_HANDLER: 'Start a server or worker of the version that started this job.',
  NOT_WRITTEN: 'Pass a path in a writable folder to qa_test_script_export.',
  NO_PDF: REPORT_AGAIN,
  NOT_KEPT: 'Free disk space or make the data folder (ASSAY_HOME) writable, then start again.',
  UNSUPPORTED_FORMAT: UPLOAD_OTHER,
  DAMAGED: UPLOAD_OTHER,
  EXTERNAL_ENTITY: UPLOAD_OTHER,
  BOMB: UPLOAD_OTHER,
  TOO_MUCH_TEXT: UPLOAD_PART,
  TOO_MANY_PAGES: UPLOAD_PART,
  BROWSER: `Run assay doctor, which checks the browser. ${REPLAY_AGAIN}`,
  TOO_SLOW: `Check that the site responds. ${REPLAY_AGAIN}`,
  NO_ANSWER: `Check that the site responds. ${REPLAY_AGAIN}`,
  TURNED_AWAY: `Wait until the site takes requests again. ${REPLAY_AGAIN}`,
  PAGE_GONE:
    'Check the address with qa_test_script_get, then write the script again with qa_workflow_start_test_script_generation.',
  NOT_FILLED: 'Check the field of the step with qa_test_script_get, then correct the step with qa_test_script_upsert.',
  OTHER_SITE: 'Correct the start address of the script with qa_test_script_upsert, so that secrets stay on the site.',
  EXPECTATION:
    'Compare the screenshot with the step: either the site is wrong, or correct the step with qa_test_script_upsert.',
  NO_OPTION: WRITE_OWN,
  ALWAYS_OFF: WRITE_OWN,
  NO_PAGE_BEFORE: WRITE_OWN,
  NO_FIELD: WRITE_OWN,
  NO_HITS: WRITE_OWN,
  NOT_OWN: WRITE_OWN,
  NO_PAGE: WRITE_OWN,
  OWN_ACCOUNT: 'Create the secrets of another account with qa_secret_create, then generate the script again.',
};
