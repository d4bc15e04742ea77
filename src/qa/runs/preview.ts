import * as z from 'zod';
import type { RunRow } from '../store/store.ts';

const elsewhere = z.object({ baseUrl: z.string() });

/** Whether a replay ran against another place of the site, such as a preview: what it found says nothing of the site itself. */
export function isPreview({ result }: Pick<RunRow, 'result'>): boolean {
  return elsewhere.safeParse(result).success;
}
