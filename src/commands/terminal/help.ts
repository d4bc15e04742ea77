import { Failure } from '../../platform/errors.ts';
import type { Setting } from '../../platform/settings.ts';
import { version } from '../../platform/version.ts';
import { type Command, printStdout } from '../command.ts';

/** Prints the help of one command, or the list of commands. */
export async function printHelp(commands: readonly Command[], name?: string): Promise<number> {
  if (name === undefined) {
    await printStdout(overview(commands));
    return 0;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (!command)
    throw new Failure(
      'configuration',
      'BAD_USAGE',
      `Unknown command ${JSON.stringify(name)}. \`assay --help\` lists the commands.`,
    );
  await printStdout(
    [`assay ${command.name} ${command.usage}`.trim(), `  ${command.summary}`, ...settingLines(command.settings)].join(
      '\n',
    ),
  );
  return 0;
}

function overview(commands: readonly Command[]): string {
  return [
    `Assay ${version}: quality checks for AI agents and the people behind them, as an MCP server.`,
    '',
    ...commands.map(({ name, usage, summary }) => `  assay ${`${name} ${usage}`.trim()}\n      ${summary}`),
    '  assay --version',
    '',
    'Without a command assay serves over stdio, or prints this help on a terminal. `assay <command> --help` shows the flags.',
  ].join('\n');
}

function settingLines(settings: readonly Setting<unknown>[]): string[] {
  return settings.flatMap(({ flag, env, placeholder, help, fallback }) => {
    const names = [flag && `--${flag}${placeholder ? ` <${placeholder}>` : ''}`, env].filter(Boolean).join(', ');
    return [`  ${names}`, `      ${help}${fallback ? ` Default: ${fallback}.` : ''}`];
  });
}
