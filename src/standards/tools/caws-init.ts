import * as z from 'zod';
import { Failure } from '../../platform/errors.ts';
import { untrusted } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { initProject } from '../setup/init-project.ts';
import { templateNames } from '../setup/templates/template.ts';
import { resolveWorkingFolder } from '../spec/project.ts';
import { runCommand } from './run-command.ts';
import { workingDirectory } from './working-directory.ts';
import { formatWrittenFiles, writtenFilesFields } from './written-files.ts';

export const cawsInit = defineTool({
  name: 'caws_init',
  title: 'Create a new project with a working spec',
  description:
    'Create, initialise, start or bootstrap a new (brand new) project from a template, a skeleton with starter files, working spec and policy: extension, library, api or cli tool. For existing code use caws_scaffold.',
  effect: 'write',
  idempotent: true,
  scope: 'standards:write',
  local: 'files',
  input: z.object({
    projectName: z
      .string()
      .min(1)
      .default('.')
      .describe('Name of the new project folder; "." uses the working directory'),
    template: z.enum(templateNames).optional().describe('Kind of project; default: detected from the existing files'),
    interactive: z.boolean().default(false).describe('Must be false: interactive prompts are not supported'),
    workingDirectory,
  }),
  output: z.object({
    success: z.boolean(),
    message: z.string(),
    output: untrusted(z.string(), { max: 40_000 }),
    projectName: z.string(),
    template: z.enum(templateNames),
    ...writtenFilesFields,
  }),
  run: (args, context) =>
    runCommand('caws init', context, async ({ cwd, checkPath, signal }) => {
      if (args.interactive)
        throw new Failure(
          'bad_input',
          'EINVAL',
          'interactive: true is not supported, because there is no terminal; pass projectName and template instead',
        );
      const folder = await resolveWorkingFolder(args.workingDirectory, { cwd, checkPath });
      const { projectName, template, ...done } = await initProject({
        folder,
        projectName: args.projectName,
        template: args.template,
        signal,
      });
      const output = formatWrittenFiles(`Template: ${template}`, done);
      return { success: true, message: 'Project initialized successfully', output, projectName, template, ...done };
    }),
});
