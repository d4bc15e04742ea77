import * as z from 'zod';

export const fileProblems = z
  .array(z.looseObject({}))
  .optional()
  .describe('Files of results that could not be read whole');
