import * as z from 'zod';
import { presentResult } from './untrusted-result.ts';
import { untrusted } from './untrusted-schema.ts';

const asSent = untrusted(z.unknown());

/**
 * Returns the first items of a list whose JSON fits in `mostBytes`, so that one page cannot fill a model's context. Counts the
 * JSON that is sent: clean text, cut as `schema` states, or at 1,000 characters.
 */
export function takeWithinBytes<Item>(items: readonly Item[], mostBytes: number, schema: z.ZodType = asSent): Item[] {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(presentResult(item, schema).data)) + 1;
    return bytes > mostBytes;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}
