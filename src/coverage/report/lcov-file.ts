import { constants, type Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Failure, systemCode, systemReason } from '../../platform/errors.ts';
import { createEventLoopYield } from '../store/event-loop-yield.ts';

/** A report file and its name in messages. */
export interface LcovFile {
  /** The path as the caller gave it. */
  given: string;
  /** Prefix of reasons when several reports are read. */
  label: string | undefined;
  cwd: string;
}

const chunkSize = 256 * 1024;
/** Bytes per callback; small enough that even the worst input does not block the event loop. */
const pieceSize = 32 * 1024;
/** With these flags, opening a pipe or terminal does not block. They have no effect on files; Windows has neither. */
const openFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/** Opens a report for reading. Throws without waiting if it is not a regular file. */
export async function openLcovFile(report: LcovFile): Promise<{ file: FileHandle; stats: Stats }> {
  if (report.given === '') throw unreadableFailure(report, 'the path is empty');
  const file = await open(resolve(report.cwd, report.given), openFlags).catch((error: unknown) => {
    throw openFailure(report, error);
  });
  try {
    const stats = await file.stat();
    const problem = describeFileKind(stats);
    if (problem) throw unreadableFailure(report, problem);
    return { file, stats };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Reads the first bytes of a file as text. The next read starts at the beginning all the same. */
export async function readStart(report: LcovFile, file: FileHandle, bytes: number): Promise<string> {
  const start = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(start, 0, bytes, 0).catch((error: unknown) => {
    throw unreadableFailure(report, systemReason(error), error);
  });
  return start.toString('utf8', 0, bytesRead);
}

/** Reads a file in pieces, which are valid only during the callback. The next chunk is read meanwhile. */
export async function readPieces(
  report: LcovFile,
  file: FileHandle,
  use: (piece: Buffer) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const pace = createEventLoopYield();
  let current = Buffer.allocUnsafeSlow(chunkSize);
  let next = Buffer.allocUnsafeSlow(chunkSize);
  let reading = file.read(current, 0, chunkSize, null);
  try {
    for (;;) {
      const { bytesRead } = await reading.catch((error: unknown) => {
        throw unreadableFailure(report, systemReason(error), error);
      });
      signal?.throwIfAborted();
      if (bytesRead === 0) return;
      [current, next] = [next, current];
      reading = file.read(current, 0, chunkSize, null);
      for (let at = 0; at < bytesRead; at += pieceSize) {
        use(next.subarray(at, Math.min(bytesRead, at + pieceSize)));
        const pause = pace();
        if (pause) await pause;
      }
    }
  } finally {
    // A pending read writes into its buffer, so it must end before the file is closed.
    await reading.catch(() => undefined);
  }
}

/** Formats a path for a message: as given, shortened if it is very long. */
function pathInMessage(path: string): string {
  return path.length <= 500 ? path : `${path.slice(0, 200)}…${path.slice(-100)} (${path.length} characters)`;
}

export function labelReason(report: LcovFile, reason: string): string {
  return report.label === undefined ? reason : `${pathInMessage(report.label)}: ${reason}`;
}

function openFailure(report: LcovFile, error: unknown): Failure {
  const code = systemCode(error);
  // Opening a pipe or socket without a listener fails.
  if (code === 'ENXIO' || code === 'EOPNOTSUPP')
    return unreadableFailure(report, 'it is a socket or device, not a file', error);
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return unreadableFailure(report, systemReason(error), error);
  const path = pathInMessage(report.given);
  return new Failure('not_found', 'LCOV_NOT_FOUND', `LCOV file not found at path ${path}`, { path }, { cause: error });
}

function describeFileKind(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory())
    return 'it is a folder, not a file; give the LCOV file itself, often lcov.info in that folder';
  if (stats.isFIFO()) return 'it is a named pipe, not a file';
  if (stats.isSocket()) return 'it is a socket, not a file';
  return 'it is a device, not a file';
}

function unreadableFailure(report: LcovFile, reason: string, cause?: unknown): Failure {
  const message = `Cannot read LCOV file: ${labelReason(report, reason)}`;
  return new Failure('bad_input', 'LCOV_UNREADABLE', message, { path: pathInMessage(report.given), reason }, { cause });
}
