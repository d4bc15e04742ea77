import * as z from 'zod';
import { untrustedName } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { includeMeasures, readReportArguments, reportArguments } from './report-arguments.ts';
import { optionalPercentSchema, percentOrNull } from './result-fields.ts';

export const getOverallCoverage = defineTool({
  name: 'get_overall_coverage',
  title: 'Overall code coverage of the project',
  description:
    'Test coverage (code coverage) of the whole codebase in percent: how much of the code, what fraction or share of its lines, is covered by tests in total, e.g. for a coverage target or badge. On request also branches and functions; from a coverage report.',
  effect: 'read',
  scope: 'coverage:read',
  local: 'files',
  input: z.object({ ...reportArguments, include: includeMeasures }),
  output: z.object({
    overall: z.number().describe('Lines hit, in percent with one decimal; 0 where there are none'),
    branches: optionalPercentSchema('Branches'),
    functions: optionalPercentSchema('Functions'),
    notes: untrustedName(z.array(z.string()))
      .optional()
      .describe('Where the tool that wrote the report counts differently'),
  }),
  async run(args, context) {
    const { overall, branches, functions, notes } = await readReportArguments(args, context);
    return {
      overall,
      ...(branches && { branches: percentOrNull(branches) }),
      ...(functions && { functions: percentOrNull(functions) }),
      ...(notes.length > 0 && { notes: [...notes] }),
    };
  },
});
