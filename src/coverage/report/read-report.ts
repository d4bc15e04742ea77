import { realpath, stat } from 'node:fs/promises';
import { posix, resolve } from 'node:path';
import { Failure } from '../../platform/errors.ts';
import { formatSampleBytes } from '../formats/report-format.ts';
import { createReportScanner } from '../formats/report-scanner.ts';
import { lcovParseFailure } from '../lcov/lcov-records.ts';
import { findSourceFolder, pathExists, resolveIdentity } from '../paths/source-identity.ts';
import { isAbsolutePath, normalizePath, resolvePath } from '../paths/source-path.ts';
import { type CoverageStore, createCoverageStore, type Measure, type ReportFacts } from '../store/coverage-store.ts';
import { type CoverageReport, createCoverageReport, type ReportOrigin } from './coverage-report.ts';
import { type LcovFile, labelReason, openLcovFile, readPieces, readStart } from './lcov-file.ts';
import { createReportMerger } from './report-merger.ts';

export interface ReadReportOptions {
  /** Base of relative paths; default: the working directory of the process. */
  cwd?: string | undefined;
  /** Measures in addition to lines. */
  include?: readonly Measure[] | undefined;
  signal?: AbortSignal | undefined;
  progress?: ((doneBytes: number, totalBytes: number) => void) | undefined;
  /** Lists existing reports, for the hint of a not-found error. */
  listAvailableReports?: (() => Promise<readonly string[]>) | undefined;
}

interface WorkingDirectory {
  given: string;
  real: string;
}

/** Bytes between two calls of `progress`. */
const progressStep = 16 * 1024 * 1024;

/**
 * Reads one coverage report, or several merged into one, of any format that the content shows. LCOV, Go and Istanbul are
 * streamed, so they may have any size.
 */
export async function readReport(
  paths: string | readonly string[],
  options: ReadReportOptions = {},
): Promise<CoverageReport> {
  const given = typeof paths === 'string' ? [paths] : paths;
  if (given.length === 0) throw new Failure('bad_input', 'LCOV_MISSING', 'No LCOV file given; pass at least one path');
  const cwd = await resolveWorkingDirectory(options.cwd);
  const files = given.map((path) => ({ given: path, label: given.length > 1 ? path : undefined, cwd: cwd.given }));
  const meter = createProgressMeter(options.progress && (await sumFileSizes(files)), options.progress);

  const [only, ...others] = files;
  if (only && others.length === 0) return readSingleReport(only, options, cwd, meter);

  const merger = createReportMerger(options.include);
  const origins: ReportOrigin[] = [];
  const notes: string[] = [];
  for (const file of files) {
    const { store, origin, facts } = await scanReport(file, options, cwd, meter);
    origins.push(origin);
    notes.push(...(facts.notes ?? []).map((note) => labelReason(file, note)));
    await merger.add(store, await resolveIdentities(store, origin, facts, cwd)).catch((error: unknown) => {
      throw toLimitFailure(error, (what) => `the reports together hold ${what}; merge fewer of them`);
    });
  }
  const identities = Promise.resolve(merger.identities());
  return createCoverageReport({
    store: merger.store,
    names: merger.namesFrom(cwd.real),
    cwd: cwd.real,
    origins,
    notes,
    identities: () => identities,
  });
}

async function readSingleReport(
  file: LcovFile,
  options: ReadReportOptions,
  cwd: WorkingDirectory,
  meter: (bytes: number) => void,
): Promise<CoverageReport> {
  const { store, origin, facts } = await scanReport(file, options, cwd, meter);
  const parts = { cwd: cwd.real, origins: [origin], notes: facts.notes ?? [] };
  let identities: Promise<readonly string[]> | undefined;
  const identify = () => (identities ??= resolveIdentities(store, origin, facts, cwd));
  const known = canHoldDuplicates(store.paths, cwd) ? await identify() : [];
  if (new Set(known).size === known.length) {
    return createCoverageReport({ ...parts, store, names: store.paths, identities: identify });
  }
  const merging = createReportMerger(options.include);
  await merging.add(store, known).catch((error: unknown) => {
    throw toParseFailure(file, error);
  });
  const mergedIdentities = Promise.resolve(merging.identities());
  return createCoverageReport({
    ...parts,
    store: merging.store,
    names: merging.originalNames,
    identities: () => mergedIdentities,
  });
}

/** Whether two paths of a report may be the same file. Most reports write all paths in one form, which needs no check. */
function canHoldDuplicates(paths: readonly string[], cwd: WorkingDirectory): boolean {
  if (cwd.given !== cwd.real) return true;
  const first = isAbsolutePath(normalizePath(paths[0] ?? ''));
  return paths.some((path) => {
    const tidy = normalizePath(path);
    return isAbsolutePath(tidy) !== first || tidy.startsWith('../');
  });
}

async function scanReport(
  report: LcovFile,
  { include, signal, listAvailableReports }: ReadReportOptions,
  cwd: WorkingDirectory,
  meter: (bytes: number) => void,
): Promise<{ store: CoverageStore; origin: ReportOrigin; facts: ReportFacts }> {
  signal?.throwIfAborted();
  const { file, stats } = await openLcovFile(report).catch(async (error: unknown) => {
    throw await addHint(error, listAvailableReports);
  });
  await using _closing = file;
  const store = createCoverageStore(include);
  const path = normalizePath(resolve(report.cwd, report.given));
  const reportFolder = resolveIdentity(posix.dirname(path), cwd.given, cwd);
  let facts: ReportFacts;
  try {
    const sample = await readStart(report, file, formatSampleBytes);
    const scanner = await createReportScanner(sample, store, { reportFolder, cwd: cwd.real });
    await readPieces(
      report,
      file,
      (chunk) => {
        scanner.feed(chunk);
        meter(chunk.length);
      },
      signal,
    );
    facts = scanner.end();
  } catch (error) {
    throw toParseFailure(report, error);
  }
  return { store, origin: { path, writtenAtMs: stats.mtimeMs }, facts };
}

/** Adds the existing reports to a not-found error. */
async function addHint(
  error: unknown,
  listAvailableReports: ReadReportOptions['listAvailableReports'],
): Promise<unknown> {
  if (!(error instanceof Failure) || error.code !== 'LCOV_NOT_FOUND') return error;
  const found = (await listAvailableReports?.()) ?? [];
  if (found.length === 0) return error;
  const hint = `Pass one of the existing reports: ${found.slice(0, 5).join(', ')}`;
  return new Failure(error.kind, error.code, error.message, { ...error.details, hint }, { cause: error });
}

/** Adds the name of the report to a parse failure, and turns an exceeded limit into one. */
function toParseFailure(report: LcovFile, error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.code === 'LCOV_PARSE') return lcovParseFailure(labelReason(report, String(error.details['reason'])));
  return toLimitFailure(error, (what) =>
    labelReason(report, `the report holds ${what}; split it, and read the parts one at a time`),
  );
}

function toLimitFailure(error: unknown, reason: (what: string) => string): unknown {
  return error instanceof Failure && error.code === 'REPORT_TOO_LARGE'
    ? lcovParseFailure(reason(error.message))
    : error;
}

async function resolveIdentities(
  store: CoverageStore,
  origin: ReportOrigin,
  { sourceFolders = [] }: ReportFacts,
  cwd: WorkingDirectory,
): Promise<readonly string[]> {
  const reportFolder = resolveIdentity(posix.dirname(origin.path), cwd.given, cwd);
  const folder = await findSourceFolder(store.paths, reportFolder, cwd.real);
  const folders = sourceFolders.map((source) => resolveIdentity(source, folder, cwd));
  const identities: string[] = [];
  for (const path of store.paths) {
    const home = (await findHome(path, folders)) ?? folder;
    identities.push(resolveIdentity(path, home, cwd));
  }
  return identities;
}

/** The first of the folders that a report names in which a file exists. */
async function findHome(path: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) if (await pathExists(resolvePath(folder, normalizePath(path)))) return folder;
  return undefined;
}

async function resolveWorkingDirectory(cwd = process.cwd()): Promise<WorkingDirectory> {
  const given = resolve(cwd);
  const real = await realpath(given).catch(() => given);
  return { given: normalizePath(given), real: normalizePath(real) };
}

async function sumFileSizes(files: readonly LcovFile[]): Promise<number> {
  const sizes = await Promise.all(
    files.map((file) =>
      stat(resolve(file.cwd, file.given)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

function createProgressMeter(
  total: number | undefined,
  progress: ReadReportOptions['progress'],
): (bytes: number) => void {
  let done = 0;
  let lastReported = 0;
  return (bytes) => {
    done += bytes;
    if (total === undefined || (done - lastReported < progressStep && done < total)) return;
    lastReported = done;
    progress?.(done, Math.max(done, total));
  };
}
