import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { evaluateProject } from '../evaluation/evaluate.ts';
import { iterate } from '../evaluation/iterate.ts';
import { openProject } from '../spec/project.ts';
import { asCommand } from './command.ts';
import { specFile } from './spec-file.ts';
import { workingDirectory } from './working-directory.ts';

export const cawsIterate = defineTool({
  name: 'caws_iterate',
  title: 'Next steps of a change',
  description:
    'Next development steps from what is measured: failing criteria ranked, with files, lines and criterion ids; claims of currentState are checked.',
  effect: 'read',
  scope: 'standards:read',
  local: 'files',
  input: z.object({
    specFile,
    currentState: z.string().max(20_000).optional().describe('What you believe is done'),
    workingDirectory,
  }),
  output: z.object({
    success: z.boolean(),
    iteration: z.object({
      guidance: z.string(),
      next_steps: z.array(z.string()),
      confidence: z.number().describe('Share of the criteria, by weight, that are shown to be met'),
      focus_areas: z.array(z.string()),
      claims: z.array(
        z.object({
          claim: z.string(),
          verdict: z.enum(['confirmed', 'contradicted', 'unproven']),
          evidence: z.string(),
        }),
      ),
      unknown: z.array(z.string()).describe('Criteria without evidence'),
    }),
  }),
  run: (args, context) =>
    asCommand('caws iterate', context, async (within) => {
      const project = await openProject(args.workingDirectory, within);
      const when = { nowMs: Date.now(), signal: within.signal };
      const { evaluation } = await evaluateProject(project, args.specFile, when);
      return { success: true, iteration: iterate(evaluation, args.currentState) };
    }),
});
