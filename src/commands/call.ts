import { Failure } from '../platform/errors.ts';
import { createLog } from '../platform/log.ts';
import { readSettings, settings } from '../platform/settings.ts';
import { localUser } from '../server/auth.ts';
import { createToolContext } from '../server/services.ts';
import { resolveShortName } from '../server/short-names.ts';
import { callTool } from '../tool/call-tool.ts';
import { loadToolset } from '../tool/toolsets.ts';
import { type Command, printStderr, printStdout } from './command.ts';
import { createLocalServices } from './local-services.ts';
import { createStopSignal } from './startup/process-signals.ts';
import { loadSurface } from './startup/surface-settings.ts';
import { type AttachmentFiles, saveAttachments } from './terminal/attachment-files.ts';
import { printHelp } from './terminal/help.ts';
import { createProgressBar } from './terminal/progress-bar.ts';
import { formatToolHelp, parseToolFlags } from './terminal/tool-flags.ts';

/** Flags after the tool name belong to the tool, so surface and log level are read from the environment. */
export const callCommand: Command = {
  name: 'call',
  usage: "<tool> [--json '{…}' | --<argument> <value> …] [--wait]",
  summary:
    'Call one tool and print its result as JSON; `assay call <tool> --help` shows its arguments. --wait waits until long work has ended.',
  settings: [],
  async run([given, ...flags]) {
    if (given === '--help' || given === '-h') return printHelp([callCommand], 'call');
    const values = readSettings([], [], process.env);
    const surface = await loadSurface(values);
    if (given === undefined)
      throw new Failure('configuration', 'BAD_USAGE', 'The tool name is missing. `assay tools` lists the tools.');
    const name = resolveShortName(given, [...surface.tools.keys()]);
    const entry = surface.tools.get(name);
    if (!entry)
      throw new Failure('configuration', 'BAD_USAGE', `${surface.explain(name)} \`assay tools\` lists the tools.`);
    const toolset = await loadToolset(entry.toolset);
    const tool = toolset.tools.find((candidate) => candidate.name === name);
    if (!tool) throw new Error(`the catalog lists ${name}, but no toolset defines it`);
    if (flags.includes('--help') || flags.includes('-h')) {
      await printStdout(formatToolHelp(entry, tool.canWait));
      return 0;
    }
    const wait = flags.includes('--wait');
    const args = parseToolFlags(
      entry,
      flags.filter((flag) => flag !== '--wait'),
    );
    if (wait && !tool.canWait)
      throw new Failure(
        'configuration',
        'BAD_USAGE',
        `${name} starts no long work, so --wait has no effect. Call it without --wait.`,
      );
    const signal = createStopSignal();
    const bar = createProgressBar(process.stderr);
    const log = createLog(values.get(settings.logLevel));
    const { services, close } = createLocalServices(values, log, signal, wait ? 'here' : 'new-process');
    const calling = { principal: localUser, signal, progress: bar.show };
    const outcome = await callTool(
      toolset,
      tool,
      args,
      { ...createToolContext(services, calling), wholeReplies: true },
      wait,
    );
    bar.clear();
    await close();
    const pictures = await saveAttachments(name, outcome.attachments);
    if (outcome.ok) {
      await printStdout(pictures.json(outcome.data));
      for (const line of pictures.lines) printStderr(line);
      const { session_id: session } = outcome.data;
      if (typeof session === 'string')
        printStderr(
          `The session ${session} ended with this command. Use an MCP client, which keeps its server running.`,
        );
      return wait && isBadEnd(outcome.data) ? 1 : 0;
    }
    // A failure may have a text for people, for example for a git hook, which is easier to read than JSON.
    const { told: humanText } = outcome.failure.details;
    printStderr(typeof humanText === 'string' ? humanText : legible(outcome.error.text, pictures));
    const { hint } = outcome.error;
    if (hint && typeof humanText !== 'string') printStderr(hint);
    for (const line of pictures.lines) printStderr(line);
    return outcome.failure.code === 'INVALID_ARGUMENTS' ? 2 : 1;
  },
};

/** Indents the JSON of an error for a terminal. */
function legible(text: string, pictures: AttachmentFiles): string {
  try {
    return pictures.json(JSON.parse(text));
  } catch {
    return text;
  }
}

/** A successful answer may report failed work; scripts need the exit code. */
function isBadEnd({ status }: Record<string, unknown>): boolean {
  return status === 'failed' || status === 'cancelled';
}
