import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { newFolder } from '../../test/support/folders.ts';
import { openTestStore } from '../../test/support/open-store.ts';
import { createJobs, type Jobs } from '../platform/jobs/jobs.ts';
import { databaseClock } from '../platform/store/database-clock.ts';
import { SCAN_JOB } from './scan-records.ts';
import { followScan, readScanStatus, type ScanServices } from './scans.ts';

const me = { issuer: 'local', subject: 'me', client: 'test' };
const scanId = '11111111-0000-4000-8000-000000000000';

function servicesOf(root: string, jobs: Jobs): ScanServices {
  return {
    engine: {
      name: 'native',
      workspace: { root },
      operatorWorkspace: { root },
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
}

test('reports the progress of a scan that ended before the first poll', async () => {
  await using folder = await newFolder();
  await using store = await openTestStore({ home: folder.path });
  const jobs = createJobs(store);
  const services = servicesOf(folder.path, jobs);
  await jobs.submit(SCAN_JOB, me, { scanId, auditName: 'scan', warnings: [], inside: null }, { id: scanId });
  const tail = [
    'Number of websites to be scanned: 1',
    '[1/1] scanned https://x.nz/ (no issues) 1.0 pages/s, 0m 0s left',
  ];
  const end = { state: 'cancelled', ended_at: 1, progress: JSON.stringify({ tail }) } as const;
  await store.db.updateTable('jobs').set(end).where('id', '=', scanId).execute();
  const seen: unknown[] = [];
  const { signal } = new AbortController();
  await followScan(services, scanId, { signal, progress: (...how) => seen.push(how) });
  expect(seen).toEqual([[1, 1, expect.stringContaining('1 of 1 found: scanned https://x.nz/')]]);
});

test.each([86_400_000, -86_400_000])(
  'reports the time of a running scan by the clock of the database, with a clock that is wrong by %i ms',
  async (shiftMs) => {
    await using folder = await newFolder();
    await using store = await openTestStore({ home: folder.path });
    const jobs = createJobs(store);
    await jobs.submit(SCAN_JOB, me, { scanId, auditName: 'scan', warnings: [], inside: null }, { id: scanId });
    const ago = sql<number>`${databaseClock(store)} - 3600000`;
    await store.db.updateTable('jobs').set({ created_at: ago }).where('id', '=', scanId).execute();
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + shiftMs });
    const { elapsed_time } = await readScanStatus(servicesOf(folder.path, jobs), scanId);
    expect(elapsed_time).toMatch(/^60m /);
  },
);
