import * as z from 'zod';
import { untrusted } from '../../platform/text/untrusted-schema.ts';

/** A JSON Patch (RFC 6902) of the wizard file. */
export const jsonPatchSchema = z
  .array(
    z.object({
      op: z.enum(['test', 'replace', 'add']),
      path: z.string(),
      value: untrusted(z.unknown(), { max: Number.POSITIVE_INFINITY }),
    }),
  )
  .describe('JSON Patch with the proposed edits of the wizard file');
