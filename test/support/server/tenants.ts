import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { type ServedSite, serveSite } from '../../sites/serve.ts';
import { type Connection, callOn, type Result } from '../assay.ts';
import { eventually } from '../eventually.ts';
import { type Folder, lcov } from '../folders.ts';
import { qaOn } from '../qa/qa.ts';

/** The kinds of id that a caller gets from the tools, each with the ids that a tenant has. */
export type Ids = Record<
  | 'snapshot'
  | 'scan'
  | 'session'
  | 'wizard'
  | 'project'
  | 'prdFile'
  | 'secret'
  | 'candidate'
  | 'useCase'
  | 'testCase'
  | 'testScript'
  | 'runtime'
  | 'run'
  | 'batch'
  | 'report'
  | 'artifact'
  | 'runPicture'
  | 'discoveryPicture',
  string[]
>;

export interface FormSite extends ServedSite {
  /** The names that were sent to it. */
  sent: string[];
}

/** A site with one form, whose pages show the marker of its tenant. */
export async function serveForm(marker: string): Promise<FormSite> {
  const sent: string[] = [];
  const page = (body: string) =>
    `<!doctype html><html lang="en"><title>Guest book ${marker}</title><body><main>${body}</main></body></html>`;
  const form = `<h1>Guest book ${marker}</h1><form action="/kept" method="post">
    <label>Full name <input name="name" required></label><button>Send entry</button></form>`;
  const site = await serveSite(async (path, request) => {
    if (path === '/') return page(form);
    if (path !== '/kept') return undefined;
    const name = new URLSearchParams(await text(request)).get('name') ?? '';
    sent.push(name);
    return page(`<h1>Thank you</h1><p>Your entry was kept, ${name.replaceAll(/[^\w ]/g, '')}.</p>`);
  });
  return Object.assign(site, { sent });
}

export interface Tenant {
  client: Connection;
  call: ReturnType<typeof callOn>;
  site: FormSite;
  /** A word in everything that the tenant has created. */
  marker: string;
  ids: Ids;
}

/** Creates one thing of each kind that has an id, through the tools. */
export async function createEverything(client: Connection, folder: Folder, name: string): Promise<Tenant> {
  const marker = `${name}${randomBytes(6).toString('hex')}`;
  const site = await serveForm(marker);
  const call = callOn(client);
  const [snapshot, wizards, scan, qa] = await Promise.all([
    snapshotOf(call, folder, marker),
    wizardsOf(call, site, `${name}-form`, marker),
    scanOf(call, site, marker),
    qaThings(client, site, marker),
  ]);
  return { client, call, site, marker, ids: { ...snapshot, ...wizards, ...scan, ...qa } };
}

type Call = Tenant['call'];

async function snapshotOf(call: Call, folder: Folder, marker: string) {
  await folder.write(`${marker}.info`, lcov({ [`src/${marker}.ts`]: [1, 0] }));
  const { snapshotId } = await call('start_coverage_snapshot', { lcovPath: `${marker}.info` });
  return { snapshot: [snapshotId] };
}

/** Discovers the form of a site up to its results, and saves it as a wizard. */
export async function discoverForm(call: Call, site: ServedSite, wizard_id: string, wizard_name: string) {
  const { session_id } = await call('federalscout_start_discovery', { url: `${site.url}/` });
  const { proposed_page_metadata: page_metadata } = await call('federalscout_get_page_info', { session_id });
  await call('federalscout_save_page_metadata', { session_id, page_metadata });
  const actions = [
    { action: 'fill', selector: 'Full name', value: 'Grace' },
    { action: 'click', selector: 'Send entry' },
  ];
  await call('federalscout_execute_actions', { session_id, actions });
  return call('federalscout_complete_discovery', { session_id, wizard_name, wizard_id });
}

async function wizardsOf(call: Call, site: FormSite, wizard_id: string, marker: string) {
  await discoverForm(call, site, wizard_id, marker);
  const user_data = { full_name: `Ada ${marker}` };
  const { screenshots } = await call('federalrunner_execute_wizard', { wizard_id, user_data });
  // One discovery stays open, with a page saved.
  const { session_id, screenshot } = await call('federalscout_start_discovery', { url: `${site.url}/` });
  const { proposed_page_metadata: page_metadata } = await call('federalscout_get_page_info', { session_id });
  await call('federalscout_save_page_metadata', { session_id, page_metadata });
  return {
    wizard: [wizard_id],
    session: [session_id],
    runPicture: screenshots.map(({ image }: Result) => image.replace('wizards://runs/', '')),
    discoveryPicture: [screenshot.replace('wizards://discoveries/', '')],
  };
}

async function scanOf(call: Call, site: FormSite, audit_name: string) {
  const plugins = { title_audit: true };
  const start = { urls: [`${site.url}/`], max_links_per_domain: 1, audit_name, plugins };
  const { scan_id } = await call('cwac_scan', start);
  await until(async () => (await call('cwac_scan_status', { scan_id })).status === 'complete');
  await call('cwac_generate_report', { scan_id });
  return { scan: [scan_id] };
}

async function qaThings(client: Connection, site: FormSite, marker: string) {
  const { call, ended: runEnded } = qaOn(client);
  const { projectId } = await call('qa_project_create', { projectName: marker, url: `${site.url}/` });
  const contentBase64 = Buffer.from(`The guest book of ${marker} must thank its guests.`).toString('base64');
  const { prdFileId } = await call('qa_prd_file_upload', { projectId, fileName: `${marker}.txt`, contentBase64 });
  const secret = { projectId, name: 'PASSWORD', value: `value of ${marker}`, description: marker };
  const { secretId } = await call('qa_secret_create', secret);
  const propose = async (title: string) => {
    const candidate = { projectId, title, description: marker, pageUrl: `${site.url}/` };
    return (await call('qa_use_case_candidate_propose', candidate)).id;
  };
  const candidate: string[] = [await propose(`Write ${marker}`), await propose(`Read ${marker}`)];
  const approve = { projectId, approvedCandidateIds: [candidate[0]] };
  const [{ useCaseId }] = (await call('qa_use_case_candidates_approve', approve)).approved;
  const scan = { projectId, url: `${site.url}/`, description: marker, maxPages: 1, maxDepth: 1 };
  const scanning = await call('qa_workflow_start_website_scan', scan);
  const args = { projectId, useCaseId, title: marker, goal: marker, expectedResult: marker, url: `${site.url}/` };
  const { testCaseId } = await call('qa_test_case_upsert', args);
  const steps = [
    { do: 'goto', url: '/' },
    { do: 'fill', on: { name: 'Full name', ladder: [{ by: 'label', value: 'Full name' }] }, value: 'Grace' },
    { do: 'click', on: { name: 'Send entry', ladder: [{ by: 'role', role: 'button', value: 'Send entry' }] } },
    { do: 'expectText', text: 'Your entry was kept, Grace.' },
  ];
  const writing = await call('qa_test_script_upsert', { projectId, testCaseId, steps });
  await runEnded('scan', scanning);
  const detecting = await call('qa_workflow_start_test_case_detection', { projectId, useCaseId });
  await runEnded('generation', writing);
  const [{ testScriptId }] = (await call('qa_test_script_list', { projectId })).data;
  const replaying = await call('qa_workflow_start_test_script_replay', { projectId, testScriptId });
  const bulk = { projectId, testScriptIds: [testScriptId] };
  const repeating = await call('qa_workflow_start_test_script_replay_bulk', bulk);
  await Promise.all([runEnded('detection', detecting), runEnded('replay', replaying), runEnded('bulk', repeating)]);
  const reporting = await call('qa_report_final_generate', { projectId, exportFormat: 'markdown' });
  const report = await reportEnded(client, reporting.reportId);
  const started: Result[] = [replaying, scanning, detecting, writing, repeating, reporting];
  return {
    project: [projectId],
    prdFile: [prdFileId],
    secret: [secretId],
    candidate,
    useCase: [useCaseId],
    testCase: [testCaseId],
    testScript: [testScriptId],
    runtime: started.map(({ workflowRuntimeId }) => workflowRuntimeId),
    run: started.map(({ workflowRunId }) => workflowRunId),
    batch: [repeating.runBatchId],
    report: [reporting.reportId],
    artifact: report.files.map(({ uri }: Result) => uri.replace('qa://artifacts/', '')),
  };
}

async function reportEnded(client: Connection, reportId: string): Promise<Result> {
  const read = async (): Promise<Result> => {
    const { contents } = await client.readResource({ uri: `qa://reports/${reportId}` });
    return JSON.parse(contents[0] && 'text' in contents[0] ? contents[0].text : '');
  };
  await until(async () => (await read()).status === 'succeeded');
  return read();
}

/** Waits for a condition outside of a test, where expect.poll cannot be used. */
function until(isDone: () => Promise<boolean>): Promise<void> {
  return eventually(async () => expect(await isDone()).toBe(true));
}
