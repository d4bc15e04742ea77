import * as z from 'zod';
import { untrusted, untrustedName } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { reportStatus } from '../evaluation/project-status.ts';
import { openProject } from '../spec/project.ts';
import { evaluationOptions } from './evaluation-options.ts';
import { runCommand } from './run-command.ts';
import { specFile } from './spec-file.ts';
import { workingDirectory } from './working-directory.ts';

export const cawsStatus = defineTool({
  name: 'caws_status',
  title: 'Status and overall health of the project',
  description:
    'Overview of how the project or repo is doing, in what shape or state it is, where it stands overall: health GOOD, FAIR or POOR with reasons, from spec, budget, quality gates, waivers and hooks.',
  effect: 'read',
  scope: 'standards:read',
  local: 'files',
  input: z.object({ specFile, workingDirectory }),
  output: z.object({
    success: z.boolean(),
    output: untrusted(z.string(), { max: 40_000 }),
    health: z.enum(['GOOD', 'FAIR', 'POOR']),
    reasons: untrusted(z.array(z.string()), { max: 2_000 }).describe('Reasons for a health below GOOD'),
    overall_status: z.string().optional(),
    quality_score: z.number().optional(),
    criteria: z.array(z.object({ id: untrustedName(z.string()), status: z.string() })),
    waivers: z.array(
      z.object({
        id: untrustedName(z.string()),
        state: z.string(),
        expires_at: untrusted(z.string(), { max: 100 }),
        gates: z.array(untrustedName(z.string())),
      }),
    ),
    hooks: z.object({ active: z.number(), of: z.number() }).optional(),
  }),
  run: (args, context) =>
    runCommand('caws status', context, async (within) => {
      const project = await openProject(args.workingDirectory, within);
      const program = within.self.length > 0 ? [process.execPath, ...within.self] : [];
      const when = { ...evaluationOptions(within), program };
      const { health, reasons, lines, projectEvaluation, hooks } = await reportStatus(project, args.specFile, when);
      const { evaluation, governance } = projectEvaluation ?? {};
      return {
        success: true,
        output: [`Project Health: ${health}`, ...lines].join('\n'),
        health,
        reasons,
        ...(evaluation && { overall_status: evaluation.overall_status, quality_score: evaluation.quality_score }),
        criteria: (evaluation?.criteria ?? []).map(({ id, status }) => ({ id, status })),
        waivers: (governance?.waivers ?? []).map(({ waiver: { id, expires_at, gates }, state }) => ({
          id,
          state,
          expires_at,
          gates,
        })),
        hooks,
      };
    }),
});
