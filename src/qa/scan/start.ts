import { invalid } from '../access.ts';
import { checkSite } from '../projects/projects.ts';
import type { QaRoom } from '../room.ts';
import { startRuntime } from '../runs/start.ts';
import type { Limits } from './crawl.ts';

export const SCAN = 'qa.scan';

interface ScanWishes {
  projectId: string;
  url: string;
  description: string;
  archiveUnapproved: boolean;
  limits: Limits;
}

/** Checks what is asked for, and hands it to the workers. */
export async function startScan(room: QaRoom, { projectId, url, description, archiveUnapproved, limits }: ScanWishes) {
  const site = checkSite('url', url.trim());
  const wanted = description.trim();
  if (wanted === '') throw invalid('description', 'description must say what to look for.');
  await room.checkAddress(site);
  const payload = { url: site, description: wanted, archiveUnapproved, limits };
  return startRuntime(room, { projectId, kind: SCAN, payload, name: wanted.slice(0, 255) });
}
