import * as z from 'zod';
import type { RunRow } from '../store/qa-store.ts';

const previewResult = z.object({ baseUrl: z.string() });

/** Whether a replay ran against another origin, such as a preview: its result does not count for the site. */
export function isPreviewRun({ result }: Pick<RunRow, 'result'>): boolean {
  return previewResult.safeParse(result).success;
}
