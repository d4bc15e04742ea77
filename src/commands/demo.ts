import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectToChild } from '../mcp/client.ts';
import { gitEnvironment } from '../platform/git-environment.ts';
import { readSettings, settings } from '../platform/settings.ts';
import { type Command, print } from './command.ts';
import { type DemoProject, demoProject } from './demo-project.ts';
import { demoSite } from './demo-site.ts';

export const demo: Command = {
  name: 'demo',
  usage: '',
  summary: 'Show what an agent sees: a small project, a change, and the tools called through a real MCP client.',
  settings: [],
  async run(argv) {
    const given = readSettings(demo.settings, argv, process.env);
    const folder = await mkdtemp(join(tmpdir(), 'assay-demo-'));
    try {
      const project = await demoProject(folder);
      // What the tools keep goes with the folder of the demo; the browser, once unpacked, is kept for the next time.
      const env = { ...definedEnvironment(), TMPDIR: folder, ASSAY_HOME: given.get(settings.home) };
      const client = await connectToChild(process.execPath, [process.argv[1] ?? '', 'serve'], { cwd: folder, env });
      try {
        await coverageDemo(client, project);
        await accessibilityDemo(client);
      } finally {
        await client.close();
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return 0;
  },
};

type Client = Awaited<ReturnType<typeof connectToChild>>;

/** Shows a call as an agent makes it, and what comes back. */
async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: args });
  const text = result.content
    .map((content) => (content.type === 'text' ? content.text : `[${content.type}]`))
    .join('\n    ');
  await print(`  → ${name} ${JSON.stringify(args)}\n  ← ${text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text}`);
  return { ...(typeof result.structuredContent === 'object' ? result.structuredContent : {}) };
}

const SHOWN = 700;
const title = (text: string) => print(`\n${text}`);

/** An agent changes a project: coverage before, what the change did to it, and whether the new test mends it. */
async function coverageDemo(client: Client, project: DemoProject): Promise<void> {
  const lcovPath = 'coverage/lcov.info';
  await title('COVERAGE. A small project with tests; its own test run writes the LCOV report');
  const { tools } = await client.listTools();
  await print(`  the server offers ${tools.length} tools: ${tools.map(({ name }) => name).join(', ')}`);

  await title('Before the change');
  await call(client, 'get_overall_coverage', { lcovPath, include: ['branches', 'functions'] });
  const { snapshotId } = await call(client, 'start_coverage_snapshot', { lcovPath });

  await title('The agent adds a discount, without a test, and says "done"');
  await project.addDiscount();
  await call(client, 'end_coverage_snapshot', { snapshotId, lcovPath });
  await call(client, 'get_patch_coverage', { lcovPath, base: 'HEAD' });
  await call(client, 'get_uncovered_lines', { lcovPath });

  await title('It is shown what is missing, and writes the test');
  await project.testDiscount();
  await call(client, 'get_patch_coverage', { lcovPath, base: 'HEAD' });
  await call(client, 'end_coverage_snapshot', { snapshotId, lcovPath });

  await title('And when it asks for what is not there');
  await call(client, 'get_overall_coverage', { lcovPath: 'coverage/lcov.inf' });
  await call(client, 'get_file_coverage', { lcovPath, filePaths: 'src/cart.js' });
}

/** An agent scans a site in a real browser, and writes the report that people read. */
async function accessibilityDemo(client: Client): Promise<void> {
  await title('ACCESSIBILITY. A small shop on this machine, scanned in a real browser');
  const site = await demoSite();
  try {
    const { scan_id } = await call(client, 'cwac_scan', { urls: [site.url], audit_name: 'corner shop' });
    let status: Record<string, unknown>;
    do {
      await pause(1000);
      status = await call(client, 'cwac_scan_status', { scan_id });
    } while (status['status'] === 'running');
    await call(client, 'cwac_get_summary', { scan_id });
    await call(client, 'cwac_get_results', { scan_id, impact: 'critical', limit: 1 });
    await call(client, 'cwac_generate_report', { scan_id });
  } finally {
    site.close();
  }
}

function definedEnvironment(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(gitEnvironment()).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
