import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { include, readChosen, reportArguments } from './arguments.ts';
import { optionalPercent, percentOrNull } from './measures.ts';

export const getOverallCoverage = defineTool({
  name: 'get_overall_coverage',
  title: 'Overall line coverage',
  description: 'Overall line coverage of a project in percent, from an LCOV report: the baseline before a change.',
  effect: 'read',
  scope: 'coverage:read',
  local: 'files',
  input: z.object({ ...reportArguments, include }),
  output: z.object({
    overall: z.number().describe('Lines hit, in percent with one decimal; 0 where there are none'),
    branches: optionalPercent('Branches'),
    functions: optionalPercent('Functions'),
  }),
  async run(args, context) {
    const { overall, branches, functions } = await readChosen(args, context);
    return {
      overall,
      ...(branches && { branches: percentOrNull(branches) }),
      ...(functions && { functions: percentOrNull(functions) }),
    };
  },
});
