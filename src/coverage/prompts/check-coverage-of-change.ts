import * as z from 'zod';
import { definePrompt } from '../../tool/tool.ts';
import { findLcovReports } from '../report/find-lcov-reports.ts';

export const checkCoverageOfChange = definePrompt({
  name: 'check_coverage_of_change',
  title: 'Check the coverage of a change',
  description: 'Find the untested lines of a pull request or working tree and write the missing tests.',
  scope: 'coverage:read',
  tools: ['get_patch_coverage'],
  args: z.object({
    lcovPath: z.string().min(1).describe('Path of the LCOV report of the latest test run, e.g. coverage/lcov.info'),
    base: z.string().optional().describe('Branch, tag or commit to compare with, e.g. main; default: the main branch'),
  }),
  complete: { lcovPath: findLcovReports },
  write: ({ lcovPath, base }) =>
    [
      'Check whether the change in this working tree is tested.',
      `1. Run the tests so that ${quoted(lcovPath)} is newer than the sources.`,
      `2. Call get_patch_coverage with lcovPath ${quoted(lcovPath)}${base ? ` and base ${quoted(base)}` : ''}.`,
      '3. If it names files as stale, run the tests again first: their line numbers may be wrong.',
      '4. Files in withoutData were loaded by no test at all: treat them as untested.',
      '5. For each uncovered range, read the code and say which behaviour no test exercises.',
      '6. Write the missing tests, run them, and call get_patch_coverage again.',
      '7. Report the figures before and after, and what you left uncovered, with the reason.',
    ].join('\n'),
});

const quoted = (text: string) => JSON.stringify(text);
