import { join } from 'node:path';
import { localIssuer } from '../platform/principal.ts';
import { parseFolderTimestamp } from './results/folder-timestamp.ts';
import { classifyByName } from './results/result-files.ts';
import { type ListedScan, listResultsDirs, type ScanList, sortScans } from './results/results-list.ts';
import type { ArchivedScan } from './scan-archive.ts';
import { SCAN_JOB } from './scan-records.ts';
import type { ScanServices } from './scans.ts';
import { createResultsLookup, resultsRoot } from './workspace.ts';

export interface KnownScan extends ListedScan {
  /** Absent for scans that were run by hand. */
  scan_id?: string;
}

/** Lists the scans that this caller may see, newest first: their own, and for the local user all folders of this machine. */
export async function listScans(services: ScanServices): Promise<Omit<ScanList, 'scans'> & { scans: KnownScan[] }> {
  const { engine, jobs, principal, archive } = services;
  const { note, ...all } = await listResultsDirs(resultsRoot(engine.workspace));
  const resultsOf = await createResultsLookup(engine.workspace);
  const archived = (await archive?.list()) ?? [];
  const ids = [...(await jobs.list(SCAN_JOB, principal)).map(({ id }) => id), ...archived.map(({ scanId }) => scanId)];
  const own = new Map(ids.map((id) => [resultsOf(id), id]));
  const seen = principal.issuer === localIssuer ? all.scans : all.scans.filter(({ path }) => own.has(path));
  const here = seen.map((scan): KnownScan => {
    const scan_id = own.get(scan.path);
    return scan_id === undefined ? scan : { scan_id, ...scan };
  });
  const elsewhere = archived
    .filter(({ scanId }) => resultsOf(scanId) === undefined)
    .map((scan) => describeArchived(scan, all.results_directory));
  const scans = sortScans([...here, ...elsewhere]);
  return { ...all, scans, total_scans: scans.length, ...(note !== undefined && elsewhere.length === 0 && { note }) };
}

/** A scan whose results are not on this machine yet; tools that read them fetch them. */
function describeArchived({ scanId, manifest: { folder, files } }: ArchivedScan, root: string): KnownScan {
  const types = Object.keys(files).flatMap((file) => {
    const stem = /^([^/]+)\.csv$/.exec(file)?.[1] ?? '';
    const fileClass = classifyByName(stem);
    return fileClass === 'finding' || fileClass === 'observation' ? [stem] : [];
  });
  return {
    scan_id: scanId,
    name: folder,
    timestamp: parseFolderTimestamp(folder) ?? '',
    path: `${join(root, folder)}/`,
    audit_types: types.toSorted(),
    file_count: Object.keys(files).length,
    size_bytes: Object.values(files).reduce((sum, { size }) => sum + size, 0),
  };
}
