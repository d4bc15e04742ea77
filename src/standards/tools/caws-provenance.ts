import * as z from 'zod';
import { untrusted } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { readGateFacts } from '../provenance/gate-facts.ts';
import { runProvenance } from '../provenance/run-provenance.ts';
import { openProject } from '../spec/project.ts';
import { evaluationOptions } from './evaluation-options.ts';
import { runCommand } from './run-command.ts';
import { workingDirectory } from './working-directory.ts';

const chainProblemSchema = z.object({
  code: z.string(),
  line: z.number().optional().describe('Line number in the chain file, from 1'),
  byte: z.number().optional().describe('Position of the line in the chain file, in bytes from 0'),
  seq: z.number().optional(),
  message: untrusted(z.string(), { max: 2_000 }),
});

export const cawsProvenance = defineTool({
  name: 'caws_provenance',
  title: 'Provenance of commits: AI or not',
  description:
    'Who wrote the code: which commits and parts were authored, generated or assisted by AI (LLM, agent, bot, Copilot, Claude), judged by signs in git. Keeps an audit trail (provenance chain) that proves that nobody altered or tampered with the history; creates in-toto attestations.',
  effect: 'write',
  scope: 'standards:write',
  local: 'files',
  longReply: { offset: true, detail: true },
  input: z.object({
    subcommand: z
      .enum(['init', 'update', 'show', 'verify', 'analyze-ai'])
      .describe('init starts the chain, update records a commit, analyze-ai looks for signs of AI'),
    commit: z
      .string()
      .min(1)
      .optional()
      .describe('Commit to record with update or to attest with show; default for update: HEAD'),
    message: z.string().optional().describe('Expected commit message; must match git'),
    author: z.string().optional().describe('Expected author; must match git'),
    quiet: z.boolean().default(false).describe('Return an empty output text'),
    attestation: z
      .string()
      .min(1)
      .optional()
      .describe('Path of an in-toto attestation that show writes or verify checks'),
    workingDirectory,
  }),
  output: z.object({
    success: z.boolean(),
    subcommand: z.string(),
    output: untrusted(z.string(), { max: 40_000 }),
    valid: z.boolean().optional(),
    warnings: z.array(chainProblemSchema).optional(),
    entries: untrusted(z.array(z.looseObject({})), { max: 4_000 }).optional(),
    totalEntries: z.number().optional(),
    signedBy: untrusted(z.string(), { max: 300 }).optional(),
    attestation: untrusted(z.looseObject({}), { max: 4_000 }).optional(),
    analysis: untrusted(z.looseObject({}), { max: 4_000 }).optional(),
  }),
  run: ({ subcommand, quiet, workingDirectory: folder, ...options }, context) =>
    runCommand(`caws provenance ${subcommand}`, context, async (within) => {
      const project = await openProject(folder, within);
      const answer = await runProvenance(subcommand, project, options, {
        signal: within.signal,
        setting: within.setting,
        gates: () => readGateFacts(project, evaluationOptions(within)),
      });
      return { success: true, subcommand, ...answer, output: quiet ? '' : answer.output };
    }),
});
