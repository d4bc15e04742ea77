import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode, systemReason } from '../../platform/errors.ts';
import { formatLocalIso, parseFolderTimestamp } from './folder-timestamp.ts';
import { classifyByName, classifyResultFile, listCsvFiles, unreadableResults } from './result-files.ts';

export interface ListedScan {
  name: string;
  timestamp: string;
  path: string;
  audit_types: string[];
  file_count: number;
  size_bytes: number;
  /** Why the folder could not be read. */
  problem?: string;
}

export interface ScanList {
  scans: ListedScan[];
  total_scans: number;
  results_directory: string;
  note?: string;
}

/** Lists all results folders below a root, newest first, including those of scans that were run by hand. */
export async function listResultsDirs(resultsRoot: string): Promise<ScanList> {
  const results_directory = withSlash(resultsRoot);
  const entries = await readdir(resultsRoot, { withFileTypes: true }).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw unreadableResults(error);
  });
  if (!entries) {
    const note = 'The results directory does not exist yet: no scan has been run.';
    return { scans: [], total_scans: 0, results_directory, note };
  }
  const scans: ListedScan[] = [];
  for (const entry of entries) {
    if (!entry.isDirectory() || entry.name.startsWith('.')) continue;
    const scan = await describeScan(resultsRoot, entry.name);
    if (scan) scans.push(scan);
  }
  return { scans: sortScans(scans), total_scans: scans.length, results_directory };
}

/** Newest first. */
export function sortScans<Scan extends ListedScan>(scans: readonly Scan[]): Scan[] {
  return scans.toSorted((a, b) => compareText(b.timestamp, a.timestamp) || compareText(b.name, a.name));
}

async function describeScan(root: string, name: string): Promise<ListedScan | undefined> {
  const folder = join(root, name);
  const scan: ListedScan = {
    name,
    timestamp: parseFolderTimestamp(name) ?? '',
    path: withSlash(folder),
    audit_types: [],
    file_count: 0,
    size_bytes: 0,
  };
  try {
    if (scan.timestamp === '') scan.timestamp = formatLocalIso((await stat(folder)).mtime);
    Object.assign(scan, await measure(folder));
    scan.audit_types = await auditTypes(folder);
  } catch (error) {
    // The folder was deleted while it was read.
    if (systemCode(error) === 'ENOENT') return undefined;
    scan.problem = systemReason(error);
  }
  return scan;
}

async function auditTypes(folder: string): Promise<string[]> {
  const types: string[] = [];
  for (const { stem, path } of await listCsvFiles(folder)) {
    const fileClass = classifyByName(stem) ?? classifyResultFile(stem, await headerOf(path));
    if (fileClass === 'finding' || fileClass === 'observation') types.push(stem);
  }
  return types;
}

async function headerOf(path: string): Promise<string[]> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
  const line = buffer
    .toString('utf8', 0, bytesRead)
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/, 1)[0];
  return (line ?? '').split(',').map((column) => column.replace(/^"|"$/g, '').trim());
}

const CONCURRENT_STATS = 64;

async function measure(folder: string): Promise<{ file_count: number; size_bytes: number }> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  let size_bytes = 0;
  for (let at = 0; at < files.length; at += CONCURRENT_STATS) {
    const sizes = await Promise.all(files.slice(at, at + CONCURRENT_STATS).map(sizeOf));
    size_bytes += sizes.reduce((sum, size) => sum + size, 0);
  }
  return { file_count: files.length, size_bytes };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function withSlash(path: string): string {
  return path.endsWith('/') ? path : `${path}/`;
}
