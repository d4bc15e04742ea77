import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectToChild } from '../mcp/client.ts';
import { readSettings } from '../platform/settings.ts';
import { type Command, print } from './command.ts';
import { demoProject } from './demo-project.ts';

export const demo: Command = {
  name: 'demo',
  usage: '',
  summary: 'Show what an agent sees: a small project, a change, and the tools called through a real MCP client.',
  settings: [],
  async run(argv) {
    readSettings(demo.settings, argv, process.env);
    const folder = await mkdtemp(join(tmpdir(), 'assay-demo-'));
    try {
      await coverageDemo(folder);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return 0;
  },
};

/** An agent changes a project: coverage before, what the change did to it, and whether the new test mends it. */
async function coverageDemo(folder: string): Promise<void> {
  await title('A small project with tests; its own test run writes the LCOV report');
  const project = await demoProject(folder);
  const lcovPath = 'coverage/lcov.info';
  // What the tools keep goes with the folder of the demo.
  const env = { PATH: process.env['PATH'] ?? '', TMPDIR: folder, ASSAY_HOME: join(folder, 'home') };
  const client = await connectToChild(process.execPath, [process.argv[1] ?? '', 'serve'], { cwd: folder, env });
  try {
    const { tools } = await client.listTools();
    await print(`  the server offers ${tools.length} tools: ${tools.map(({ name }) => name).join(', ')}`);
    const call = async (name: string, args: Record<string, unknown>) => {
      const result = await client.callTool({ name, arguments: args });
      const [content] = result.content;
      const text = content?.type === 'text' ? content.text : JSON.stringify(result);
      await print(`  → ${name} ${JSON.stringify(args)}\n  ← ${text}`);
      return result.structuredContent;
    };

    await title('Before the change');
    await call('get_overall_coverage', { lcovPath, include: ['branches', 'functions'] });
    const snapshot = await call('start_coverage_snapshot', { lcovPath });
    const snapshotId = typeof snapshot === 'object' && snapshot && 'snapshotId' in snapshot ? snapshot.snapshotId : '';

    await title('The agent adds a discount, without a test, and says "done"');
    await project.addDiscount();
    await call('end_coverage_snapshot', { snapshotId, lcovPath });
    await call('get_patch_coverage', { lcovPath, base: 'HEAD' });
    await call('get_uncovered_lines', { lcovPath });

    await title('It is shown what is missing, and writes the test');
    await project.testDiscount();
    await call('get_patch_coverage', { lcovPath, base: 'HEAD' });
    await call('end_coverage_snapshot', { snapshotId, lcovPath });

    await title('And when it asks for what is not there');
    await call('get_overall_coverage', { lcovPath: 'coverage/lcov.inf' });
    await call('get_file_coverage', { lcovPath, filePaths: 'src/cart.js' });
  } finally {
    await client.close();
  }
}

const title = (text: string) => print(`\n${text}`);
