import * as z from 'zod';
import { untrusted } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { scaffoldProject } from '../setup/scaffold-project.ts';
import { resolveWorkingFolder } from '../spec/project.ts';
import { runCommand } from './run-command.ts';
import { workingDirectory } from './working-directory.ts';
import { formatWrittenFiles, writtenFilesFields } from './written-files.ts';

export const cawsScaffold = defineTool({
  name: 'caws_scaffold',
  title: 'Add a working spec to an existing project',
  description:
    'Add, adopt, set up, introduce or retrofit CAWS in an existing (old, legacy) project, repo or codebase: puts in the missing governance files, i.e. working spec, policy with quality gates, schema. On request adds codemods and npm trusted publishing (OIDC).',
  effect: 'write',
  idempotent: true,
  scope: 'standards:write',
  local: 'files',
  input: z.object({
    minimal: z.boolean().default(false).describe('Add only the working spec and the policy'),
    withCodemods: z.boolean().default(false).describe('Add codemod scripts for repeated refactorings'),
    withOIDC: z.boolean().default(false).describe('Add publishing workflows with OIDC trusted publishing'),
    force: z.boolean().default(false).describe('Replace existing files after backing them up; the spec is kept'),
    workingDirectory,
  }),
  output: z.object({
    success: z.boolean(),
    message: z.string(),
    output: untrusted(z.string(), { max: 40_000 }),
    ...writtenFilesFields,
  }),
  run: ({ workingDirectory: folder, ...options }, context) =>
    runCommand('caws scaffold', context, async ({ cwd, checkPath }) => {
      const done = await scaffoldProject(await resolveWorkingFolder(folder, { cwd, checkPath }), options);
      const output = formatWrittenFiles(`${done.created.length} created, ${done.skipped.length} skipped`, done);
      return { success: true, message: 'CAWS components scaffolded successfully', output, ...done };
    }),
});
