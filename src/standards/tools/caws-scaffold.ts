import * as z from 'zod';
import { defineTool } from '../../mcp/tool.ts';
import { scaffold } from '../setup/scaffold.ts';
import { existingFolder } from '../spec/project.ts';
import { asCommand } from './command.ts';
import { workingDirectory } from './working-directory.ts';
import { tellWritten, written } from './written.ts';

export const cawsScaffold = defineTool({
  name: 'caws_scaffold',
  title: 'Add what a project lacks to be held to a spec',
  description:
    'Add working spec, policy and schema to an existing project; on request codemods and trusted publishing.',
  effect: 'write',
  idempotent: true,
  scope: 'standards:write',
  local: 'files',
  input: z.object({
    minimal: z.boolean().default(false).describe('Only spec and policy'),
    withCodemods: z.boolean().default(false).describe('Add codemod scripts'),
    withOIDC: z.boolean().default(false).describe('Add publishing workflows'),
    force: z.boolean().default(false).describe('Replace files, with backups'),
    workingDirectory,
  }),
  output: z.object({ success: z.boolean(), message: z.string(), output: z.string(), ...written }),
  run: ({ workingDirectory: folder, ...wishes }, context) =>
    asCommand('caws scaffold', context, async ({ cwd, checkPath }) => {
      const done = await scaffold(await existingFolder(folder, { cwd, checkPath }), wishes);
      const output = tellWritten(`${done.created.length} created, ${done.skipped.length} skipped`, done);
      return { success: true, message: 'CAWS components scaffolded successfully', output, ...done };
    }),
});
