import * as z from 'zod';
import { SCAN_JOB_KIND } from '../runs/run-kinds.ts';
import type { QaProject, QaRepositories } from '../store/qa-store.ts';

const scannedUrl = z.object({ url: z.string() });

/** The site of a project: its URL, or the URL of its first scan. Secrets are used only there. */
export async function projectSite(
  { runtimes }: Pick<QaRepositories, 'runtimes'>,
  { id: projectId, url }: Pick<QaProject, 'id' | 'url'>,
): Promise<URL | null> {
  const first = url ? undefined : await runtimes.first({ projectId, kind: SCAN_JOB_KIND });
  return URL.parse(url ?? scannedUrl.safeParse(first?.payload).data?.url ?? '');
}
