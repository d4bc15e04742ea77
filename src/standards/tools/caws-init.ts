import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { Failure } from '../../platform/errors.ts';
import { initProject } from '../setup/init.ts';
import { templateNames } from '../setup/templates/template.ts';
import { existingFolder } from '../spec/project.ts';
import { asCommand } from './command.ts';
import { workingDirectory } from './working-directory.ts';
import { tellWritten, written } from './written.ts';

export const cawsInit = defineTool({
  name: 'caws_init',
  title: 'Begin a project with a working spec',
  description:
    'Begin a project, or give one its working spec and policy: extension, library, api or cli. Existing files are kept.',
  effect: 'write',
  idempotent: true,
  scope: 'standards:write',
  local: 'files',
  input: z.object({
    projectName: z.string().min(1).default('.').describe('New folder; "." for the working directory'),
    template: z.enum(templateNames).optional().describe('Default: what the files look like'),
    interactive: z.boolean().default(false).describe('Not possible here'),
    workingDirectory,
  }),
  output: z.object({
    success: z.boolean(),
    message: z.string(),
    output: z.string(),
    projectName: z.string(),
    template: z.enum(templateNames),
    ...written,
  }),
  run: (args, context) =>
    asCommand('caws init', context, async ({ cwd, checkPath, signal }) => {
      if (args.interactive)
        throw new Failure(
          'bad_input',
          'EINVAL',
          'interactive: true needs somebody at a terminal, and there is none here; leave it out and give projectName and template',
        );
      const folder = await existingFolder(args.workingDirectory, { cwd, checkPath });
      const { projectName, template, ...done } = await initProject({
        folder,
        projectName: args.projectName,
        template: args.template,
        signal,
      });
      const output = tellWritten(`Template: ${template}`, done);
      return { success: true, message: 'Project initialized successfully', output, projectName, template, ...done };
    }),
});
