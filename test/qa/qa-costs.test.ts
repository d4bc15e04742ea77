import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type GuestBook, startGuestBook } from '../sites/guest-book.ts';
import { cleanPage, serveSite } from '../sites/serve.ts';
import { scanEnvironment } from '../support/accessibility/accessibility.ts';
import { type Connection, connectStdio, type Result } from '../support/assay.ts';
import { type Folder, newFolder } from '../support/folders.ts';
import { addScripts, hold, type KnownScript, type Qa, qaOn, welcome, writeEntry } from '../support/qa/qa.ts';
import { oneOfEach } from '../support/qa/qa-reports.ts';
import { addResults, inStore, owner } from '../support/qa/qa-results.ts';

let folder: Folder;
let home: string;
let client: Connection;
let qa: Qa;
let site: GuestBook;
const prices = '{"currency":"EUR","browserSecond":0.5,"megabyte":2}';

beforeAll(async () => {
  folder = await newFolder();
  const env = await scanEnvironment(folder);
  home = env['ASSAY_HOME'] ?? '';
  site = await startGuestBook();
  client = await connectStdio('modern', { args: ['--toolsets', 'qa'], env: { ...env, ASSAY_PRICES: prices } });
  qa = qaOn(client);
});
afterEach(() => Object.assign(site, { hold: undefined }));
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function project(...scripts: KnownScript[]): Promise<{ projectId: string; ids: string[] }> {
  const { projectId } = await qa.call('qa_project_create', { projectName: 'Guest book', url: site.url });
  return { projectId, ids: scripts.length === 0 ? [] : await addScripts(home, projectId, site.url, scripts) };
}

const costs = (projectId: string, more: Record<string, unknown> = {}): Promise<Result> =>
  qa.call('qa_report_cost_query', { projectId, ...more });

/** Ledger entries of one run. */
async function chargedTo(runId: string) {
  const rows = await inStore(home, (store) => store.costs.list({ runId }));
  const sum = (of: (row: (typeof rows)[number]) => number) => rows.reduce((total, row) => total + of(row), 0);
  return {
    browserMs: sum(({ browserMs }) => browserMs),
    pages: sum(({ pages }) => pages),
    steps: sum(({ steps }) => steps),
    screenshots: sum(({ screenshots }) => screenshots),
    bytes: sum(({ bytes }) => bytes),
  };
}

/** Files of a run on disk. */
async function filesOf(runId: string) {
  const files = await inStore(home, (store) => store.artifacts.list({ runId }));
  return {
    screenshots: files.filter(({ kind }) => kind === 'screenshot').length,
    bytes: files.reduce((sum, { fileSize }) => sum + fileSize, 0),
  };
}

async function lastedMs(runId: string): Promise<number> {
  const run = await inStore(home, (store) => store.runs.get(runId));
  return (run?.endedAt ?? 0) - (run?.startedAt ?? 0);
}

/** Stops the site from answering; resolves at the next request. */
function blockUntilAsked(): { asked: Promise<void>; release: () => void } {
  const before = site.requests.length;
  const release = hold(site);
  return { asked: expect.poll(() => site.requests.length).toBeGreaterThan(before), release };
}

describe('cost ledger', () => {
  test('records the usage of a scan', async () => {
    const { projectId } = await project();
    const scan = { projectId, url: site.url, description: 'Everything' };
    const run = await qa.ended('scan', await qa.call('qa_workflow_start_website_scan', scan));
    expect(run.status).toBe('succeeded');
    const charged = await chargedTo(run.workflowRunId);
    expect(charged).toMatchObject({ pages: run.result.pages, ...(await filesOf(run.workflowRunId)) });
    expect(charged.pages).toBeGreaterThan(1);
    expect(charged.steps).toBeGreaterThanOrEqual(charged.pages);
    expect(charged.screenshots).toBeGreaterThan(1);
    expect(charged.browserMs).toBeGreaterThan(0);
    expect(charged.browserMs).toBeLessThanOrEqual(await lastedMs(run.workflowRunId));
    expect((await costs(projectId)).byKind).toMatchObject([{ key: 'qa.scan', runs: 1, pages: charged.pages }]);
  });

  test('records the steps of a scan on opened pages', async () => {
    const form = '<form><label>Text <input name="text" required></label><button>Keep</button></form>';
    await using app = await serveSite((path) =>
      path === '/'
        ? cleanPage(
            'Notes',
            `<button type="button" onclick="form.showModal()">New note</button><dialog id="form">${form}</dialog>`,
          )
        : undefined,
    );
    const { projectId } = await project();
    const scan = { projectId, url: app.url, description: 'Everything' };
    const run = await qa.ended('scan', await qa.call('qa_workflow_start_website_scan', scan));
    const { pages, steps } = await chargedTo(run.workflowRunId);
    // One click, then the page is opened again.
    expect([pages, steps]).toEqual([run.result.pages + 1, run.result.pages + 2]);
  });

  test('records the usage of a replay, and of its repetition', async () => {
    const { projectId, ids } = await project(writeEntry);
    const replay = async () => {
      const started = await qa.call('qa_workflow_start_test_script_replay', { projectId, testScriptId: ids[0] });
      return qa.ended('replay', started);
    };
    const fine = await replay();
    expect(fine.verdict).toBe('passed');
    const charged = await chargedTo(fine.workflowRunId);
    // The form page and the confirmation page.
    expect(charged).toMatchObject({ pages: 2, steps: 5, ...(await filesOf(fine.workflowRunId)) });
    expect(charged.screenshots).toBeGreaterThan(1);
    expect(charged.browserMs).toBeGreaterThan(0);
    expect(charged.browserMs).toBeLessThanOrEqual(await lastedMs(fine.workflowRunId));
    site.is.failing = true;
    const failed = await replay();
    site.is.failing = false;
    expect(failed.verdict).toBe('failed');
    const twice = await chargedTo(failed.workflowRunId);
    expect(twice).toMatchObject({ pages: 4, steps: 10, bytes: (await filesOf(failed.workflowRunId)).bytes });
    const byScript = await costs(projectId, { filterType: 'testScript' });
    expect(byScript.byItem).toMatchObject([{ key: ids[0], runs: 2, pages: 6, steps: 15 }]);
  });

  test('records script generation for its test case', async () => {
    const { projectId } = await project();
    const proposal = { projectId, title: 'Look around', description: 'A guest looks around.' };
    const candidate = await qa.call('qa_use_case_candidate_propose', proposal);
    const approval = { projectId, approvedCandidateIds: [candidate.id] };
    const { approved } = await qa.call('qa_use_case_candidates_approve', approval);
    const { useCaseId } = approved[0];
    const words = { title: 'Welcome', goal: 'Be welcome', expectedResult: 'A welcome', url: site.url };
    const { testCaseId } = await qa.call('qa_test_case_upsert', { projectId, useCaseId, ...words });
    const steps = [
      { do: 'goto', url: '/' },
      { do: 'expectText', text: 'Welcome.' },
    ];
    const script = { projectId, testCaseId, steps, baseUrl: site.url };
    const run = await qa.ended('generation', await qa.call('qa_test_script_upsert', script));
    expect(run.status, JSON.stringify(run)).toBe('succeeded');
    const charged = await chargedTo(run.workflowRunId);
    // The script is replayed twice to confirm it.
    expect(charged.pages).toBeGreaterThanOrEqual(2);
    const { byItem } = await costs(projectId, { filterType: 'testCase' });
    expect(byItem).toMatchObject([{ key: testCaseId, runs: 1, pages: charged.pages, steps: charged.steps }]);
  });

  test('records usage before a cancellation', async () => {
    const { projectId, ids } = await project(welcome('Welcome'));
    const { asked, release } = blockUntilAsked();
    const started = await qa.call('qa_workflow_start_test_script_replay', { projectId, testScriptId: ids[0] });
    await asked;
    await qa.call('qa_workflow_cancel_run', { workflowRunId: started.workflowRunId });
    expect((await qa.ended('replay', started)).status).toBe('cancelled');
    release();
    const charged = await chargedTo(started.workflowRunId);
    // The page was requested and never loaded.
    expect(charged).toMatchObject({ steps: 1, screenshots: 0, bytes: 0 });
    expect(charged.browserMs).toBeGreaterThan(0);
    expect((await costs(projectId)).total).toMatchObject({ runs: 1, steps: 1 });
  });

  test('records each item of a bulk run, also a cancelled one', async () => {
    const { projectId } = await project(welcome('One'), welcome('Two'));
    const { asked, release } = blockUntilAsked();
    const started = await qa.startBulk({ projectId, workers: 1 });
    await asked;
    const [part] = await inStore(home, ({ runs }) => runs.list({ parentRunId: started.workflowRunId }));
    await qa.call('qa_workflow_cancel_run', { workflowRunId: part?.id });
    release();
    await qa.ended('bulk', started);
    expect(await qa.summary(started.runBatchId)).toMatchObject({ passed: 1, cancelled: 1 });
    const parts = await inStore(home, ({ runs }) => runs.list({ parentRunId: started.workflowRunId }));
    const charged = await Promise.all(parts.map(({ id }) => chargedTo(id)));
    expect(charged).toHaveLength(2);
    for (const { browserMs, steps } of charged) expect([browserMs > 0, steps > 0]).toEqual([true, true]);
    expect((await costs(projectId)).total.runs).toBe(2);
  });

  test('records a bulk run that is cancelled as a whole', async () => {
    const { projectId } = await project(welcome('One'), welcome('Two'));
    const { asked, release } = blockUntilAsked();
    const started = await qa.startBulk({ projectId, workers: 1 });
    await asked;
    await qa.call('qa_workflow_cancel_runtime', { workflowRuntimeId: started.workflowRuntimeId });
    expect((await qa.ended('bulk', started)).status).toBe('cancelled');
    release();
    expect((await costs(projectId)).total).toMatchObject({ runs: 1, steps: 1 });
  });

  test('records an item whose evidence could not be stored', async () => {
    const { projectId } = await project(welcome('One'));
    // A file blocks the folder of the project.
    const files = join(home, 'qa', projectId);
    writeFileSync(files, 'no folder');
    const started = await qa.startBulk({ projectId });
    await qa.ended('bulk', started);
    rmSync(files);
    expect(await qa.summary(started.runBatchId)).toMatchObject({ failed: 0, inconclusive: 1 });
    const { total } = await costs(projectId);
    expect(total).toMatchObject({ runs: 1, pages: 1, steps: 2, bytes: 0 });
    expect(total.browserSeconds).toBeGreaterThan(0);
  });

  test('records a report with the time of its PDF', async () => {
    const { projectId } = await project();
    await addResults(home, projectId, []);
    const report = async (exportFormat: string) => {
      const { workflowRunId, reportId } = await qa.call('qa_report_final_generate', { projectId, exportFormat });
      await expect
        .poll(async () => (await qa.call('qa_report_stats_summary_get', { projectId })).latestReport)
        .toMatchObject({ reportId, status: 'succeeded' });
      return { charged: await chargedTo(workflowRunId), files: await filesOf(workflowRunId) };
    };
    const page = await report('html');
    expect(page.charged).toMatchObject({ browserMs: 0, bytes: page.files.bytes });
    const paper = await report('pdf');
    expect(paper.charged.browserMs).toBeGreaterThan(0);
    expect(paper.charged.bytes).toBe(paper.files.bytes);
  });

  test('computes prices by day, kind and item', async () => {
    const { projectId } = await project();
    await addResults(home, projectId, oneOfEach);
    const all = await costs(projectId, { filterType: 'testScript' });
    expect(all).toMatchObject({ currency: 'EUR', timezone: 'UTC', itemsLeftOut: 0 });
    expect(all.total).toMatchObject({
      runs: 4,
      browserSeconds: 8,
      pages: 4,
      steps: 8,
      screenshots: 4,
      bytes: 4_000_000,
      cost: 12,
    });
    expect(all.byItem).toHaveLength(4);
    const one = await costs(projectId, { filterType: 'testScript', filterIds: [all.byItem[0].key] });
    expect(one.total).toMatchObject({ runs: 1, cost: 3 });
    expect((await costs(projectId, { filterType: 'testScript', filterIds: [] })).total).toEqual(all.total);
    expect((await costs(projectId, { filterIds: [projectId] })).total).toEqual(all.total);
    const days = all.byDay.map(({ key }: Result) => key);
    const within = { startDateKey: days[0], endDateKey: days.at(-1) };
    expect((await costs(projectId, within)).total.runs).toBe(4);
    expect((await costs(projectId, { endDateKey: '20200101' })).total).toMatchObject({
      runs: 0,
      cost: 0,
    });
    for (const [field, wrong] of [
      ['startDateKey', { startDateKey: '20240230' }],
      ['endDateKey', { endDateKey: '2024-01-01' }],
      ['startDateKey', { startDateKey: '20240102', endDateKey: '20240101' }],
      ['timezone', { timezone: 'Mars/Olympus' }],
      // Without filterType the ids must be rejected, not counted as zero.
      ['filterIds', { filterIds: [all.byItem[0].key] }],
    ] as const) {
      expect(await qa.refusal('qa_report_cost_query', { projectId, ...wrong })).toMatchObject({
        error: 'INVALID_ARGUMENT',
        details: { field },
      });
    }
  });

  test('groups by days of the time zone, first and last included', async () => {
    const { projectId } = await project();
    const at = ['2026-03-10T22:30:00Z', '2026-03-10T23:30:00Z', '2026-03-11T22:59:59Z', '2026-03-11T23:00:00Z'];
    await inStore(home, async (store) => {
      for (const [nth, time] of at.entries()) {
        const day = time.slice(0, 10).replaceAll('-', '');
        await store.costs.insert({
          ...{ owner, projectId, runId: `wfrun_${nth}`, kind: 'qa.replay', day, createdAt: Date.parse(time) },
          ...{ browserMs: 1000, pages: 10 ** nth, steps: 1, screenshots: 0, bytes: 0 },
        });
      }
    });
    const day = { startDateKey: '20260311', endDateKey: '20260311' };
    expect(await costs(projectId, day)).toMatchObject({ timezone: 'UTC', total: { pages: 1100 } });
    const berlin = await costs(projectId, { ...day, timezone: 'Europe/Berlin' });
    expect(berlin).toMatchObject({ timezone: 'Europe/Berlin', total: { pages: 110 }, byDay: [{ key: '20260311' }] });
    // In Auckland it is noon of the next day.
    const auckland = await costs(projectId, { timezone: 'Pacific/Auckland' });
    expect(auckland.byDay).toMatchObject([
      { key: '20260311', pages: 11 },
      { key: '20260312', pages: 1100 },
    ]);
  });
});
