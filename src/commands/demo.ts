import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectToChild } from '../mcp/client.ts';
import { gitEnvironment } from '../platform/git-environment.ts';
import { readSettings, type Setting, settings } from '../platform/settings.ts';
import { type Command, print } from './command.ts';
import { accessibility } from './demo/accessibility.ts';
import { coverageAndStandards } from './demo/coverage.ts';
import { demoProject } from './demo/project.ts';
import { qa } from './demo/qa.ts';
import { demoSite } from './demo/site.ts';
import { stage } from './demo/stage.ts';
import { wizard } from './demo/wizard.ts';

const verbose: Setting<boolean> = {
  flag: 'verbose',
  env: '',
  help: 'Show every call, and what the server answers.',
  fallback: 'off',
  parse: settings.readOnly.parse,
};

export const demo: Command = {
  name: 'demo',
  usage: '[--verbose]',
  summary:
    'Show what an agent sees, through a real MCP client: a change, a spec, a scan, a form, a test suite, a report.',
  settings: [verbose],
  async run(argv) {
    const given = readSettings(demo.settings, argv, process.env);
    const folder = await mkdtemp(join(tmpdir(), 'assay-demo-'));
    const site = await demoSite();
    try {
      const project = await demoProject(join(folder, 'project'));
      const home = join(folder, 'home');
      await shareBrowser(given.get(settings.home), home);
      const env = { ...definedEnvironment(), TMPDIR: folder, ASSAY_HOME: home };
      const self = [process.argv[1] ?? '', 'serve'];
      const client = await connectToChild(process.execPath, self, { cwd: project.folder, env });
      try {
        const { tools } = await client.listTools();
        await print(
          `An agent is connected by MCP, and offered ${tools.length} tools. Every line below comes from their answers.`,
        );
        const told = stage(client, given.get(verbose));
        await coverageAndStandards(told, project);
        await accessibility(told, site);
        await wizard(told, site);
        await keepReport(await qa(told, site));
      } finally {
        await client.close();
      }
    } finally {
      site.close();
      await rm(folder, { recursive: true, force: true });
    }
    return 0;
  },
};

/** What the tools keep goes with the folder of the demo; a browser that was unpacked stays for the next time. */
async function shareBrowser(home: string, demoHome: string): Promise<void> {
  await mkdir(join(home, 'browser'), { recursive: true });
  await mkdir(demoHome, { recursive: true });
  await symlink(join(home, 'browser'), join(demoHome, 'browser'));
}

async function keepReport(page: string | undefined): Promise<void> {
  if (page === undefined) return;
  const path = join(await mkdtemp(join(tmpdir(), 'assay-report-')), 'report.html');
  await writeFile(path, page);
  await print(`\nThe report, for people: ${path}\nEvery call and answer: assay demo --verbose`);
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(gitEnvironment()).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
