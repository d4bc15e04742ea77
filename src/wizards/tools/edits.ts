import * as z from 'zod';

/** A JSON Patch (RFC 6902) of the wizard file. */
export const edits = z
  .array(z.object({ op: z.enum(['test', 'replace', 'add']), path: z.string(), value: z.unknown() }))
  .describe('JSON Patch of the wizard file');
