import { inspect } from 'node:util';
import { Failure } from '../platform/errors.ts';
import { readSettings, settings } from '../platform/settings.ts';
import { qaSettings } from '../qa/index.ts';
import { standardsSettings } from '../standards/index.ts';
import { ciSettings } from './ci/ci-settings.ts';
import { EXIT_UNKNOWN } from './ci/suite-verdict.ts';
import { type Command, printStderr } from './command.ts';
import { createStopSignal } from './startup/process-signals.ts';

const { spec, run, sarif, summary, ...qaOnly } = ciSettings;

export const ciChecksCommand: Command = {
  name: 'ci',
  usage: 'qa [<folder>] | standards',
  summary:
    'Run the scripts of a QA project or of an exported folder, or evaluate the standards, in a pipeline. Exit code: 0 passed, 1 failed, 2 bad usage, 3 unknown.',
  settings: [
    ...Object.values(ciSettings),
    ...Object.values(standardsSettings),
    settings.home,
    settings.databaseUrl,
    qaSettings.secretKey,
  ],
  async run(argv) {
    try {
      return await check(argv);
    } catch (error) {
      // `main` reports a wrong command line, or a missing project or file, as bad usage.
      if (error instanceof Failure && ['configuration', 'bad_input', 'not_found'].includes(error.kind)) throw error;
      // Any other error, bugs included, must look neither like a pass nor like a failing test.
      printStderr(`assay: ${error instanceof Failure ? error.message : inspect(error)}`);
      return EXIT_UNKNOWN;
    }
  },
};

async function check([what, ...rest]: readonly string[]): Promise<number> {
  const signal = createStopSignal();
  if (what === 'standards') {
    const values = readSettings(
      [spec, run, sarif, summary, settings.home, ...Object.values(standardsSettings)],
      rest,
      process.env,
    );
    const { checkStandards } = await import('./ci/standards-check.ts');
    return checkStandards(values, signal);
  }
  if (what !== 'qa')
    throw new Failure('configuration', 'BAD_USAGE', 'Unknown check. Use "assay ci qa" or "assay ci standards".');
  const [first] = rest;
  const folder = first === undefined || first.startsWith('-') ? undefined : first;
  const values = readSettings(Object.values(qaOnly), folder === undefined ? rest : rest.slice(1), process.env);
  if (folder !== undefined) {
    const { runExportedFolder } = await import('./ci/exported-folder.ts');
    return runExportedFolder(folder, values, signal);
  }
  const { replayProject } = await import('./ci/project-replay.ts');
  return replayProject(values, signal);
}
