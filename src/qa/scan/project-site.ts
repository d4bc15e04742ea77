import * as z from 'zod';
import type { QaProject, QaRepositories } from '../store/qa-store.ts';
import { SCAN_JOB_KIND } from './start-scan.ts';

const scannedUrl = z.object({ url: z.string() });

/** The site that a project and its secrets are for: its own, or, where it has none, the one that was scanned first. */
export async function projectSite(
  { runtimes }: Pick<QaRepositories, 'runtimes'>,
  { id: projectId, url }: Pick<QaProject, 'id' | 'url'>,
): Promise<URL | null> {
  const first = url ? undefined : await runtimes.first({ projectId, kind: SCAN_JOB_KIND });
  return URL.parse(url ?? scannedUrl.safeParse(first?.payload).data?.url ?? '');
}
