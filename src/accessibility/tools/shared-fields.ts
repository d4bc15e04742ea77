import * as z from 'zod';
import { untrusted } from '../../platform/text/untrusted-schema.ts';

export const cutShortNote = untrusted(z.string())
  .optional()
  .describe('Why the results are incomplete, when the scan did not finish');

export const fileProblems = z
  .array(untrusted(z.looseObject({}), { max: 500 }))
  .optional()
  .describe('Result files that could not be read completely');
