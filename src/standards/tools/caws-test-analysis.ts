import * as z from 'zod';
import { untrusted } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { runHistoryAnalysis } from '../history/run-history-analysis.ts';
import { openProject } from '../spec/project.ts';
import { runCommand } from './run-command.ts';
import { specFile } from './spec-file.ts';
import { workingDirectory } from './working-directory.ts';

export const cawsTestAnalysis = defineTool({
  name: 'caws_test_analysis',
  title: 'Flaky tests, slow tests and size of past changes',
  description:
    'Analyse the history of commits (git log) and test reports (junit): flaky, unstable, unreliable or slow unit tests, patterns and hot spots over time. Also similar past changes, how big they were, and whether the budget is realistic.',
  effect: 'read',
  scope: 'standards:read',
  local: 'files',
  longReply: { offset: true },
  input: z.object({
    subcommand: z
      .enum(['assess-budget', 'analyze-patterns', 'find-similar'])
      .describe(
        'assess-budget: size of past changes; analyze-patterns: flaky tests and hot spots; find-similar: changes like this one',
      ),
    specFile,
    workingDirectory,
  }),
  output: z.object({
    success: z.boolean(),
    subcommand: z.string(),
    status: z.enum(['ok', 'insufficient_data']),
    output: untrusted(z.string(), { max: 40_000 }),
    analysis: untrusted(z.looseObject({}), { max: 4_000 }),
  }),
  text: ({ output }) => `Analysis completed:\n${output}`,
  run: ({ subcommand, specFile: spec, workingDirectory: folder }, context) =>
    runCommand(`caws test-analysis ${subcommand}`, context, async (within) => {
      const project = await openProject(folder, within);
      const { status, lines, data } = await runHistoryAnalysis(subcommand, project, spec, within.signal);
      return { success: true, subcommand, status, output: lines.join('\n'), analysis: data };
    }),
});
