import { readSettings, type Setting, settings } from '../platform/settings.ts';
import { type Command, printStdout } from './command.ts';
import { loadSurface, surfaceSettings } from './startup/surface-settings.ts';

const json: Setting<boolean> = {
  flag: 'json',
  env: '',
  help: 'Print the catalog as JSON: descriptions, schemas, annotations, scopes.',
  parse: settings.readOnly.parse,
};

export const toolsCommand: Command = {
  name: 'tools',
  usage: '[--json]',
  summary: 'List the tools that are served with these settings.',
  settings: [...surfaceSettings, json],
  async run(argv) {
    const values = readSettings(toolsCommand.settings, argv, process.env);
    const { toolsets } = await loadSurface(values);
    if (values.get(json)) {
      await printStdout(JSON.stringify(toolsets, null, 2));
      return 0;
    }
    if (toolsets.length === 0) await printStdout('These settings select no tools.');
    for (const toolset of toolsets) {
      const width = Math.max(...toolset.tools.map(({ name }) => name.length));
      const lines = toolset.tools.map(
        ({ name, effect, title }) => `  ${name.padEnd(width)}  ${effect.padEnd(7)}  ${title}`,
      );
      await printStdout([`${toolset.name}: ${toolset.summary}`, ...lines].join('\n'));
    }
    return 0;
  },
};
