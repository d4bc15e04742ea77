import * as z from 'zod';
import { Failure } from '../../platform/errors.ts';
import { hookIndexFile } from '../../platform/git/hook-environment.ts';
import { untrusted, untrustedName } from '../../platform/text/untrusted-schema.ts';
import { defineTool, type ToolContext } from '../../tool/tool.ts';
import { checkHook } from '../hooks/hook-checks.ts';
import { resolveHookFolder } from '../hooks/hook-folder.ts';
import { type HookName, hookNames } from '../hooks/hook-script.ts';
import { type HooksReport, installHooks, readHooksStatus, removeHooks } from '../hooks/installed-hooks.ts';
import { type GovernedProject, openProject } from '../spec/project.ts';
import { evaluationOptions } from './evaluation-options.ts';
import { runCommand } from './run-command.ts';
import { workingDirectory } from './working-directory.ts';

export const cawsHooks = defineTool({
  name: 'caws_hooks',
  title: 'Install or remove git hooks',
  description:
    'Install, set up, turn on, remove (uninstall) or check git hooks (pre-commit, commit-msg, post-commit, pre-push) that block bad commits and pushes, i.e. reject or stop those violating the rules of the spec. Existing hooks keep running.',
  effect: 'write',
  idempotent: true,
  scope: 'standards:write',
  local: 'files',
  input: z.object({
    subcommand: z
      .enum(['install', 'remove', 'status'])
      .describe('Whether to install or remove the hooks or to report their status')
      .meta({ default: 'status' }),
    force: z.boolean().default(false).describe('Replace existing or edited hooks instead of chaining them'),
    backup: z.boolean().default(false).describe('Copy existing hooks to a backup file before installing'),
    check: z.enum(hookNames).optional().describe('Hook whose checks run now; needs subcommand status'),
    messageFile: z
      .string()
      .min(1)
      .optional()
      .describe('File with the commit message; required when check is commit-msg'),
    workingDirectory,
  }),
  output: z.object({
    success: z.boolean(),
    subcommand: z.string(),
    output: untrusted(z.string(), { max: 40_000 }),
    folder: untrustedName(z.string()).optional(),
    active: z.number().optional().describe('Number of active hooks, of four'),
    hooks: z
      .array(
        z.object({
          hook: z.string(),
          state: z.enum(['active', 'outdated', 'edited', 'not_executable', 'foreign', 'missing']),
          kept: untrustedName(z.string()).optional(),
          chained: z.boolean().optional(),
          done: untrusted(z.string(), { max: 2_000 }).optional(),
        }),
      )
      .optional(),
    notes: untrusted(z.array(z.string()), { max: 2_000 }).optional(),
  }),
  run: ({ subcommand, check, messageFile, ...args }, context) =>
    runCommand(`caws hooks ${subcommand}`, context, async (within) => {
      const project = await openProject(args.workingDirectory, within);
      if (check !== undefined && subcommand === 'status')
        return { success: true, subcommand, ...(await runHookCheck(check, project, messageFile, within)) };
      // The hooks of a work tree are in the folder of the main repository.
      await within.checkPath((await resolveHookFolder(project)).path);
      const program = context.self.length > 0 ? [process.execPath, ...context.self] : [];
      const report = await runSubcommand(subcommand, project, { ...args, program });
      return { success: true, subcommand, output: formatHooksReport(subcommand, report), ...report };
    }),
});

function runSubcommand(
  subcommand: 'install' | 'remove' | 'status',
  project: GovernedProject,
  options: Parameters<typeof installHooks>[1],
): Promise<HooksReport> {
  if (subcommand === 'install') return installHooks(project, options);
  return subcommand === 'remove' ? removeHooks(project, options.force) : readHooksStatus(project, options.program);
}

/** Throws if the hook rejects, so that the command line ends with an exit code that git understands. */
async function runHookCheck(
  hook: HookName,
  project: GovernedProject,
  messageFile: string | undefined,
  context: ToolContext,
) {
  if (messageFile !== undefined) await context.checkPath(messageFile);
  const options = { ...evaluationOptions(context), index: hookIndexFile(), messageFile };
  const { passed, reasons, notes } = await checkHook(hook, project, options);
  if (passed) return { output: `${hook}: no problem found`, notes };
  const list = [...reasons, ...notes.map((note) => `(${note})`)].map((line) => `  ${line}`).join('\n');
  throw new Failure('conflict', 'EINVAL', `${hook} refuses: ${reasons.join('; ')}`, {
    reasons,
    hint: 'Correct what the reasons name, then repeat the git command. caws_diagnose checks the setup.',
    told: `${hook} refuses:\n${list}`,
  });
}

function formatHooksReport(subcommand: string, { active, hooks, notes, folder }: HooksReport): string {
  const removed = hooks.filter(({ done }) => done?.startsWith('removed')).length;
  const head = {
    install: `Successfully installed ${active} git hooks`,
    remove: `Removed ${removed} git hooks`,
    status: `${active}/${hooks.length} hooks active`,
  }[subcommand];
  const lines = hooks.map(
    ({ hook, state, done, chained }) => `${hook}: ${done ?? state}${chained ? ' (the existing hook runs first)' : ''}`,
  );
  return [`${head} (${folder})`, ...lines, ...notes.map((note) => `note: ${note}`)].join('\n');
}
