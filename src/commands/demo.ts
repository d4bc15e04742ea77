import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings, type Setting, settings } from '../platform/settings.ts';
import { connectToChild } from '../server/mcp-client.ts';
import { type Command, printStderr, printStdout } from './command.ts';
import { showAccessibility } from './demo/accessibility-demo.ts';
import { showCoverageAndStandards } from './demo/coverage-demo.ts';
import { createDemoProject } from './demo/demo-project.ts';
import { createDemoSession } from './demo/demo-session.ts';
import { startDemoSite } from './demo/demo-site.ts';
import { showQa } from './demo/qa-demo.ts';
import { showWizard } from './demo/wizard-demo.ts';

const verbose: Setting<boolean> = {
  flag: 'verbose',
  env: '',
  help: 'Show every call and its result.',
  fallback: 'off',
  parse: settings.readOnly.parse,
};

export const demoCommand: Command = {
  name: 'demo',
  usage: '[--verbose]',
  summary:
    'Run every toolset once through a real MCP client: a change, a spec, a scan, a form, a test suite, a report.',
  settings: [verbose],
  async run(argv) {
    const values = readSettings(demoCommand.settings, argv, process.env);
    await checkBrowser(values.get(settings.home));
    let failed = 0;
    const folder = await mkdtemp(join(tmpdir(), 'assay-demo-'));
    const site = await startDemoSite();
    try {
      const project = await createDemoProject(join(folder, 'project'));
      const home = join(folder, 'home');
      await shareBrowser(values.get(settings.home), home);
      const env = { ...definedEnvironment(), TMPDIR: folder, ASSAY_HOME: home };
      const self = [process.argv[1] ?? '', 'serve'];
      const client = await connectToChild(process.execPath, self, { cwd: project.folder, env });
      try {
        const { tools } = await client.listTools();
        await printStdout(
          `An MCP client is connected to ${tools.length} tools. Every line below comes from their results.`,
        );
        const session = createDemoSession(client, values.get(verbose));
        /** Prints a failed part and continues with the next one. */
        const runPart = async <Shown>(part: Promise<Shown>): Promise<Shown | undefined> => {
          try {
            return await part;
          } catch (error) {
            failed++;
            printStderr(`   This part failed. ${error instanceof Error ? error.message : String(error)}`);
            return undefined;
          }
        };
        await runPart(showCoverageAndStandards(session, project));
        const scanned = await runPart(showAccessibility(session, site));
        await runPart(showWizard(session, site));
        await keepReports({ qa: await runPart(showQa(session, site)), accessibility: scanned });
      } finally {
        await client.close();
      }
    } finally {
      site.close();
      await rm(folder, { recursive: true, force: true });
    }
    if (failed > 0) printStderr(`${failed} parts of the demo failed. Run \`assay doctor\` to find the cause.`);
    return failed > 0 ? 1 : 0;
  },
};

/** Fails before the demo starts when there is no browser. */
async function checkBrowser(home: string): Promise<void> {
  const { launchBrowser } = await import('../platform/browser/browser-launch.ts');
  await (await launchBrowser({ home })).close();
}

/** The data folder of the demo is removed at its end; an unpacked browser is kept in the user's. */
async function shareBrowser(home: string, demoHome: string): Promise<void> {
  await mkdir(join(home, 'browser'), { recursive: true });
  await mkdir(demoHome, { recursive: true });
  await symlink(join(home, 'browser'), join(demoHome, 'browser'));
}

/** Keeps the reports; everything else is removed with the folder of the demo. */
async function keepReports(pages: { qa: string | undefined; accessibility: string | undefined }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-report-'));
  const keep = async (name: string, page: string) => {
    const path = join(folder, name);
    await writeFile(path, page);
    return path;
  };
  await printStdout('');
  if (pages.qa !== undefined) await printStdout(`QA report: ${await keep('report.html', pages.qa)}`);
  if (pages.accessibility !== undefined)
    await printStdout(`Accessibility report: ${await keep('accessibility.html', pages.accessibility)}`);
  const isTask = process.env['npm_lifecycle_event'] === 'demo';
  await printStdout(
    `To see every call and its result: ${isTask ? 'npm run demo -- --verbose' : 'assay demo --verbose'}`,
  );
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
