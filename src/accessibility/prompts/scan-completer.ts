import type { Completer } from '../../tool/tool.ts';
import { listScans } from '../scan-list.ts';
import { createScanServices } from '../tools/scan-services.ts';

const MOST_SCANS = 100;

/** The ids of the caller's scans, newest first. */
export const completeScanId: Completer = async (typed, context) => {
  const { scans } = await listScans(await createScanServices(context));
  const ids = scans.flatMap((scan) => ('scan_id' in scan ? [scan.scan_id] : []));
  return ids.filter((id) => id.startsWith(typed)).slice(0, MOST_SCANS);
};
