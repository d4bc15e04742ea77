import { invalidArgument, requireProject } from '../owned-rows.ts';
import { checkSite, secretInAddress } from '../projects/projects.ts';
import type { QaContext } from '../qa-context.ts';
import { startRuntime } from '../runs/start-run.ts';
import { openProjectSecrets } from '../secrets/project-secrets.ts';
import type { Limits } from './crawl.ts';

export const SCAN = 'qa.scan';

interface ScanWishes {
  projectId: string;
  url: string;
  description: string;
  archiveUnapproved: boolean;
  /** The secrets of the project are for this site too, although it is not the project's own. */
  allowLogin: boolean;
  limits: Limits;
}

/** Checks what is asked for, and hands it to the workers. */
export async function startScan(room: QaContext, { projectId, url, description, ...wishes }: ScanWishes) {
  const site = checkSite('url', url.trim());
  const wanted = description.trim();
  if (wanted === '') throw invalidArgument('description', 'description must say what to look for.');
  await requireProject(room, projectId);
  const { redactor, isKey } = await openProjectSecrets(room.store, room.vault, projectId);
  if (isKey(site)) throw secretInAddress('url');
  await room.checkAddress(site);
  const payload = { url: site, description: redactor.text(wanted), ...wishes };
  return startRuntime(room, { projectId, kind: SCAN, payload, name: payload.description.slice(0, 255) });
}
