import * as z from 'zod';

export const cutShortNote = z.string().optional().describe('Where the scan did not come to its end');

export const fileProblems = z
  .array(z.looseObject({}))
  .optional()
  .describe('Files of results that could not be read whole');
