/** `npm run docs`: writes the generated pages from the definitions. With `--check`, fails if a page is out of date. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { httpSettings } from '../src/commands/startup/http-settings.ts';
import { type Setting, settings } from '../src/platform/settings.ts';
import { type CatalogToolset, describeCatalog } from '../src/tool/catalog.ts';
import { toolsetSettings } from '../src/tool/toolsets.ts';
import { code, table } from './docs/markdown.ts';
import { toolsetPage } from './docs/toolset-page.ts';
import { root, say } from './steps.ts';

const { toolsets } = await describeCatalog();
const packageFile = JSON.parse(await read('package.json'));
const allSettings: Setting<unknown>[] = [...Object.values(settings), ...toolsetSettings];
const onlyHttp: Setting<unknown>[] = [settings.http, ...httpSettings];

const files = new Map<string, string>([
  ...toolsets.map((toolset) => [`docs/tools/${toolset.name}.md`, toolsetPage(toolset)] as const),
  ['docs/configuration.md', configurationPage()],
  ['README.md', between(await read('README.md'), 'tools', toolTable(toolsets))],
  ['server.json', `${JSON.stringify(serverFile(), null, 2)}\n`],
]);

const check = process.argv.includes('--check');
const stale: string[] = [];
for (const [path, text] of files) {
  if ((await read(path)) === text) continue;
  stale.push(path);
  if (check) continue;
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}
if (stale.length === 0) say(`${files.size} generated files are up to date`);
else say(check ? `Out of date: ${stale.join(', ')}. Run: npm run docs` : `Written: ${stale.join(', ')}`);
process.exit(check && stale.length > 0 ? 1 : 0);

async function read(path: string): Promise<string> {
  return readFile(join(root, path), 'utf8').catch(() => '');
}

function between(text: string, name: string, content: string): string {
  const [start, end] = [`<!-- generated:${name} -->`, `<!-- /generated:${name} -->`];
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from === -1 || to === -1) throw new Error(`README.md has no ${start} … ${end}`);
  return `${text.slice(0, from + start.length)}\n\n${content}\n\n${text.slice(to)}`;
}

function toolTable(all: CatalogToolset[]): string {
  const rows = all.map(({ name, summary, tools }) => [
    `[${name}](docs/tools/${name}.md)`,
    summary,
    namesOf(tools.map(({ name: tool }) => tool)),
  ]);
  return table(['Toolset', 'Purpose', 'Tools'], rows);
}

/** All names of a small toolset; the first ones of a large toolset. */
function namesOf(names: readonly string[]): string {
  const shown = names.length > 15 ? names.slice(0, 4) : names;
  const list = shown.map((name) => `\`${name}\``).join(', ');
  return shown.length < names.length ? `${names.length} tools: ${list}, …` : list;
}

function configurationPage(): string {
  const general = allSettings.filter((setting) => !onlyHttp.includes(setting));
  const rows = (some: Setting<unknown>[]) =>
    some.map(({ flag, env, placeholder, help, fallback }) => [
      flag ? code(`--${flag}${placeholder ? ` <${placeholder}>` : ''}`) : '',
      code(env),
      fallback ?? 'none',
      help,
    ]);
  return [
    '# Configuration',
    [
      '```sh',
      'assay serve --toolsets coverage,standards --read-only   # by flags',
      'ASSAY_TOOLSETS=coverage,standards assay serve           # by the environment',
      '```',
    ].join('\n'),
    [
      '- A flag takes precedence over its environment variable.',
      '- A switch is set with `--read-only` and unset with `--no-read-only`. In the environment: 1, true, yes, on; or 0, false, no, off.',
      '- Over HTTP, a request can serve itself fewer tools, never more: by its URL (`/mcp?toolsets=coverage&read-only=true`) or by headers (`X-Assay-Toolsets`, `X-Assay-Tools`, `X-Assay-Exclude-Tools`, `X-Assay-Read-Only`, `X-Assay-Lean`).',
      "- `assay tools` takes the flags that choose tools. `assay call` takes the environment only, because its flags are the tool's arguments.",
    ].join('\n'),
    table(['Flag of `assay serve`', 'Environment', 'Default', 'Meaning'], rows(general)),
    '## Over HTTP',
    table(['Flag of `assay serve --http`', 'Environment', 'Default', 'Meaning'], rows(onlyHttp)),
  ]
    .join('\n\n')
    .concat('\n');
}

/** The entry of the MCP registry. */
function serverFile(): Record<string, unknown> {
  const { mcpName, name, version, description, repository } = packageFile;
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: 'Assay',
    description,
    repository: { url: repository.url.replace(/^git\+|\.git$/g, ''), source: 'github' },
    version,
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        transport: { type: 'stdio' },
        environmentVariables: allSettings
          .filter((setting) => !onlyHttp.includes(setting))
          .map(({ env, help }) => ({ name: env, description: help, isRequired: false })),
      },
    ],
  };
}
