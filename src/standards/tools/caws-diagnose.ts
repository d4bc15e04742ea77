import * as z from 'zod';
import { untrusted, untrustedName } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { type Diagnosis, diagnose } from '../evaluation/diagnose.ts';
import { openProject } from '../spec/project.ts';
import { runCommand } from './run-command.ts';
import { workingDirectory } from './working-directory.ts';

export const cawsDiagnose = defineTool({
  name: 'caws_diagnose',
  title: 'Diagnose and fix the project setup',
  description:
    'Check, troubleshoot or debug the setup and configuration: find what is wrong, broken or misconfigured (spec, policy, git, hooks that do not run or work, waivers, test reports). Fixes or repairs the problems on request.',
  effect: 'write',
  idempotent: true,
  scope: 'standards:write',
  local: 'files',
  longReply: { offset: true },
  input: z.object({
    fix: z.boolean().default(false).describe('Repair the problems that are safe to repair, then check again'),
    workingDirectory,
  }),
  output: z.object({
    success: z.boolean(),
    output: untrusted(z.string(), { max: 40_000 }),
    fixesApplied: z.boolean().describe('True if a repair changed a file'),
    healthy: z.boolean(),
    findings: z.array(
      z.object({
        check: z.string(),
        severity: z.enum(['high', 'medium', 'low']),
        message: untrusted(z.string(), { max: 2_000 }),
        advice: untrusted(z.string(), { max: 2_000 }),
      }),
    ),
    fixable: z.number().describe('Number of findings that a call with fix: true repairs'),
    fixes: z.array(
      z.object({
        what: untrusted(z.string(), { max: 2_000 }),
        file: untrustedName(z.string()),
        before: untrusted(z.string(), { max: 2_000 }),
        after: untrusted(z.string(), { max: 2_000 }),
      }),
    ),
  }),
  run: ({ fix, workingDirectory: folder }, context) =>
    runCommand(
      'caws diagnose',
      context,
      async (within) => {
        const project = await openProject(folder, within);
        const program = within.self.length > 0 ? [process.execPath, ...within.self] : [];
        const { signal, checkPath } = within;
        const { checks, ...found } = await diagnose({ project, nowMs: Date.now(), signal, program, checkPath }, fix);
        const output = formatDiagnosis(checks, found);
        const { findings, fixes } = found;
        return { success: true, output, fixesApplied: fixes.length > 0, healthy: findings.length === 0, ...found };
      },
      fix ? 60 : 30,
    ),
});

function formatDiagnosis(checks: readonly string[], { findings, fixes, fixable }: Omit<Diagnosis, 'checks'>): string {
  const troubled = new Set(findings.map(({ check }) => check));
  return [
    `Diagnostics completed: ${checks.length - troubled.size} of ${checks.length} checks passed`,
    ...fixes.map(({ what, file, before, after }) => `fixed: ${what} in ${file} (${before} → ${after})`),
    ...checks.filter((check) => !troubled.has(check)).map((check) => `✅ ${check}`),
    ...findings.map(({ check, severity, message, advice }) => `❌ ${check} (${severity}): ${message}. ${advice}`),
    ...(fixable > 0 && fixes.length === 0 ? [`${fixable} of these can be repaired with fix: true`] : []),
  ].join('\n');
}
