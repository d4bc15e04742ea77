import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Connection, connectStdio } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';

let folder: Folder;
let modern: Connection;
let legacy: Connection;
beforeAll(async () => {
  folder = await newFolder();
  const start = { cwd: folder.path, env: { ASSAY_HOME: `${folder.path}/home` } };
  await folder.write('broken.info', 'no coverage');
  [modern, legacy] = await Promise.all([connectStdio('modern', start), connectStdio('legacy', start)]);
});
afterAll(async () => {
  await Promise.all([modern.close(), legacy.close()]);
  await folder[Symbol.asyncDispose]();
});

async function errorOf(client: Connection, name: string, args: Record<string, unknown>) {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
  expect(isError, `${name} succeeded`).toBe(true);
  return {
    text: content.map((part) => (part.type === 'text' ? part.text : '')).join('\n'),
    structured: JSON.stringify(structuredContent ?? ''),
  };
}

const project = { projectId: 'proj_none' };
const calls: [name: string, args: Record<string, unknown>, next: string][] = [
  ['get_overall_coverage', { lcovPath: 'none.info' }, 'existing reports: broken.info'],
  ['get_overall_coverage', { lcovPath: 'broken.info' }, 'LCOV report (lcov.info)'],
  ['get_patch_coverage', { lcovPath: 'broken.info' }, 'give repoPath'],
  ['end_coverage_snapshot', { snapshotId: crypto.randomUUID(), lcovPath: 'none.info' }, 'start_coverage_snapshot'],
  ['caws_evaluate', { specFile: 'none.yaml' }, 'create one with caws_init'],
  ['caws_status', { workingDirectory: 'none' }, 'pass a folder'],
  ['caws_hooks', { subcommand: 'install' }, 'git init'],
  ['caws_provenance', { subcommand: 'show' }, 'subcommand init'],
  ['cwac_scan', { urls: [] }, 'Pass urls'],
  ['cwac_scan', { urls: ['nonsense'] }, 'start with http'],
  ['cwac_scan_status', { scan_id: 'none' }, 'cwac_list_scans'],
  ['cwac_get_summary', { scan_id: 'none' }, 'cwac_list_scans'],
  ['cwac_get_results', { scan_id: 'none' }, 'cwac_list_scans'],
  ['cwac_generate_report', { scan_id: 'none' }, 'cwac_list_scans'],
  ['cwac_cancel_scan', { scan_id: 'none' }, 'cwac_list_scans'],
  ['federalscout_start_discovery', { url: 'nonsense' }, 'starts with http'],
  ['federalscout_get_page_info', { session_id: 'none' }, 'federalscout_start_discovery'],
  ['federalrunner_execute_wizard', { wizard_id: 'none', user_data: {} }, 'federalrunner_list_wizards'],
  ['qa_project_get', project, 'qa_project_list'],
  ['qa_workflow_start_website_scan', { ...project, url: 'http://127.0.0.1:9/', description: 'all' }, 'qa_project_list'],
  ['qa_test_case_get', { testCaseId: 'none' }, 'qa_test_case_list'],
  ['qa_test_script_get', { testScriptId: 'none' }, 'qa_test_script_list'],
  ['qa_use_case_get', { useCaseId: 'none' }, 'qa_use_case_list'],
  ['qa_secret_get', { secretId: 'none' }, 'qa_secret_list'],
  ['qa_workflow_get_website_scan_latest_run', { workflowRuntimeId: 'none' }, 'qa_workflow_list_website_scan_runtimes'],
];

describe('an error names the next step in the text and in the structured content', () => {
  test.each(calls)('%s %j: %s', async (name, args, next) => {
    const { text, structured } = await errorOf(modern, name, args);
    expect(text).toContain(next);
    expect(structured).toContain(next);
  });

  test('for an unknown argument of every tool', async () => {
    const { tools } = await modern.listTools();
    expect(tools.length).toBeGreaterThan(80);
    for (const { name } of tools) {
      const { text, structured } = await errorOf(modern, name, { unknownArgument: 1 });
      expect(text, name).toContain('unknownArgument');
      for (const part of [text, structured]) expect(part, name).toContain('then call it again.');
    }
  });
});

test.each(calls.filter((_, index) => index % 4 === 0))(
  'tells clients of the 2025 protocol too: %s %j',
  async (...given) => {
    const [name, args, next] = given;
    expect((await errorOf(legacy, name, args)).text).toContain(next);
  },
);
