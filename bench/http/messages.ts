/**
 * Calls every tool with arguments that are as large as a message may be, and measures the processor time of the longest turn
 * of the server's event loop for each. Exits with 1 when one takes longer than the target.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createDemoProject } from '../../src/commands/demo/demo-project.ts';
import { describeCatalog } from '../../src/tool/catalog.ts';
import { bin, connectHttp } from '../../test/support/assay.ts';
import { newFolder } from '../../test/support/folders.ts';
import { collectIds, type KnownValues, type Schema } from '../soak/fuzzed-arguments.ts';
import { printTable } from '../table.ts';
import { hostileCalls, validArguments } from './hostile-arguments.ts';

/** Part of a tool name, to measure only matching tools. */
const [, chosen = ''] = process.argv.slice(2);
const TARGET_MS = 100;
/** A turn with a garbage collection is measured again. */
const ATTEMPTS = 3;
const SHOWN = 15;
/** These start browsers and processes, whose start is not the cost of the message. */
const startsWork = /^(cwac_scan|qa_workflow_start_.*|federalscout_start_discovery|federalrunner_execute_wizard)$/;

await using folder = await newFolder();
const project = await createDemoProject(join(folder.path, 'project'));
const { toolsets } = await describeCatalog();
const server = spawn(
  process.execPath,
  [
    ...[
      '--import',
      join(import.meta.dirname, 'loop-meter.ts'),
      bin,
      'serve',
      '--http',
      '--port',
      '0',
      '--folders',
      '.',
    ],
    ...['--toolsets', toolsets.map(({ name }) => name).join(), '--rate-limits', rateLimits()],
  ],
  {
    cwd: project.folder,
    env: { ...process.env, ASSAY_HOME: join(folder.path, 'home') },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  },
);
const measured: { tool: string; call: string; ms: number }[] = [];
try {
  await using client = await connectHttp('modern', await listening());
  const call = (name: string, args: Record<string, unknown>) =>
    client
      .callTool({ name, arguments: args })
      .catch((error: unknown) => ({ structuredContent: { error: String(error) } }));
  const { tools } = await client.listTools();
  const known = await knownValues(call);
  for (const { name, inputSchema } of tools.filter((tool) => tool.name.includes(chosen))) {
    const schema: Schema = JSON.parse(JSON.stringify(inputSchema));
    // The first call of a toolset loads its code.
    if (!startsWork.test(name)) await call(name, validArguments(schema, known));
    for (const hostile of hostileCalls(schema, known)) {
      let ms = Number.POSITIVE_INFINITY;
      for (let attempt = 0; attempt < ATTEMPTS && ms > TARGET_MS; attempt++) {
        await longestTurn();
        await call(name, hostile.args);
        ms = Math.min(ms, await longestTurn());
      }
      measured.push({ tool: name, call: hostile.name, ms });
    }
  }
} finally {
  server.kill('SIGKILL');
}
const missed = measured.filter(({ ms }) => ms > TARGET_MS);
printTable(
  `Longest turn of the event loop, of ${measured.length} hostile calls to ${new Set(measured.map(({ tool }) => tool)).size} tools`,
  ['tool', 'argument', 'processor time, ms'],
  measured
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, Math.max(SHOWN, missed.length))
    .map(({ tool, call, ms }) => [tool, call, ms.toFixed(0)]),
  `target: at most ${TARGET_MS} ms each — ${missed.length === 0 ? 'met' : `MISSED by ${missed.length}`}`,
);
process.exitCode = missed.length === 0 ? 0 : 1;

function rateLimits(): string {
  const tools = toolsets.flatMap((toolset) => toolset.tools.map(({ name }) => `${name}=1000000`));
  return ['*=1000000', 'requests=10000000', ...tools].join(',');
}

function listening(): Promise<{ url: string; token: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ url: string; token: string }>();
  let log = '';
  server.stderr?.on('data', (chunk: Buffer) => {
    log += String(chunk);
    const [, url] = /at (http:\S+)/.exec(log) ?? [];
    const [, token] = /Bearer (\S+)"/.exec(log) ?? [];
    if (url && token) resolve({ url, token });
  });
  server.on('close', () => reject(new Error(`the server ended: ${log}`)));
  return promise;
}

async function longestTurn(): Promise<number> {
  server.send('read');
  const [ms] = await once(server, 'message');
  return Number(ms);
}

type Call = (name: string, args: Record<string, unknown>) => Promise<{ structuredContent?: unknown }>;

/** Creates a project whose secrets are as long as they may be together, and everything in it that needs no browser. */
async function knownValues(call: Call): Promise<KnownValues> {
  const ids = new Map<string, string[]>();
  const create = async (name: string, args: Record<string, unknown>) =>
    collectIds((await call(name, args)).structuredContent, ids);
  const idOf = (key: string) => ids.get(key)?.[0];
  await create('qa_project_create', { projectName: 'Hostile', url: 'http://127.0.0.1:9/' });
  const projectId = idOf('projectId');
  for (let index = 0; index < 20; index++)
    await create('qa_secret_create', { projectId, name: `TOKEN_${index}`, value: `${index}-${'"ä$x9'.repeat(400)}` });
  await create('qa_prd_file_upload', { projectId, fileName: 'a.txt', contentBase64: 'QQ==' });
  await create('qa_use_case_candidate_propose', {
    projectId,
    title: 'a',
    description: 'b',
    pageUrl: 'http://127.0.0.1:9/',
  });
  await create('qa_use_case_candidates_approve', { projectId, approvedCandidateIds: ids.get('id') });
  const useCaseId = idOf('useCaseId');
  const facts = { title: 'a', goal: 'b', expectedResult: 'c', url: 'http://127.0.0.1:9/' };
  await create('qa_test_case_upsert', { projectId, useCaseId, ...facts });
  return { ids, urls: ['http://127.0.0.1:9/'], paths: ['coverage/lcov.info', '.'] };
}
