import { invalidArgument, requireProject } from '../owned-rows.ts';
import { checkSiteUrl, secretInUrl } from '../projects/projects.ts';
import type { QaContext } from '../qa-context.ts';
import { SCAN_JOB_KIND } from '../runs/run-kinds.ts';
import { startRuntime } from '../runs/start-run.ts';
import { openProjectSecrets } from '../secrets/project-secrets.ts';
import type { CrawlLimits } from './crawl/crawl-state.ts';

interface SiteScanRequest {
  projectId: string;
  url: string;
  description: string;
  archiveUnapproved: boolean;
  /** Allows the secrets of the project on a site that is not its own. */
  allowLogin: boolean;
  limits: CrawlLimits;
}

/** Checks the request and queues the job. */
export async function startSiteScan(qa: QaContext, { projectId, url, description, ...options }: SiteScanRequest) {
  const site = checkSiteUrl('url', url.trim());
  const wanted = description.trim();
  if (wanted === '') throw invalidArgument('description', 'description must say what to look for.');
  await requireProject(qa, projectId);
  const { redactor, holdsCredential } = await openProjectSecrets(qa.store, qa.vault, projectId);
  if (holdsCredential(site)) throw secretInUrl('url');
  await qa.checkAddress(site);
  const payload = { url: site, description: redactor.text(wanted), ...options };
  return startRuntime(qa, { projectId, kind: SCAN_JOB_KIND, payload, name: payload.description.slice(0, 255) });
}
