import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CatalogTool, describeCatalog } from '../../src/tool/catalog.ts';
import { toolsetNames } from '../../src/tool/toolsets.ts';
import { serveSite } from '../sites/serve.ts';
import { scanEnvironment } from '../support/accessibility/accessibility.ts';
import { type Connection, callOn, connectStdio, type Result } from '../support/assay.ts';
import { type Folder, lcov, newFolder } from '../support/folders.ts';
import type { Repo } from '../support/git/repos.ts';
import { expectDeclared } from '../support/server/hostile-text.ts';
import { fillLargeHome, type LargeHome, newLargeRepository } from '../support/server/large-home.ts';
import { MARKER } from '../support/server/marker.ts';

/** 1,500 and 5,000 tokens of four bytes. */
const MOST_BYTES = 6_000;
const MOST_BYTES_IN_DETAIL = 20_000;

const cleanup = new AsyncDisposableStack();
const tools = new Map(
  (await describeCatalog()).toolsets.flatMap(({ tools: all }) => all.map((tool) => [tool.name, tool])),
);
const called = new Set<string>();
/** The toolsets whose results have texts of the seeded pages, repositories and documents. */
const marked = new Set<string>();
let folder: Folder;
let repo: Repo;
let home: LargeHome;
let client: Connection;

beforeAll(async () => {
  folder = cleanup.use(await newFolder());
  repo = cleanup.use(await newLargeRepository());
  const env = { ...(await scanEnvironment(folder)), ASSAY_JOBS_PER_OWNER: '1' };
  home = await fillLargeHome(folder);
  client = cleanup.use(await connectStdio('modern', { cwd: folder.path, env }));
  const files = (from: number) =>
    Object.fromEntries(
      Array.from({ length: 3_000 }, (_, n) => [
        `src/feature-${n + from}/module-with-a-${MARKER}-name-${n}.js`,
        [n % 3 ? 1 : 0, 0, 1],
      ]),
    );
  await folder.write('before.info', lcov(files(0)));
  await folder.write('after.info', lcov(files(1_000)));
});
afterAll(() => cleanup.disposeAsync());

/** Pictures are measured elsewhere: by their own limits. */
const withoutPictures = (_key: string, value: unknown) =>
  typeof value === 'string' && /^(\/9j\/|iVBORw0KGgo)/.test(value) ? undefined : value;

/** Calls a tool, and with `detail` too where it has that; no reply may be larger than its limit. */
async function reply(name: string, args: Record<string, unknown> = {}): Promise<Result> {
  called.add(name);
  const short = await measured(name, args, MOST_BYTES);
  const properties = tools.get(name)?.inputSchema.properties ?? {};
  for (const detail of ['detail', 'full'])
    if (detail in properties) await measured(name, { ...args, [detail]: true }, MOST_BYTES_IN_DETAIL);
  return short;
}

async function measured(name: string, args: Record<string, unknown>, mostBytes: number): Promise<Result> {
  const result = await client.callTool({ name, arguments: args });
  const { structuredContent, content, isError } = result;
  if (expectDeclared(result, name).length > 0) marked.add(tools.get(name)?.toolset ?? '');
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const text = texts[0]?.startsWith('{') ? JSON.stringify(JSON.parse(texts[0]), withoutPictures) : (texts[0] ?? '');
  const bytes = Math.max(
    Buffer.byteLength(text),
    Buffer.byteLength(JSON.stringify(structuredContent, withoutPictures) ?? ''),
  );
  expect(isError, `${name}: ${text.slice(0, 500)}`).not.toBe(true);
  expect.soft(bytes, `${name} ${JSON.stringify(args).slice(0, 100)}`).toBeLessThanOrEqual(mostBytes);
  return structuredContent;
}

test('keeps the replies of the coverage tools short for thousands of files', async () => {
  const lcovPath = 'after.info';
  await reply('get_overall_coverage', { lcovPath });
  const filePaths = Array.from({ length: 3_000 }, (_, n) => `src/feature-${n}/module-with-a-${MARKER}-name-${n}.js`);
  await reply('get_file_coverage', { lcovPath, filePaths });
  await reply('get_uncovered_lines', { lcovPath, limit: 500 });
  const { snapshotId } = await reply('start_coverage_snapshot', { lcovPath: 'before.info' });
  await reply('end_coverage_snapshot', { snapshotId, lcovPath });
  const patch = { lcovPath: join(repo.path, 'coverage/lcov.info'), repoPath: repo.path, base: 'main', limit: 500 };
  await reply('get_patch_coverage', patch);
});

test('keeps the replies of the standards tools short for a long history and a large change', async () => {
  const workingDirectory = repo.path;
  const files = Array.from({ length: 400 }, (_, n) => `src/feature-${n}/module-with-a-${MARKER}-name-${n}.js`);
  for (const name of [
    'caws_status',
    'caws_diagnose',
    'caws_evaluate',
    'caws_iterate',
    'caws_validate',
    'caws_scaffold',
  ])
    await reply(name, { workingDirectory });
  for (const action of ['file_saved', 'code_edited', 'test_run'])
    await reply('caws_quality_monitor', { action, files, workingDirectory });
  for (const subcommand of ['assess-budget', 'analyze-patterns', 'find-similar'])
    await reply('caws_test_analysis', { subcommand, workingDirectory });
  for (const subcommand of ['status', 'install']) await reply('caws_hooks', { subcommand, workingDirectory });
  await reply('caws_workflow_guidance', { workflowType: 'tdd', currentStep: 2, context: { workingDirectory } });
  called.add('caws_provenance');
  for (const subcommand of ['init', ...Array(12).fill('update'), 'show', 'verify', 'analyze-ai'])
    await measured('caws_provenance', { subcommand, workingDirectory }, MOST_BYTES);
  await reply('caws_waiver_create', {
    ...{ title: 'Urgent', reason: 'emergency_hotfix', description: 'x'.repeat(5_000), gates: ['coverage'] },
    ...{
      expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString(),
      approvedBy: 'Team',
      impactLevel: 'low',
      mitigationPlan: 'x',
      workingDirectory,
    },
  });
  await reply('caws_init', { projectName: 'new-tool', template: 'cli', workingDirectory: folder.path });
  await reply('caws_run_tests', { workingDirectory: join(folder.path, 'new-tool') });
});

test('keeps the replies of the accessibility tools short for thousands of issues', async () => {
  const { scanId: scan_id } = home;
  for (const name of ['cwac_scan_status', 'cwac_get_summary', 'cwac_get_results', 'cwac_generate_report'])
    await reply(name, { scan_id });
  const few = await reply('cwac_get_results', { scan_id, limit: 200 });
  expect(few).toMatchObject({
    total_results: 4_000,
    returned_results: few.results.length,
    shortened: {
      lists: { results: `1-${few.results.length} of 4000` },
      nextOffset: few.results.length,
      next: `Pass offset ${few.results.length} for the next entries. Pass detail true for all fields and up to 5,000 tokens.`,
    },
  });
  const { results } = await callOn(client)('cwac_get_results', { scan_id, limit: 40 });
  expect(results.map(({ url }: Result) => url)).toEqual(
    Array.from({ length: 40 }, (_, n) => `https://shop.example/products/${n}`),
  );
  await reply('cwac_list_scans');
  const urls = Array.from({ length: 500 }, (_, n) => `https://127.0.0.1:9/${n}`);
  const started = await reply('cwac_scan', { urls });
  await reply('cwac_cancel_scan', { scan_id: started.scan_id });
});

test('keeps the replies of the wizard tools short for a large form and many wizards', async () => {
  const { wizardId: wizard_id } = home;
  await reply('federalrunner_list_wizards');
  await reply('federalrunner_get_wizard_info', { wizard_id });
  await reply('federalrunner_validate_user_data', { wizard_id, user_data: {} });
  const fields = Array.from(
    { length: 60 },
    (_, n) => `<label>Question ${n} about the ${MARKER} of the applicant <input name="q${n}-${MARKER}"></label>
      <p>${'The answer decides about the amount. '.repeat(5)}</p>`,
  );
  const form = `<!doctype html><html lang="en"><title>Large form ${MARKER}</title><main><h1>Large form ${MARKER}</h1>
    <form action="/kept" method="post">${fields.join('')}<button>Send entry</button></form></main></html>`;
  const kept = `<!doctype html><html lang="en"><title>Thank you ${MARKER}</title><h1>Thank you</h1><p>Your ${MARKER} was kept.</p></html>`;
  await using site = await serveSite((path) => (path === '/' ? form : kept));
  const { session_id } = await reply('federalscout_start_discovery', { url: `${site.url}/` });
  const info = await reply('federalscout_get_page_info', { session_id });
  expect(info.shortened.next).toContain('federalscout_save_page_metadata saves every proposed field');
  const saved = await reply('federalscout_save_page_metadata', { session_id, page_metadata: {} });
  expect(saved.message).toContain('with 60 fields');
  const actions = Array.from({ length: 50 }, (_, n) => ({ action: 'fill', selector: `#missing${n}`, value: 'x' }));
  await reply('federalscout_execute_actions', { session_id, actions });
  await reply('federalscout_click_element', { session_id, selector: 'Send entry' });
  await reply('federalscout_complete_discovery', { session_id, wizard_name: 'Large', wizard_id: 'discovered' });
  await reply('federalrunner_execute_wizard', { wizard_id: 'discovered', user_data: {} });
  await reply('federalscout_check_wizard', { wizard_id: 'discovered' });
});

test('keeps the replies of the QA tools short for large projects', async () => {
  const { qa } = home;
  const secretId = await addSecrets();
  const { projectId, useCaseId, testCaseId, testScriptId, runBatchId } = qa;
  const ids: Record<string, unknown> = {
    projectId,
    useCaseId,
    testCaseId,
    testScriptId,
    runBatchId,
    secretId,
  };
  const byWorkflow: [RegExp, string][] = [
    [/website_scan/, qa.scan],
    [/test_case_detection/, qa.detection],
    [/test_script_generation/, qa.generation],
    [/test_script_replay_bulk/, qa.bulk],
    [/test_script_replay/, qa.replay],
  ];
  const argumentsOf = ({ name, inputSchema }: CatalogTool) => {
    const required = Array.isArray(inputSchema['required']) ? inputSchema['required'].map(String) : [];
    const workflowRuntimeId = byWorkflow.find(([pattern]) => pattern.test(name))?.[1];
    const known: Record<string, unknown> = { ...ids, workflowRuntimeId };
    return Object.fromEntries(required.map((argument) => [argument, known[argument]]));
  };
  const { data } = await callOn(client)('qa_test_script_list', { projectId, page: 2, pageSize: 50 });
  expect(data.map(({ name }: Result) => Number(/\d+/.exec(name)?.[0]))).toEqual(
    Array.from({ length: 50 }, (_, n) => n + 50),
  );
  for (const tool of tools.values()) {
    if (tool.toolset !== 'qa' || !tool.annotations.readOnlyHint) continue;
    const args = argumentsOf(tool);
    const more: Record<string, unknown> = { projectId, pageSize: 100, filterType: 'testScript' };
    const given = Object.entries(more).filter(([argument]) => argument in tool.inputSchema.properties);
    await reply(tool.name, { ...args, ...Object.fromEntries(given) });
  }
  const { structuredContent: shown }: { structuredContent?: Result } = await client.callTool({
    name: 'qa_test_script_get',
    arguments: { testScriptId, detail: true },
  });
  const { steps } = shown;
  const cut = { name: 'qa_test_script_upsert', arguments: { projectId, testCaseId, steps } };
  expect(await client.callTool(cut)).toMatchObject({
    isError: true,
    structuredContent: { details: { field: 'steps', testScriptId, offset: steps.length } },
  });
  const text = 'The guest enters the address and the order is sent. '.repeat(90);
  const news = { projectName: 'New', description: text, testRequirements: text };
  const { projectId: other } = await reply('qa_project_create', news);
  await reply('qa_project_update', { projectId: other, description: text });
  const contentBase64 = Buffer.from(`The guest must get an order ${MARKER}. ${text}`).toString('base64');
  const { prdFileId } = await reply('qa_prd_file_upload', { projectId: other, fileName: 'new.md', contentBase64 });
  await reply('qa_prd_file_delete', { projectId: other, prdFileId });
  await reply('qa_secret_update', { secretId, description: 'changed' });
  await reply('qa_secret_delete', { secretId });
  const proposal = {
    projectId,
    title: 'Pay',
    description: text,
    acceptanceCriteria: Array(50).fill(text.slice(0, 1_900)),
  };
  await reply('qa_use_case_candidate_propose', proposal);
  const approvedCandidateIds = home.candidateIds.slice(0, 100);
  await reply('qa_use_case_candidates_approve', { projectId, approvedCandidateIds });
  await reply('qa_use_case_candidates_drop', { projectId, candidateIds: home.candidateIds.slice(100) });
  await reply('qa_test_case_upsert', { projectId, testCaseId, instructions: text.slice(0, 4_500) });
  const path = join(folder.path, 'exported');
  await reply('qa_test_script_export', { projectId, path });
  await reply('qa_report_preferences_upsert', {
    projectId,
    channels: ['email'],
    emails: Array.from({ length: 50 }, (_, n) => `team-${n}@shop.example`),
  });
  const starts: [string, Record<string, unknown>][] = [
    ['qa_workflow_start_website_scan', { url: 'https://shop.example/', description: text.slice(0, 900) }],
    ['qa_workflow_start_test_case_detection', {}],
    ['qa_workflow_start_test_script_generation', {}],
    ['qa_workflow_start_test_script_replay', { testScriptId }],
    ['qa_workflow_start_test_script_replay_bulk', {}],
    [
      'qa_test_script_upsert',
      {
        testCaseId,
        steps: [
          { do: 'goto', url: '/' },
          { do: 'expectText', text: 'Welcome' },
        ],
      },
    ],
    ['qa_report_final_generate', {}],
  ];
  for (const [name, args] of starts) {
    const { workflowRunId, workflowRuntimeId } = await reply(name, { projectId, ...args });
    await reply('qa_workflow_cancel_run', { workflowRunId });
    await reply('qa_workflow_cancel_runtime', { workflowRuntimeId });
  }
});

/** In a project of their own: a new secret is searched for in everything that its project holds. */
async function addSecrets(): Promise<string> {
  const { projectId } = await reply('qa_project_create', { projectName: 'Secrets' });
  const description = 'The password of the account that orders. '.repeat(8);
  const add = (name: string) => reply('qa_secret_create', { projectId, name, value: 'a secret', description });
  for (let n = 0; n < 40; n++) await add(`SECRET_${n}`);
  return (await add('SECRET_LAST')).secretId;
}

test('has called every tool, and found texts of others in the results of every toolset', () => {
  expect([...tools.keys()].filter((name) => !called.has(name))).toEqual([]);
  expect([...marked].sort()).toEqual([...toolsetNames].sort());
});
