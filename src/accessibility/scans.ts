import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../platform/errors.ts';
import type { Job, Jobs } from '../platform/jobs/jobs.ts';
import type { Principal } from '../platform/principal.ts';
import { parseProgressOutput } from './progress-output.ts';
import { type ScanSummary, summariseScan } from './results/scan-summary.ts';
import { readScannedSites } from './results/scanned-sites.ts';
import type { ScanArchive } from './scan-archive.ts';
import {
  adaptToCwac,
  applyScanRequest,
  parseStartUrls,
  type ScanRequest,
  sanitiseName,
  timestampAuditName,
} from './scan-config.ts';
import type { ScanEngine } from './scan-engine.ts';
import { accessibilityScanPayload, SCAN_JOB, scanProgress, scanResult } from './scan-records.ts';
import {
  baseUrlsDir,
  configPath,
  createScanId,
  findResultsDir,
  prepareDefaultConfig,
  prepareWorkspace,
  readDefaultConfig,
  removeInputs,
  writeInputs,
} from './workspace.ts';

/** What the scan tools need, for one caller. */
export interface ScanServices {
  engine: ScanEngine;
  jobs: Jobs;
  principal: Principal;
  /** Rejects for an address that this caller must not visit. */
  checkAddress(url: string): Promise<void>;
  allowedPrivateAddresses: readonly string[] | undefined;
  /** Where workers on other machines find the inputs and leave the results. */
  archive?: ScanArchive | undefined;
}

export async function startAccessibilityScan(services: ScanServices, choice: ScanRequest) {
  const { engine, jobs, principal } = services;
  const urls = parseStartUrls(choice.urls);
  await checkAddresses(services, urls);
  if (engine.name === 'cwac' && services.allowedPrivateAddresses)
    throw new Failure(
      'configuration',
      'ENGINE_NOT_GUARDED',
      'CWAC cannot be used over HTTP, because it cannot be kept from private addresses. Set ASSAY_ACCESSIBILITY_ENGINE to native.',
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
  const inside = services.allowedPrivateAddresses ? [...services.allowedPrivateAddresses] : null;
  const owner = { issuer: principal.issuer, subject: principal.subject };
  try {
    await services.archive?.saveInputs(scanId);
    await jobs.submit(SCAN_JOB, principal, { scanId, owner, auditName, warnings, inside }, { id: scanId });
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

/** Checks each host once, several at a time, so that thousands of URLs do not delay the response. */
async function checkAddresses({ checkAddress }: ScanServices, urls: readonly URL[]): Promise<void> {
  const hosts = new Map(urls.map((url) => [url.hostname, url.href])).values();
  const check = async () => {
    for (const href of hosts)
      await checkAddress(href).catch((error: unknown) => {
        // An unknown host becomes a failed page of the scan; the engine checks again before each visit.
        if (!(error instanceof Failure && error.code === 'DNS')) throw error;
      });
  };
  await Promise.all(Array.from({ length: CONCURRENT_CHECKS }, check));
}

export async function readScanStatus(services: ScanServices, scanId: string) {
  const job = await findScan(services, scanId);
  const common = { scan_id: job.id, elapsed_time: formatElapsed(job, job.endedAt ?? (await services.jobs.now())) };
  switch (job.state) {
    case 'queued':
    case 'running': {
      return { ...common, status: 'running' as const, stdout_tail: outputTail(job) };
    }
    case 'succeeded': {
      const { resultsDir: ofWorker, exitCode } = scanResult.parse(job.result);
      const resultsDir = (await services.archive?.restoreResults(scanId)) ?? ofWorker;
      // The worker has removed its own copy.
      if (services.archive) await removeInputs(services.engine.workspace, scanId);
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
      // Inputs that were kept for a resume are useless now that the failure is stored, unless an operator starts it again.
      if (!job.isDeadLetter) await removeInputs(services.engine.workspace, scanId);
      // Exit code 1 stands for an engine that could not be started.
      const exit_code = scanProgress.safeParse(job.progress).data?.exitCode ?? 1;
      return { ...common, status: 'failed' as const, exit_code, stderr: job.error ?? '' };
    }
    case 'cancelled': {
      const results = await findResults(services, scanId);
      return { ...common, status: 'cancelled' as const, ...(results && { results_dir: results }) };
    }
  }
}

/** The last lines of the engine's output. */
function outputTail({ progress }: Job): string {
  return (scanProgress.safeParse(progress).data?.tail ?? []).join('\n');
}

const POLL_MS = 300;
const CANCEL_LIMIT_MS = 5_000;

/**
 * Waits for the end of a scan, with progress from its output, and returns a short summary. Throws SCAN_FAILED when the scan
 * failed and NOTHING_SCANNED when it scanned no page. An abort cancels the scan.
 */
export async function followScan(
  services: ScanServices,
  scanId: string,
  { signal, progress }: { signal: AbortSignal; progress(done: number, total?: number, message?: string): void },
) {
  for (;;) {
    const status = await readScanStatus(services, scanId);
    // Progress is also reported after the end: a short scan may end before the first poll.
    const { done, total, message } = parseProgressOutput(outputTail(await findScan(services, scanId)));
    progress(done, total, message);
    if (status.status !== 'running') return summariseEndedScan(status);
    await pause(POLL_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) await cancelInterruptedScan(services, scanId);
  }
}

/** Cancels the scan of an interrupted caller; otherwise the next server would resume it. */
async function cancelInterruptedScan(services: ScanServices, scanId: string): Promise<never> {
  await cancelScan(services, scanId);
  // Another process on the same home may run the scan; it notices the cancellation within two seconds.
  const until = performance.now() + CANCEL_LIMIT_MS;
  while (isActive(await findScan(services, scanId)) && performance.now() < until) await pause(POLL_MS);
  const message = `Interrupted: the scan was cancelled. Its results so far are kept: assay call cwac_get_summary --scan-id ${scanId}`;
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

export async function cancelScan(services: ScanServices, scanId: string) {
  await findScan(services, scanId);
  const stopped = await services.jobs.cancel(scanId, services.principal);
  const job = await findScan(services, scanId);
  if (job.state === 'cancelled') await removeInputs(services.engine.workspace, scanId);
  return { scan_id: scanId, status: stopped ? ('cancelling' as const) : ('ended' as const) };
}

/**
 * Returns an ended scan with its results folder; `cutShort` says why the results are incomplete. Throws NO_SCAN, SCAN_RUNNING or
 * NO_RESULTS_DIR.
 */
export async function requireEndedScan(services: ScanServices, scanId: string) {
  const job = await findScan(services, scanId);
  if (isActive(job)) throw new Failure('conflict', 'SCAN_RUNNING', 'Scan is still running. Check status first.');
  const resultsDir =
    (await services.archive?.restoreResults(scanId)) ??
    scanResult.safeParse(job.result).data?.resultsDir ??
    (await findResultsDir(services.engine.workspace, scanId));
  if (!resultsDir || !existsSync(resultsDir))
    throw new Failure('not_found', 'NO_RESULTS_DIR', `Results directory not found for scan: ${scanId}`);
  const { auditName } = accessibilityScanPayload.parse(job.payload);
  return {
    resultsDir,
    auditName,
    duration: formatElapsed(job, job.endedAt ?? job.createdAt),
    cutShort: describeInterruption(job),
  };
}

async function findResults({ archive, engine }: ScanServices, scanId: string): Promise<string | undefined> {
  return (await archive?.restoreResults(scanId)) ?? findResultsDir(engine.workspace, scanId);
}

const MAX_ERROR_CHARACTERS = 300;

function describeInterruption({ state, error }: Job): string | undefined {
  if (state === 'cancelled') return 'The scan was cancelled before it finished; these are the results so far.';
  if (state !== 'failed') return undefined;
  return `The scan failed before it finished; these are the results so far. Reason: ${(error ?? '').slice(0, MAX_ERROR_CHARACTERS)}`;
}

/** Warnings for a scan without pages. All results are read only when pages_scanned.csv lists no site with pages. */
async function emptyScanWarnings(resultsDir: string): Promise<string[]> {
  if (!existsSync(resultsDir)) return ['The results folder no longer exists.'];
  return (await readScannedSites(resultsDir)).size > 0 ? [] : describeEmptyScan(await summariseScan(resultsDir));
}

const MAX_REASONS = 3;

/** A scan without a scanned page is complete, but needs a warning with the reasons. */
function describeEmptyScan({ pages, missed }: ScanSummary): string[] {
  if (pages.scanned > 0) return [];
  const reasons = missed.slice(0, MAX_REASONS).map(({ reason, pages: number, examples: [example] }) => {
    const more = number > 1 ? ` and ${number - 1} more` : '';
    return `${reason} (${example}${more})`;
  });
  const more = missed.length - reasons.length;
  if (more > 0) reasons.push(`${more} more ${more === 1 ? 'reason' : 'reasons'} in crawl_audit.csv`);
  return [`No page was scanned: ${reasons.join('; ') || 'no page was found'}.`];
}

async function findScan({ jobs, principal }: ScanServices, scanId: string): Promise<Job> {
  const job = await jobs.get(scanId, principal);
  if (job?.kind === SCAN_JOB) return job;
  throw new Failure('not_found', 'NO_SCAN', `No scan found with ID: ${scanId.slice(0, 100)}`);
}

const isActive = ({ state }: Job) => state === 'queued' || state === 'running';

/** Formats like `2m 15s`, as the specification requires. */
function formatElapsed({ createdAt }: Job, until: number): string {
  const seconds = Math.max(0, Math.floor((until - createdAt) / 1000));
  return `${Math.floor(seconds / 60)}m ${seconds % 60}s`;
}
