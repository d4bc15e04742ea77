import * as z from 'zod';
import type { RunRow } from '../store/qa-store.ts';

const previewResult = z.object({ baseUrl: z.string() });

/** Whether a replay ran against another place of the site, such as a preview: what it found says nothing of the site itself. */
export function isPreviewRun({ result }: Pick<RunRow, 'result'>): boolean {
  return previewResult.safeParse(result).success;
}
