import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { runProvenance } from '../provenance/commands.ts';
import { gateFacts } from '../provenance/gate-facts.ts';
import { openProject } from '../spec/project.ts';
import { asCommand } from './command.ts';
import { workingDirectory } from './working-directory.ts';

const place = z.object({
  code: z.string(),
  line: z.number().optional().describe('Of the chain, from 1'),
  byte: z.number().optional().describe('Where it begins'),
  seq: z.number().optional(),
  message: z.string(),
});

export const cawsProvenance = defineTool({
  name: 'caws_provenance',
  title: 'Provenance of commits',
  description:
    'Provenance chain of commits that cannot be edited unseen, verified against git; signs of AI; in-toto attestations.',
  effect: 'write',
  scope: 'standards:write',
  local: 'files',
  input: z.object({
    subcommand: z.enum(['init', 'update', 'show', 'verify', 'analyze-ai']).describe('Command'),
    commit: z.string().min(1).optional().describe('Default: HEAD'),
    message: z.string().optional().describe('As in git'),
    author: z.string().optional().describe('As in git'),
    quiet: z.boolean().default(false).describe('Leave output empty'),
    attestation: z.string().min(1).optional().describe('in-toto file: show writes, verify checks'),
    workingDirectory,
  }),
  output: z.object({
    success: z.boolean(),
    subcommand: z.string(),
    output: z.string(),
    valid: z.boolean().optional(),
    warnings: z.array(place).optional(),
    entries: z.array(z.looseObject({})).optional(),
    totalEntries: z.number().optional(),
    signedBy: z.string().optional(),
    attestation: z.looseObject({}).optional(),
    analysis: z.looseObject({}).optional(),
  }),
  run: ({ subcommand, quiet, workingDirectory: folder, ...wishes }, context) =>
    asCommand(`caws provenance ${subcommand}`, context, async (within) => {
      const project = await openProject(folder, within);
      const answer = await runProvenance(subcommand, project, wishes, {
        signal: within.signal,
        env: process.env,
        gates: () => gateFacts(project, within.signal),
      });
      return { success: true, subcommand, ...answer, output: quiet ? '' : answer.output };
    }),
});
