import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { watch } from '../evaluation/monitor.ts';
import { existingFolder, openProject } from '../spec/project.ts';
import { asCommand } from './command.ts';
import { workingDirectory } from './working-directory.ts';

const impacts = { file_saved: 'code_change', code_edited: 'implementation_change', test_run: 'validation_complete' };

export const cawsQualityMonitor = defineTool({
  name: 'caws_quality_monitor',
  title: 'Risk of what was just changed',
  description:
    'Quality impact of files just saved or edited, or tests just run: scope, protected paths, budget, missing or skipped tests, stubs, secrets. Each reason; runs nothing.',
  effect: 'read',
  scope: 'standards:read',
  local: 'files',
  input: z.object({
    action: z.enum(['file_saved', 'code_edited', 'test_run']).describe('What happened'),
    files: z.array(z.string().min(1)).max(1000).optional().describe('Default: all that changed'),
    context: z.looseObject({}).optional().describe('project_tier, change_size'),
    workingDirectory,
  }),
  output: z.object({
    action: z.string(),
    files_affected: z.number(),
    quality_impact: z.string(),
    recommendations: z.array(z.string()),
    risk_level: z.enum(['low', 'medium', 'high']),
    reasons: z.array(
      z.object({
        kind: z.string(),
        level: z.enum(['low', 'medium', 'high']),
        file: z.string().optional(),
        line: z.number().optional(),
        message: z.string(),
      }),
    ),
  }),
  run: ({ action, files, context: known = {}, workingDirectory: folder }, context) =>
    asCommand('caws quality-monitor', context, async (within) => {
      const project = await openProject(folder, within);
      const number = (name: string) => (typeof known[name] === 'number' ? known[name] : undefined);
      const watched = { action, files, tier: number('project_tier'), changeSize: number('change_size') };
      const impact = await watch(watched, project, await existingFolder(folder, within), within.signal);
      return {
        action,
        files_affected: files?.length ?? impact.files.length,
        quality_impact: impacts[action],
        recommendations: [...new Set(impact.reasons.map(({ advice }) => advice))],
        risk_level: impact.risk,
        reasons: impact.reasons.map(({ advice: _, ...reason }) => reason),
      };
    }),
});
