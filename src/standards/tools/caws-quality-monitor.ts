import * as z from 'zod';
import { untrusted, untrustedName } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { assessImpact } from '../evaluation/quality-monitor.ts';
import { openProject, resolveWorkingFolder } from '../spec/project.ts';
import { runCommand } from './run-command.ts';
import { workingDirectory } from './working-directory.ts';

const impactByAction = {
  file_saved: 'code_change',
  code_edited: 'implementation_change',
  test_run: 'validation_complete',
};

export const cawsQualityMonitor = defineTool({
  name: 'caws_quality_monitor',
  title: 'Risk and quality impact of edited files',
  description:
    'Assess the risk, danger or quality impact of files just saved or edited, or of tests just run, with warnings and red flags. Looks for files out of scope or protected, an exceeded budget, skipped or missing tests, stubs and hard-coded secrets.',
  effect: 'read',
  scope: 'standards:read',
  local: 'files',
  longReply: { offset: true },
  input: z.object({
    action: z.enum(['file_saved', 'code_edited', 'test_run']).describe('Action that just happened'),
    files: z
      .array(z.string().min(1))
      .max(1000)
      .optional()
      .describe('Paths of the affected files; default: all files changed in git'),
    context: z.looseObject({}).optional().describe('Numbers project_tier (1 to 3), change_size (lines)'),
    workingDirectory,
  }),
  output: z.object({
    action: z.string(),
    files_affected: z.number(),
    quality_impact: untrusted(z.string(), { max: 2_000 }),
    recommendations: untrusted(z.array(z.string()), { max: 2_000 }),
    risk_level: z.enum(['low', 'medium', 'high']),
    reasons: z.array(
      z.object({
        kind: z.string(),
        level: z.enum(['low', 'medium', 'high']),
        file: untrustedName(z.string()).optional(),
        line: z.number().optional(),
        message: untrusted(z.string(), { max: 2_000 }),
      }),
    ),
  }),
  run: ({ action, files, context: known = {}, workingDirectory: folder }, context) =>
    runCommand('caws quality-monitor', context, async (within) => {
      const project = await openProject(folder, within);
      const number = (name: string) => (typeof known[name] === 'number' ? known[name] : undefined);
      const watched = { action, files, tier: number('project_tier'), changeSize: number('change_size') };
      const impact = await assessImpact(watched, project, await resolveWorkingFolder(folder, within), within.signal);
      return {
        action,
        files_affected: files?.length ?? impact.files.length,
        quality_impact: impactByAction[action],
        recommendations: [...new Set(impact.reasons.map(({ advice }) => advice))],
        risk_level: impact.risk,
        reasons: impact.reasons.map(({ advice: _, ...reason }) => reason),
      };
    }),
});
