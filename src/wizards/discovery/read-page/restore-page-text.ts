import * as z from 'zod';
import { presentResult } from '../../../platform/text/untrusted-result.ts';
import { untrusted } from '../../../platform/text/untrusted-schema.ts';

/** The schema by which proposed metadata leaves the server. */
export const proposedMetadataSchema = untrusted(z.looseObject({}), { max: 2_000 });

/**
 * Puts the original texts of the page back into metadata from an agent, which got cleaned texts. A label with a direction mark
 * is found on the page only by its exact text.
 */
export function restorePageTexts(metadata: unknown, proposed: object): unknown {
  const originals = new Map<string, string>();
  collect(proposed, presentResult<unknown>({ ...proposed }, proposedMetadataSchema).data, originals);
  return originals.size === 0 ? metadata : replaced(metadata, originals);
}

function collect(raw: unknown, sent: unknown, originals: Map<string, string>): void {
  if (typeof raw === 'string' && typeof sent === 'string') {
    if (raw !== sent) originals.set(sent, raw);
  } else if (typeof raw === 'object' && raw !== null && typeof sent === 'object' && sent !== null) {
    const others = Object.values(sent);
    for (const [index, value] of Object.values(raw).entries()) collect(value, others[index], originals);
  }
}

function replaced(value: unknown, originals: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return originals.get(value) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, originals));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item, originals)]));
}
