import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { type Diagnosis, diagnose } from '../evaluation/diagnose.ts';
import { openProject } from '../spec/project.ts';
import { asCommand } from './command.ts';
import { workingDirectory } from './working-directory.ts';

export const cawsDiagnose = defineTool({
  name: 'caws_diagnose',
  title: 'Diagnose a project',
  description:
    'Health checks of spec, policy, git, hooks, waivers, provenance and test reports. With fix, what is safe is repaired (policy, hooks, expired waivers, tier, .gitignore) and checked again.',
  effect: 'write',
  idempotent: true,
  scope: 'standards:write',
  local: 'files',
  input: z.object({ fix: z.boolean().default(false).describe('Repair what is safe'), workingDirectory }),
  output: z.object({
    success: z.boolean(),
    output: z.string(),
    fixesApplied: z.boolean().describe('Whether any file changed'),
    healthy: z.boolean(),
    findings: z.array(
      z.object({
        check: z.string(),
        severity: z.enum(['high', 'medium', 'low']),
        message: z.string(),
        advice: z.string(),
      }),
    ),
    fixable: z.number().describe('Findings that fix would repair'),
    fixes: z.array(z.object({ what: z.string(), file: z.string(), before: z.string(), after: z.string() })),
  }),
  run: ({ fix, workingDirectory: folder }, context) =>
    asCommand(
      'caws diagnose',
      context,
      async (within) => {
        const project = await openProject(folder, within);
        const program = within.self.length > 0 ? [process.execPath, ...within.self] : [];
        const { signal, checkPath } = within;
        const { checks, ...found } = await diagnose({ project, nowMs: Date.now(), signal, program, checkPath }, fix);
        const output = told(checks, found);
        const { findings, fixes } = found;
        return { success: true, output, fixesApplied: fixes.length > 0, healthy: findings.length === 0, ...found };
      },
      fix ? 60 : 30,
    ),
});

function told(checks: readonly string[], { findings, fixes, fixable }: Omit<Diagnosis, 'checks'>): string {
  const troubled = new Set(findings.map(({ check }) => check));
  return [
    `Diagnostics completed: ${checks.length - troubled.size} of ${checks.length} checks are well`,
    ...fixes.map(({ what, file, before, after }) => `fixed: ${what} in ${file} (${before} → ${after})`),
    ...checks.filter((check) => !troubled.has(check)).map((check) => `✅ ${check}`),
    ...findings.map(({ check, severity, message, advice }) => `❌ ${check} (${severity}): ${message}. ${advice}`),
    ...(fixable > 0 && fixes.length === 0 ? [`${fixable} of these can be repaired with fix: true`] : []),
  ].join('\n');
}
