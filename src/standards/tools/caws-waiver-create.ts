import * as z from 'zod';
import { untrusted, untrustedName } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { createWaiver } from '../spec/create-waiver.ts';
import { openProject } from '../spec/project.ts';
import { impactLevels, waiverReasons } from '../spec/waivers.ts';
import { runCommand } from './run-command.ts';
import { workingDirectory } from './working-directory.ts';

const text = z.string().trim().min(1);

export const cawsWaiverCreate = defineTool({
  name: 'caws_waiver_create',
  title: 'Create a waiver for a quality gate',
  description:
    'Create a waiver: request, allow or grant a temporary exception or exemption to skip, bypass, disable, relax or ignore a failing quality gate or threshold, e.g. for an emergency hotfix, with risk, reason, approver and expiry date (days, weeks).',
  effect: 'write',
  scope: 'standards:write',
  local: 'files',
  input: z.object({
    title: text.describe('Short title of the waiver'),
    reason: z.enum(waiverReasons).describe('Category of the reason'),
    description: text.describe('Full justification of the exception'),
    gates: z
      .array(z.string().trim().min(1))
      .min(1)
      .describe('Ids of the gates to waive, from the criteria of caws_evaluate'),
    expiresAt: z.string().min(1).describe('Expiry in the future, ISO 8601, e.g. 2027-01-31'),
    approvedBy: text.describe('Name of the person who approved the waiver'),
    impactLevel: z.enum(impactLevels).describe('Impact of the risk that is accepted'),
    mitigationPlan: text.describe('How the risk is limited until expiry'),
    workingDirectory,
  }),
  output: z.object({
    success: z.boolean(),
    id: z.string(),
    file: untrustedName(z.string()),
    expires_at: z.string(),
    gates: z.array(z.string()),
    warnings: untrusted(z.array(z.string()), { max: 2_000 }).describe(
      'Warnings about gates without a measurement, and about earlier waivers of the same gates',
    ),
    takes_effect: z.string().describe('When the waiver counts'),
  }),
  text: ({ id, file, expires_at, gates, warnings }) =>
    [
      'Waiver created successfully:',
      `${id} waives ${gates.join(', ')} until ${expires_at}`,
      `File: ${file}`,
      ...warnings.map((warning) => `⚠️ ${warning}`),
    ].join('\n'),
  run: ({ workingDirectory: folder, ...request }, context) =>
    runCommand('caws waiver-create', context, async (within) => {
      const { root, repository } = await openProject(folder, within);
      const { waiver, file, warnings } = await createWaiver(root, request, new Date());
      const { id, expires_at, gates } = waiver;
      return { success: true, id, file, expires_at, gates, warnings, takes_effect: takesEffect(repository) };
    }),
});

/** In a repository an agent could otherwise waive the gates of its own change. */
function takesEffect(repository: unknown): string {
  return repository === undefined
    ? 'now'
    : 'once it is in the commit that changes are compared with, or an approver signs it (assay approve)';
}
