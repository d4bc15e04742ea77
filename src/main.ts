import type { Command } from './commands/command.ts';
import { printStderr } from './commands/command.ts';
import { Failure, systemCode, systemReason } from './platform/errors.ts';

/** Commands are loaded on use, so that `serve` starts without loading the others. */
const commands = new Map<string, () => Promise<Command>>([
  ['serve', async () => (await import('./commands/serve.ts')).serveCommand],
  ['call', async () => (await import('./commands/call.ts')).callCommand],
  ['tools', async () => (await import('./commands/tools.ts')).toolsCommand],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctorCommand],
  ['worker', async () => (await import('./commands/worker.ts')).workerCommand],
  ['jobs', async () => (await import('./commands/jobs.ts')).jobsCommand],
  ['scan-engine', async () => (await import('./commands/scan-engine.ts')).scanEngineCommand],
  ['read-document', async () => (await import('./commands/read-document.ts')).readDocumentCommand],
  ['secrets', async () => (await import('./commands/secrets.ts')).secretsCommand],
  ['approve', async () => (await import('./commands/approve.ts')).approveCommand],
  ['ci', async () => (await import('./commands/ci.ts')).ciChecksCommand],
  ['demo', async () => (await import('./commands/demo.ts')).demoCommand],
]);

/** Runs the command line and ends the process. Without a command it serves, or prints the help on a terminal. */
export async function main(argv: readonly string[]): Promise<void> {
  process.exit(await run(argv));
}

async function run([first, ...rest]: readonly string[]): Promise<number> {
  try {
    if (first === '--version' || first === '-V') return await version();
    if (first === '--help' || first === '-h' || first === 'help') return await help(rest[0]);
    if (first === undefined && process.stdin.isTTY) return await help();
    if (first === undefined || first.startsWith('-')) return await runCommand('serve', first ? [first, ...rest] : []);
    return await runCommand(first, rest);
  } catch (error) {
    // The reader of the output closed the pipe, as `head` does.
    if (systemCode(error) === 'EPIPE') return 0;
    if (systemCode(error) === 'ENOSPC') return complain(`cannot write the result: ${systemReason(error)}`, 1);
    if (error instanceof Failure) return complain(error.message);
    throw error;
  }
}

function complain(message: string, code = 2): number {
  printStderr(`assay: ${message}`);
  return code;
}

async function runCommand(name: string, argv: readonly string[]): Promise<number> {
  const load = commands.get(name);
  if (!load) {
    const known = [...commands.keys()];
    const { findNearestName } = await import('./platform/text/nearest-name.ts');
    const near = findNearestName(name, known);
    const hint = near ? `Did you mean ${near}? ` : '';
    throw new Failure(
      'configuration',
      'BAD_USAGE',
      `Unknown command ${JSON.stringify(name)}. ${hint}Known commands: ${known.join(', ')}.`,
    );
  }
  if (name !== 'call' && (argv.includes('--help') || argv.includes('-h'))) return help(name);
  return (await load()).run(argv);
}

async function help(name?: string): Promise<number> {
  const { printHelp } = await import('./commands/terminal/help.ts');
  const all = await Promise.all([...commands.values()].map((load) => load()));
  return printHelp(all, name);
}

async function version(): Promise<number> {
  const { version: number } = await import('./platform/version.ts');
  const { printStdout } = await import('./commands/command.ts');
  await printStdout(number);
  return 0;
}
