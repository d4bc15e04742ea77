import * as z from 'zod';
import { untrusted, untrustedName } from '../../platform/text/untrusted-schema.ts';
import { defineTool } from '../../tool/tool.ts';
import { createEvidenceKeys } from '../attestation/evidence-keys.ts';
import { runAttestedTests } from '../attestation/run-attested-tests.ts';
import { openProject } from '../spec/project.ts';
import { runCommand } from './run-command.ts';
import { workingDirectory } from './working-directory.ts';

const MAX_SECONDS = 3600;

export const cawsRunTests = defineTool({
  name: 'caws_run_tests',
  title: 'Run the tests and record the run as evidence',
  description:
    'Run (execute) the test command that the project declares, in a clean process, and record command, exit code, times, files and reports in a signed attestation. The quality gates of caws_evaluate accept only reports of such a run, on unchanged files. Starts a program of the project.',
  effect: 'write',
  scope: 'standards:write',
  local: 'programs',
  input: z.object({ workingDirectory }),
  output: z.object({
    success: z.boolean().describe('Whether the command ended with code 0'),
    command: z.array(untrustedName(z.string())),
    declared_in: z.string().describe('Where the command is declared'),
    exit_code: z.number().nullable(),
    seconds: z.number(),
    tree: z.string().describe('Git tree id of the files that were tested'),
    reports: z
      .array(z.object({ path: untrustedName(z.string()), sha256: z.string() }))
      .describe('Reports that the run wrote'),
    record: untrustedName(z.string()).describe('File of the signed record'),
    assurance: z.literal('self-reported').describe('A run on this machine proves only that this machine says so'),
    output: untrusted(z.string(), { max: 8_000 }).describe('End of what the command printed'),
  }),
  run: (args, context) =>
    runCommand(
      'caws run-tests',
      context,
      async (within) => {
        const project = await openProject(args.workingDirectory, within);
        const keys = createEvidenceKeys(within.home, within.setting);
        const { run, source, file, output, seconds } = await runAttestedTests(project, { keys, signal: within.signal });
        return {
          success: run.exitCode === 0,
          command: run.command,
          declared_in: source,
          exit_code: run.exitCode,
          seconds,
          tree: run.treeAfter,
          reports: run.reports,
          record: file,
          assurance: 'self-reported' as const,
          output,
        };
      },
      MAX_SECONDS,
    ),
});
