import * as z from 'zod';
import { defaultSpecFile } from '../spec/working-spec.ts';

export const specFile = z
  .string()
  .min(1)
  .default(defaultSpecFile)
  .describe('Path of the working spec, relative to the project');
