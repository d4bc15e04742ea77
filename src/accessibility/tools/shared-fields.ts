import * as z from 'zod';
import { untrusted } from '../../platform/text/untrusted-schema.ts';

export const cutShortNote = untrusted(z.string()).optional().describe('Where the scan did not come to its end');

export const fileProblems = z
  .array(untrusted(z.looseObject({}), { max: 500 }))
  .optional()
  .describe('Files of results that could not be read whole');
