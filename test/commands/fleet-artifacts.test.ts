import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { siteWithIssues } from '../sites/accessibility-issues.ts';
import { type GuestBook, startGuestBook } from '../sites/guest-book.ts';
import { type ServedSite, serveSite } from '../sites/serve.ts';
import { ended } from '../support/accessibility/accessibility.ts';
import { type Connection, callOn, type Result, runAssay } from '../support/assay.ts';
import { type Fleet, startFleet } from '../support/jobs/fleet.ts';
import { qaOn } from '../support/qa/qa.ts';

// Two servers and two workers with four home folders. What one server starts, a worker does, and the other server reads.

let fleet: Fleet;
let site: ServedSite;
let book: GuestBook;
let first: Connection;
let second: Connection;
beforeAll(async () => {
  fleet = await startFleet();
  [first, second] = fleet.clients as [Connection, Connection];
  site = await serveSite(siteWithIssues);
  book = await startGuestBook();
});
afterAll(async () => {
  await fleet[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await book[Symbol.asyncDispose]();
});

async function resource(client: Connection, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  const [content] = contents;
  if (content && 'blob' in content) return Buffer.from(content.blob, 'base64').toString('latin1');
  return content && 'text' in content ? content.text : '';
}

test('an accessibility scan and its report are the same through either server', async () => {
  const [onFirst, onSecond] = [callOn(first), callOn(second)];
  const { scan_id } = await onFirst('cwac_scan', { urls: [`${site.url}/`], audit_name: 'Fleet' });
  expect(await ended(onSecond, scan_id)).toMatchObject({ status: 'complete' });
  const results = (call: typeof onFirst) => call('cwac_get_results', { scan_id, limit: 1000 });
  const seen = await results(onSecond);
  expect(seen.total_results).toBeGreaterThan(10);
  expect(await results(onFirst)).toEqual(seen);
  const summary = await onFirst('cwac_get_summary', { scan_id });
  expect(await onSecond('cwac_get_summary', { scan_id })).toEqual(summary);
  await onSecond('cwac_generate_report', { scan_id });
  const page = await resource(first, `accessibility://reports/${scan_id}/report.html`);
  expect(page).toContain('<html');
  expect(page).toBe(await resource(second, `accessibility://reports/${scan_id}/report.html`));
  const listed = await onFirst('cwac_list_scans');
  expect(listed.scans).toMatchObject([{ scan_id, audit_types: expect.arrayContaining(['axe_core_audit']) }]);
  const inputs = [...fleet.s3.objects.keys()].filter((key) => key.includes('/inputs/'));
  expect(inputs).toEqual([]);
});

test('a scan, detection, generation, bulk replay and report of QA are the same through either server', async () => {
  const [onFirst, onSecond] = [qaOn(first), qaOn(second)];
  const projectId = await onFirst.approvedAll('Guest book', book.url);
  const memory = await onSecond.call('qa_use_case_discovery_memory_get', { projectId });
  const pictures = JSON.stringify(memory).match(/qa:\/\/artifacts\/[\w-]+/g) ?? [];
  expect(pictures.length).toBeGreaterThan(0);
  const [picture = ''] = pictures;
  const bytes = await resource(second, picture);
  expect(bytes.slice(0, 4)).toMatch(/PNG|\xff\xd8/);
  expect(await resource(first, picture)).toBe(bytes);
  await onSecond.ended('detection', await onSecond.call('qa_workflow_start_test_case_detection', { projectId }));
  const { data: cases } = await onFirst.call('qa_test_case_list', { projectId, pageSize: 100 });
  const happy = cases.find(({ title }: Result) => title.includes('everything filled in correctly'));
  const generation = { projectId, testCaseId: happy.id };
  const generated = await onSecond.call('qa_workflow_start_test_script_generation', generation);
  expect(await onFirst.ended('generation', generated)).toMatchObject({ status: 'succeeded' });
  const bulk = await onFirst.startBulk({ projectId });
  expect(await onSecond.ended('bulk', bulk)).toMatchObject({ status: 'succeeded', verdict: 'passed' });
  const { reportId } = await onSecond.call('qa_report_final_generate', { projectId });
  const report = async (client: Connection) => JSON.parse(await resource(client, `qa://reports/${reportId}`));
  await expect.poll(async () => (await report(first)).status).toBe('succeeded');
  const { files } = await report(first);
  const { uri } = files.find(({ name }: Result) => name === 'report.html');
  const page = await resource(first, uri);
  expect(page).toContain('data:image/');
  expect(await resource(second, uri)).toBe(page);
});

test('assay doctor checks the bucket', async () => {
  const artifacts = async (env: Record<string, string>) => {
    const { stdout } = await runAssay(['doctor', '--json'], { env: { ...fleet.env, ...env } });
    return JSON.parse(stdout).checks.find(({ what }: Result) => what === 'Artifacts');
  };
  expect(await artifacts({})).toMatchObject({
    state: 'ok',
    detail: expect.stringContaining('the bucket assay-test at'),
  });
  const wrong = { ASSAY_S3_SECRET_ACCESS_KEY: 'wrong' };
  expect(await artifacts(wrong)).toMatchObject({ state: 'fail', detail: expect.stringContaining('Correct ASSAY_S3_') });
});

test('files of QA are in the bucket only', () => {
  const keys = [...fleet.s3.objects.keys()].filter((key) => key.includes('/qa/'));
  for (const kind of [/\.(?:png|jpe?g)$/, /\/junit\.xml$/, /\/report\.html$/])
    expect(keys.some((key) => kind.test(key))).toBe(true);
  for (const { home } of fleet.workers) expect(existsSync(join(home, 'qa'))).toBe(false);
});
