import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { createWaiver } from '../spec/new-waiver.ts';
import { openProject } from '../spec/project.ts';
import { impactLevels, waiverReasons } from '../spec/waivers.ts';
import { asCommand } from './command.ts';
import { workingDirectory } from './working-directory.ts';

const text = z.string().trim().min(1);

export const cawsWaiverCreate = defineTool({
  name: 'caws_waiver_create',
  title: 'Create a waiver',
  description: 'Waive quality gates until a date, with an audit line. caws_evaluate honours it until then.',
  effect: 'write',
  scope: 'standards:write',
  local: 'files',
  input: z.object({
    title: text.describe('What is waived'),
    reason: z.enum(waiverReasons).describe('Kind of reason'),
    description: text.describe('Why'),
    gates: z.array(z.string().trim().min(1)).min(1).describe('Criterion ids of caws_evaluate'),
    expiresAt: z.string().min(1).describe('ISO 8601, in the future'),
    approvedBy: text.describe('Who approved it'),
    impactLevel: z.enum(impactLevels).describe('Risk'),
    mitigationPlan: text.describe('What lowers the risk'),
    workingDirectory,
  }),
  output: z.object({
    success: z.boolean(),
    id: z.string(),
    file: z.string(),
    expires_at: z.string(),
    gates: z.array(z.string()),
    warnings: z.array(z.string()).describe('Gates that nothing measures, and earlier waivers'),
  }),
  text: ({ id, file, expires_at, gates, warnings }) =>
    [
      'Waiver created successfully:',
      `${id} waives ${gates.join(', ')} until ${expires_at}`,
      `File: ${file}`,
      ...warnings.map((warning) => `⚠️ ${warning}`),
    ].join('\n'),
  run: ({ workingDirectory: folder, ...request }, context) =>
    asCommand('caws waiver-create', context, async (within) => {
      const { root } = await openProject(folder, within);
      const { waiver, file, warnings } = await createWaiver(root, request, new Date());
      return { success: true, id: waiver.id, file, expires_at: waiver.expires_at, gates: waiver.gates, warnings };
    }),
});
