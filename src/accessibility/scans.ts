import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../platform/errors.ts';
import type { Job, Jobs } from '../platform/jobs/jobs.ts';
import type { Principal } from '../platform/principal.ts';
import { localIssuer } from '../platform/principal.ts';
import { parseProgressOutput } from './progress-output.ts';
import { listResultsDirs } from './results/results-list.ts';
import { type ScanSummary, summariseScan } from './results/scan-summary.ts';
import { readScannedSites } from './results/scanned-sites.ts';
import {
  adaptToCwac,
  applyScanRequest,
  parseStartUrls,
  type ScanRequest,
  sanitiseName,
  timestampAuditName,
} from './scan-config.ts';
import type { ScanEngine } from './scan-engine.ts';
import { accessibilityScanPayload, SCAN_JOB, scanProgress, scanResult } from './scan-job.ts';
import {
  baseUrlsDir,
  configPath,
  createResultsLookup,
  createScanId,
  findResultsDir,
  prepareDefaultConfig,
  prepareWorkspace,
  readDefaultConfig,
  removeInputs,
  resultsRoot,
  writeInputs,
} from './workspace.ts';

/** What the tools on scans work with. */
export interface ScanServices {
  engine: ScanEngine;
  jobs: Jobs;
  principal: Principal;
  /** Refuses an address that may not be visited for this caller. */
  checkAddress(url: string): Promise<void>;
  allowedPrivateAddresses: readonly string[] | undefined;
}

export async function startAccessibilityScan(room: ScanServices, choice: ScanRequest) {
  const { engine, jobs, principal } = room;
  const urls = parseStartUrls(choice.urls);
  await checkAddresses(room, urls);
  if (engine.name === 'cwac' && room.allowedPrivateAddresses)
    throw new Failure(
      'configuration',
      'ENGINE_NOT_GUARDED',
      'Over HTTP only the native engine scans: CWAC cannot be kept from inside addresses.',
    );
  let builtIn = {};
  if (engine.name === 'native') {
    const { defaultConfig } = await import('./engine/input/engine-config.ts');
    await prepareDefaultConfig(engine.operatorWorkspace, defaultConfig);
    await prepareWorkspace(engine.workspace);
    builtIn = defaultConfig.audit_plugins;
  }
  const defaults = await readDefaultConfig(engine.operatorWorkspace);
  const { config: chosen, warnings } = applyScanRequest(defaults, choice, urls, builtIn);
  const config = engine.name === 'cwac' ? adaptToCwac(chosen, urls.length) : chosen;
  const scanId = await createScanId(engine.workspace);
  const auditName = sanitiseName(choice.auditName ?? '') || timestampAuditName(new Date());
  await writeInputs(engine.workspace, scanId, { ...config, audit_name: auditName }, urls);
  const inside = room.allowedPrivateAddresses ? [...room.allowedPrivateAddresses] : null;
  const owner = { issuer: principal.issuer, subject: principal.subject };
  try {
    await jobs.submit(SCAN_JOB, principal, { scanId, owner, auditName, warnings, inside }, scanId);
  } catch (error) {
    await removeInputs(engine.workspace, scanId);
    throw error;
  }
  return {
    scan_id: scanId,
    config_path: configPath(engine.workspace, scanId),
    base_urls_dir: baseUrlsDir(engine.workspace, scanId),
    status: 'started' as const,
    audit_name: auditName,
    ...(warnings.length > 0 && { warnings }),
  };
}

const CONCURRENT_CHECKS = 16;

/** Each host once, several at a time: ten thousand URLs are no reason to keep a caller waiting. */
async function checkAddresses({ checkAddress }: ScanServices, urls: readonly URL[]): Promise<void> {
  const hosts = new Map(urls.map((url) => [url.hostname, url.href])).values();
  const check = async () => {
    for (const href of hosts)
      await checkAddress(href).catch((error: unknown) => {
        // A host that cannot be found is a page that failed, like any other; the engine checks again before each visit.
        if (!(error instanceof Failure && error.code === 'DNS')) throw error;
      });
  };
  await Promise.all(Array.from({ length: CONCURRENT_CHECKS }, check));
}

export async function readScanStatus(room: ScanServices, scanId: string) {
  const job = await findScan(room, scanId);
  const common = { scan_id: job.id, elapsed_time: formatElapsed(job) };
  switch (job.state) {
    case 'queued':
    case 'running': {
      return { ...common, status: 'running' as const, stdout_tail: outputTail(job) };
    }
    case 'succeeded': {
      const { resultsDir, exitCode } = scanResult.parse(job.result);
      const warnings = [
        ...accessibilityScanPayload.parse(job.payload).warnings,
        ...(await emptyScanWarnings(resultsDir)),
      ];
      return {
        ...common,
        status: 'complete' as const,
        results_dir: resultsDir,
        exit_code: exitCode,
        ...(warnings.length > 0 && { warnings }),
      };
    }
    case 'failed': {
      // Those that were kept to go on with are of no use now that the failure is written down.
      await removeInputs(room.engine.workspace, scanId);
      // 1 where no engine could be started.
      const exit_code = scanProgress.safeParse(job.progress).data?.exitCode ?? 1;
      return { ...common, status: 'failed' as const, exit_code, stderr: job.error ?? '' };
    }
    case 'cancelled': {
      const results = await findResultsDir(room.engine.workspace, scanId);
      return { ...common, status: 'cancelled' as const, ...(results && { results_dir: results }) };
    }
  }
}

/** The last lines that the engine printed. */
function outputTail({ progress }: Job): string {
  return (scanProgress.safeParse(progress).data?.tail ?? []).join('\n');
}

const POLL_MS = 300;
const CANCEL_LIMIT_MS = 5_000;

/**
 * Waits for the end of a scan, with progress by the lines that it prints. Whoever waited is told in short what was found;
 * a scan that failed or saw no page is a failure to them.
 */
export async function followScan(
  room: ScanServices,
  scanId: string,
  { signal, progress }: { signal: AbortSignal; progress(done: number, total?: number, message?: string): void },
) {
  for (;;) {
    const status = await readScanStatus(room, scanId);
    // Of a short scan the end is all that there is to see.
    const { done, total, message } = parseProgressOutput(outputTail(await findScan(room, scanId)));
    progress(done, total, message);
    if (status.status !== 'running') return summariseEndedScan(status);
    await pause(POLL_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) await cancelInterruptedScan(room, scanId);
  }
}

/** Whoever interrupts a scan that they wait for wants it to end, and not to go on with the next server that is started. */
async function cancelInterruptedScan(room: ScanServices, scanId: string): Promise<never> {
  await cancelScan(room, scanId);
  // Another process on the same home may be at it; it hears of this within two seconds.
  const until = performance.now() + CANCEL_LIMIT_MS;
  while (isActive(await findScan(room, scanId)) && performance.now() < until) await pause(POLL_MS);
  const message = `Interrupted: the scan is cancelled, and what it has found is kept (assay call cwac_get_summary --scan-id ${scanId}).`;
  throw new Failure('unavailable', 'INTERRUPTED', message);
}

async function summariseEndedScan(status: Exclude<Awaited<ReturnType<typeof readScanStatus>>, { status: 'running' }>) {
  if (status.status === 'failed') throw new Failure('site_failed', 'SCAN_FAILED', `The scan failed: ${status.stderr}`);
  if (status.status === 'cancelled') return status;
  const summary = await summariseScan(status.results_dir);
  const [empty] = describeEmptyScan(summary);
  if (empty !== undefined)
    throw new Failure('site_failed', 'NOTHING_SCANNED', `${empty} The results are in ${status.results_dir}`);
  const { pages, total_issues, issues_by_impact, partly_tested } = summary;
  const next = `assay call cwac_generate_report --scan-id ${status.scan_id}`;
  return { ...status, pages, total_issues, issues_by_impact, ...(partly_tested.length > 0 && { partly_tested }), next };
}

export async function cancelScan(room: ScanServices, scanId: string) {
  await findScan(room, scanId);
  const stopped = await room.jobs.cancel(scanId, room.principal);
  const job = await findScan(room, scanId);
  if (job.state === 'cancelled') await removeInputs(room.engine.workspace, scanId);
  return { scan_id: scanId, status: stopped ? ('cancelling' as const) : ('ended' as const) };
}

/** A scan that has ended, and where its results are; with a word on it where it did not come to its end. */
export async function requireEndedScan(room: ScanServices, scanId: string) {
  const job = await findScan(room, scanId);
  if (isActive(job)) throw new Failure('conflict', 'SCAN_RUNNING', 'Scan is still running. Check status first.');
  const resultsDir =
    scanResult.safeParse(job.result).data?.resultsDir ?? (await findResultsDir(room.engine.workspace, scanId));
  if (!resultsDir || !existsSync(resultsDir))
    throw new Failure('not_found', 'NO_RESULTS_DIR', `Results directory not found for scan: ${scanId}`);
  const { auditName } = accessibilityScanPayload.parse(job.payload);
  return { resultsDir, auditName, duration: formatElapsed(job), cutShort: describeInterruption(job) };
}

const MAX_ERROR_CHARACTERS = 300;

function describeInterruption({ state, error }: Job): string | undefined {
  if (state === 'cancelled') return 'The scan was cancelled before its end: these are the results so far.';
  if (state !== 'failed') return undefined;
  return `The scan failed before its end, these are the results so far: ${(error ?? '').slice(0, MAX_ERROR_CHARACTERS)}`;
}

/** All results are read only where the short list of sites says that there are none. */
async function emptyScanWarnings(resultsDir: string): Promise<string[]> {
  if (!existsSync(resultsDir)) return ['The results are not there any more.'];
  return (await readScannedSites(resultsDir)).size > 0 ? [] : describeEmptyScan(await summariseScan(resultsDir));
}

const MAX_REASONS = 3;

/** A scan that has seen no page is complete, but worth a word. */
function describeEmptyScan({ pages, missed }: ScanSummary): string[] {
  if (pages.scanned > 0) return [];
  const reasons = missed.slice(0, MAX_REASONS).map(({ reason, pages: number, examples: [example] }) => {
    const more = number > 1 ? ` and ${number - 1} more` : '';
    return `${reason} (${example}${more})`;
  });
  const more = missed.length - reasons.length;
  if (more > 0) reasons.push(`${more} more ${more === 1 ? 'reason' : 'reasons'} in crawl_audit.csv`);
  return [`No page was scanned: ${reasons.join('; ') || 'none was found'}.`];
}

/** The results folders that this caller may see: their own scans, and for the user of this machine all there are. */
export async function listScans({ engine, jobs, principal }: ScanServices) {
  const all = await listResultsDirs(resultsRoot(engine.workspace));
  const resultsOf = await createResultsLookup(engine.workspace);
  const own = new Map((await jobs.list(SCAN_JOB, principal)).map(({ id }) => [resultsOf(id), id]));
  const seen = principal.issuer === localIssuer ? all.scans : all.scans.filter(({ path }) => own.has(path));
  // Those run by hand have none.
  const scans = seen.map((scan) => {
    const scan_id = own.get(scan.path);
    return scan_id === undefined ? scan : { scan_id, ...scan };
  });
  return { ...all, scans, total_scans: scans.length };
}

async function findScan({ jobs, principal }: ScanServices, scanId: string): Promise<Job> {
  const job = await jobs.get(scanId, principal);
  if (job?.kind === SCAN_JOB) return job;
  throw new Failure('not_found', 'NO_SCAN', `No scan found with ID: ${scanId.slice(0, 100)}`);
}

const isActive = ({ state }: Job) => state === 'queued' || state === 'running';

/** `2m 15s`, as the specification writes it. */
function formatElapsed({ createdAt, endedAt }: Job): string {
  const seconds = Math.max(0, Math.floor(((endedAt ?? Date.now()) - createdAt) / 1000));
  return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}
