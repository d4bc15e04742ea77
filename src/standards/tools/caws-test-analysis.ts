import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { runAnalysis } from '../history/commands.ts';
import { openProject } from '../spec/project.ts';
import { asCommand } from './command.ts';
import { specFile } from './spec-file.ts';
import { workingDirectory } from './working-directory.ts';

export const cawsTestAnalysis = defineTool({
  name: 'caws_test_analysis',
  title: 'Statistics of tests and past changes',
  description:
    'Statistics from git history and test reports: budget against past changes, how tests behave (flaky, slow), past changes alike.',
  effect: 'read',
  scope: 'standards:read',
  local: 'files',
  input: z.object({
    subcommand: z.enum(['assess-budget', 'analyze-patterns', 'find-similar']).describe('Analysis'),
    specFile,
    workingDirectory,
  }),
  output: z.object({
    success: z.boolean(),
    subcommand: z.string(),
    status: z.enum(['ok', 'insufficient_data']),
    output: z.string(),
    analysis: z.looseObject({}),
  }),
  text: ({ output }) => `Analysis completed:\n${output}`,
  run: ({ subcommand, specFile: spec, workingDirectory: folder }, context) =>
    asCommand(`caws test-analysis ${subcommand}`, context, async (within) => {
      const project = await openProject(folder, within);
      const { status, lines, data } = await runAnalysis(subcommand, project, spec, within.signal);
      return { success: true, subcommand, status, output: lines.join('\n'), analysis: data };
    }),
});
