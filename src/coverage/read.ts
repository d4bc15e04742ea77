import { realpath, stat } from 'node:fs/promises';
import { posix, resolve } from 'node:path';
import { Failure } from '../platform/errors.ts';
import { type CoverageStore, createCoverageStore, type Measure } from './coverage-store.ts';
import { identify, sourceFolder } from './identity.ts';
import { createLcovScanner } from './lcov.ts';
import { notLcov } from './lcov-records.ts';
import { createMerging } from './merge.ts';
import { createReport, type Report, type ReportOrigin } from './report.ts';
import { eachChunk, openReportFile, type ReportFile, reasonFor } from './report-file.ts';
import { isAbsolutePath, tidyPath } from './source-path.ts';

export interface ReadOptions {
  /** Where relative paths are seen from; the working directory of the process unless given. */
  cwd?: string | undefined;
  /** What to measure beside lines. */
  include?: readonly Measure[] | undefined;
  signal?: AbortSignal | undefined;
  progress?: ((doneBytes: number, totalBytes: number) => void) | undefined;
  /** The reports that there are, for whoever asks for one that is not. */
  nearby?: (() => Promise<readonly string[]>) | undefined;
}

interface Cwd {
  given: string;
  real: string;
}

/** How often `progress` is told, in bytes. */
const progressStep = 16 * 1024 * 1024;

/** Reads one LCOV report, or several as one. A report may be of any size: it passes through and is not kept. */
export async function readReport(paths: string | readonly string[], options: ReadOptions = {}): Promise<Report> {
  const given = typeof paths === 'string' ? [paths] : paths;
  if (given.length === 0) throw new Failure('bad_input', 'LCOV_MISSING', 'No LCOV file given; name at least one');
  const cwd = await workingDirectory(options.cwd);
  const files = given.map((path) => ({ given: path, label: given.length > 1 ? path : undefined, cwd: cwd.given }));
  const meter = createMeter(options.progress && (await totalBytes(files)), options.progress);

  const [only, ...others] = files;
  if (only && others.length === 0) return readSingle(only, options, cwd, meter);

  const merging = createMerging(options.include);
  const origins: ReportOrigin[] = [];
  for (const file of files) {
    const { store, origin } = await readOne(file, options, meter);
    origins.push(origin);
    await merging.add(store, await identitiesOf(store, origin, cwd)).catch((error: unknown) => {
      throw beyondLimits(error, (what) => `the reports together hold ${what}; merge fewer of them`);
    });
  }
  const identities = Promise.resolve(merging.identities());
  return createReport({
    store: merging.store,
    names: merging.namesFrom(cwd.real),
    cwd: cwd.real,
    origins,
    identities: () => identities,
  });
}

async function readSingle(
  file: ReportFile,
  options: ReadOptions,
  cwd: Cwd,
  meter: (bytes: number) => void,
): Promise<Report> {
  const { store, origin } = await readOne(file, options, meter);
  const parts = { cwd: cwd.real, origins: [origin] };
  let identities: Promise<readonly string[]> | undefined;
  const identify = () => (identities ??= identitiesOf(store, origin, cwd));
  const known = mayHoldTwins(store.paths, cwd) ? await identify() : [];
  if (new Set(known).size === known.length) {
    return createReport({ ...parts, store, names: store.paths, identities: identify });
  }
  const merging = createMerging(options.include);
  await merging.add(store, known).catch((error: unknown) => {
    throw parsingFailed(file, error);
  });
  const united = Promise.resolve(merging.identities());
  return createReport({ ...parts, store: merging.store, names: merging.given, identities: () => united });
}

/** Whether two paths of a report may lead to one file, which only where they lie can tell. Most reports write all in one way. */
function mayHoldTwins(paths: readonly string[], cwd: Cwd): boolean {
  if (cwd.given !== cwd.real) return true;
  const first = isAbsolutePath(tidyPath(paths[0] ?? ''));
  return paths.some((path) => {
    const tidy = tidyPath(path);
    return isAbsolutePath(tidy) !== first || tidy.startsWith('../');
  });
}

async function readOne(
  report: ReportFile,
  { include, signal, nearby }: ReadOptions,
  meter: (bytes: number) => void,
): Promise<{ store: CoverageStore; origin: ReportOrigin }> {
  signal?.throwIfAborted();
  const { file, stats } = await openReportFile(report).catch(async (error: unknown) => {
    throw await withHint(error, nearby);
  });
  await using _closing = file;
  const store = createCoverageStore(include);
  const scanner = createLcovScanner(store);
  try {
    await eachChunk(
      report,
      file,
      (chunk) => {
        scanner.feed(chunk);
        meter(chunk.length);
      },
      signal,
    );
    scanner.end();
  } catch (error) {
    throw parsingFailed(report, error);
  }
  return { store, origin: { path: tidyPath(resolve(report.cwd, report.given)), writtenAtMs: stats.mtimeMs } };
}

/** Tells, beside what is missing, what is there. */
async function withHint(error: unknown, nearby: ReadOptions['nearby']): Promise<unknown> {
  if (!(error instanceof Failure) || error.code !== 'LCOV_NOT_FOUND') return error;
  const found = (await nearby?.()) ?? [];
  if (found.length === 0) return error;
  const hint = `Reports that are there: ${found.slice(0, 5).join(', ')}`;
  return new Failure(error.kind, error.code, error.message, { ...error.details, hint }, { cause: error });
}

/** Says which report it was, and that a report beyond the limits could not be parsed. */
function parsingFailed(report: ReportFile, error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.code === 'LCOV_PARSE') return notLcov(reasonFor(report, String(error.details['reason'])));
  return beyondLimits(error, (what) =>
    reasonFor(report, `the report holds ${what}; split it, and read the parts one at a time`),
  );
}

function beyondLimits(error: unknown, reason: (what: string) => string): unknown {
  return error instanceof Failure && error.code === 'REPORT_TOO_LARGE' ? notLcov(reason(error.message)) : error;
}

async function identitiesOf(store: CoverageStore, origin: ReportOrigin, cwd: Cwd): Promise<readonly string[]> {
  const reportFolder = identify(posix.dirname(origin.path), cwd.given, cwd);
  const folder = await sourceFolder(store.paths, reportFolder, cwd.real);
  return store.paths.map((path) => identify(path, folder, cwd));
}

async function workingDirectory(cwd = process.cwd()): Promise<Cwd> {
  const given = resolve(cwd);
  const real = await realpath(given).catch(() => given);
  return { given: tidyPath(given), real: tidyPath(real) };
}

async function totalBytes(files: readonly ReportFile[]): Promise<number> {
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

function createMeter(total: number | undefined, progress: ReadOptions['progress']): (bytes: number) => void {
  let done = 0;
  let told = 0;
  return (bytes) => {
    done += bytes;
    if (total === undefined || (done - told < progressStep && done < total)) return;
    told = done;
    progress?.(done, Math.max(done, total));
  };
}
