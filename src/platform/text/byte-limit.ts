import * as z from 'zod';
import { presentResult } from './untrusted-result.ts';
import { untrusted } from './untrusted-schema.ts';

const asSent = untrusted(z.unknown());

/**
 * The first items of a list whose JSON takes at most so many bytes, so that one page cannot fill a model's context. Counted is
 * what will be sent: clean text, cut as `schema` says, or at 1,000 characters.
 */
export function takeWithinBytes<Item>(items: readonly Item[], mostBytes: number, schema: z.ZodType = asSent): Item[] {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(presentResult(item, schema).data)) + 1;
    return bytes > mostBytes;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}
