import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { newFolder } from '../../test/support/folders.ts';
import { openTestStore } from '../../test/support/open-store.ts';
import { createJobs, type JobState } from '../platform/jobs/jobs.ts';
import { generateScanReport } from './generate-report.ts';
import { axeTestRow, formatTestCsv, type TestRow, testColumns } from './results/test-support.ts';
import { SCAN_JOB } from './scan-records.ts';
import type { ScanServices } from './scans.ts';

const me = { issuer: 'local', subject: 'me', client: 'test' };

/** Creates a home folder to which a test adds scans. */
async function scanHouse() {
  const folder = await newFolder();
  const store = await openTestStore({ home: folder.path });
  onTestFinished(async () => {
    await store[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  const jobs = createJobs(store);
  const services: ScanServices = {
    engine: {
      name: 'native',
      workspace: { root: folder.path },
      operatorWorkspace: { root: folder.path },
      reason: '',
      maxSilenceMs: 1000,
      canResume: true,
      command: () => ({ program: '', args: [], cwd: '', env: {} }),
    },
    jobs,
    principal: me,
    allowedPrivateAddresses: undefined,
    checkAddress: async () => {},
  };
  let scans = 0;

  /** Adds a scan, one second after the previous one, with the HTML of the issues of each site. */
  async function scanned(sites: Record<string, string[]>, state?: JobState, run = '{"ended": "now"}') {
    const number = ++scans;
    const id = `${String(number).repeat(8)}-0000-4000-8000-000000000000`;
    const name = `2026-11-15_10-00-0${number}_scan`;
    const visit = state ? { base_urls_visit_path: `./base_urls/visit/mcp_${id.slice(0, 8)}/` } : {};
    const rows = Object.entries(sites).flatMap(([site, issues]) =>
      issues.map((html): TestRow => axeTestRow({ base_url: site, url: `${site}home`, html, target: `/html/${html}` })),
    );
    const pages = Object.keys(sites).map((base_url) => ({ organisation: 'A, B & C', base_url, number_of_pages: 1 }));
    const write = (file: string, text: string) => folder.write(`results/${name}/${file}`, text);
    await write('config.json', JSON.stringify({ max_links_per_domain: 50, ...visit }));
    await write('run.json', run);
    await write('axe_core_audit.csv', formatTestCsv(testColumns.axe, rows));
    await write('pages_scanned.csv', formatTestCsv(testColumns.pagesScanned, pages));
    if (state) {
      await jobs.submit(SCAN_JOB, me, { scanId: id, auditName: 'scan', warnings: [], inside: null }, { id });
      await store.db.updateTable('jobs').set({ state, ended_at: 1 }).where('id', '=', id).execute();
    }
    return { id, dir: `${join(folder.path, 'results', name)}/` };
  }
  return { room: services, scanned };
}

const never = () => new Promise<never>(() => {});
const requests = { pdf: false, browsers: never, signal: new AbortController().signal };
const [shop, news, blog] = ['https://shop.example/', 'https://news.example/', 'https://blog.example/'] as const;

test('compares each site with its latest finished scan', async () => {
  const { room: services, scanned } = await scanHouse();
  const both = await scanned({ [shop]: ['<img class="old">'], [news]: ['<img class="same">'] }, 'succeeded');
  const byHand = await scanned({ [shop]: ['<img class="gone">', '<img class="same">'] });
  await scanned({ [shop]: ['<img class="half">'], [news]: ['<img class="half">'] }, 'cancelled');
  await scanned({ [news]: ['<img class="half">'] }, 'failed');
  await scanned({ [news]: ['<img class="half">'] }, undefined, '{"browser": "still at it"}');
  const now = await scanned(
    { [shop]: ['<img class="same">', '<img class="new">'], [news]: ['<img class="same">'], [blog]: ['<img>'] },
    'succeeded',
  );
  const { previousDirs: previous, model } = await generateScanReport(services, now.id, requests);
  expect(previous).toEqual([byHand.dir, both.dir]);
  expect(model.changes).toMatchObject({ new: 1, persisting: 2, fixed: 1, not_checked: 0, first_scanned: 1 });
  const states = model.rules.flatMap(({ templates }) => templates.map(({ label, state }) => `${label} ${state}`));
  expect(states.sort()).toEqual(['img undefined', 'img.new new', 'img.same persisting', 'img.same persisting']);
  expect(await readFile(join(now.dir, 'report.html'), 'utf8')).toContain('1 site was scanned for the first time');
});

test('rejects with a timeout when the report takes too long', async () => {
  const { room: services, scanned } = await scanHouse();
  const { id } = await scanned({ [shop]: ['<img>'] }, 'succeeded');
  await expect(generateScanReport(services, id, { ...requests, pdf: true, timeLimitMs: 200 })).rejects.toThrow(
    /^Report generation timed out after 0\.2 seconds$/,
  );
});

test('reports why a report failed, in the wording of the specification', async () => {
  const { room: services, scanned } = await scanHouse();
  const { id, dir } = await scanned({ [shop]: ['<img>'] }, 'succeeded');
  await mkdir(join(dir, 'leaderboard.csv'));
  await expect(generateScanReport(services, id, requests)).rejects.toThrow(
    /^Report generation failed: Cannot write .*leaderboard\.csv: /,
  );
  const broken = async () => ({
    open: async () => Promise.reject(new Error('browserContext.newPage: it crashed\n  at a stack')),
    removeTrace: async () => {},
    counts: () => ({ browsers: 0, contexts: 0 }),
    close: async () => {},
  });
  await rm(join(dir, 'leaderboard.csv'), { recursive: true });
  await expect(generateScanReport(services, id, { ...requests, pdf: true, browsers: broken })).rejects.toThrow(
    /^Report generation failed: The PDF could not be printed: browserContext\.newPage: it crashed$/,
  );
  await rm(dir, { recursive: true });
  await expect(generateScanReport(services, id, requests)).rejects.toThrow(
    `Results directory not found for scan: ${id}`,
  );
});
