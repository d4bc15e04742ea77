import * as z from 'zod';
import { Failure } from '../../platform/errors.ts';
import { untrustedName } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { pluralize } from '../pluralize.ts';
import { loadGovernance } from '../spec/governance.ts';
import { openProject } from '../spec/project.ts';
import { formatProblem } from '../spec/spec-problems.ts';
import { problemSchema } from './evaluation-schemas.ts';
import { runCommand } from './run-command.ts';
import { specFile } from './spec-file.ts';
import { workingDirectory } from './working-directory.ts';

export const cawsValidate = defineTool({
  name: 'caws_validate',
  title: 'Validate the working spec',
  description:
    'Check, lint or validate that the working spec file (working-spec.yaml) is well-formed and conforms to the schema: mistakes, syntax errors, wrong or missing fields, with line and correction. Also checks policy and waivers; changes nothing.',
  effect: 'read',
  scope: 'standards:read',
  local: 'files',
  longReply: { offset: true },
  input: z.object({ specFile, workingDirectory }),
  output: z.object({
    success: z.boolean(),
    valid: z.boolean(),
    file: untrustedName(z.string()),
    sha256: z.string(),
    problems: z.array(problemSchema),
  }),
  text: ({ problems }) =>
    ['Validation completed:', '✅ Working spec is valid', ...problems.map((one) => `⚠️ ${formatProblem(one)}`)].join(
      '\n',
    ),
  run: (args, context) =>
    runCommand('caws validate', context, async (within) => {
      const { root } = await openProject(args.workingDirectory, within);
      const { loaded, problems } = await loadGovernance(root, args.specFile, Date.now());
      const errors = problems.filter(({ severity }) => severity === 'error');
      if (errors.length > 0) {
        const message = `Validation failed: ${pluralize(errors.length, 'error')}\n${problems.map(formatProblem).join('\n')}`;
        throw new Failure('bad_input', 'EINVAL', message, {
          file: loaded.file,
          problems,
          hint: `Correct the named keys in ${loaded.file}, then call caws_validate again.`,
        });
      }
      return { success: true, valid: true, file: loaded.file, sha256: loaded.sha256, problems };
    }),
});
