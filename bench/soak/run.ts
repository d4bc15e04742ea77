/**
 * `npm run bench -- soak [--minutes 60] [--seed 1]`: fuzzed calls of every tool over stdio and HTTP at the same time, together with
 * real browser work that must succeed (a scan, a wizard run, a QA suite). It fails on a crash, a call without a response, an
 * error in the log of a server (of tools, jobs or the process), failed browser work, or memory growth after the warm-up.
 */
import { parseArgs } from 'node:util';
import { showAccessibility } from '../../src/commands/demo/accessibility-demo.ts';
import { createDemoProject } from '../../src/commands/demo/demo-project.ts';
import { type DemoSession, toToolData } from '../../src/commands/demo/demo-session.ts';
import { startDemoSite } from '../../src/commands/demo/demo-site.ts';
import { showQa } from '../../src/commands/demo/qa-demo.ts';
import { showWizard } from '../../src/commands/demo/wizard-demo.ts';
import { newFolder } from '../../test/support/folders.ts';
import { printTable } from '../table.ts';
import { collectIds, fuzzedArguments, type Schema, seededRandom } from './fuzzed-arguments.ts';
import { residentMebibytes, type SoakServer, startSoakServer, type Transport } from './soak-server.ts';

const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
const MINUTES = Number(values.minutes ?? 60);
const SEED = Number(values.seed ?? 1);
/** Share of the time that counts as warm-up. After it, memory of the first and the last quarter is compared. */
const WARM_UP = 0.25;
const MAX_GROWTH = 1.15;
const SAMPLE_MS = 5000;
const CALLS_PER_SECOND = 15;
/** Minimum time between fuzzed calls that start a browser, so that the required browser work is not starved. */
const BROWSER_CALLS_MS = 10_000;
const RESPONSE_LIMIT_MS = 180_000;
const PATHS = [
  'coverage/lcov.info',
  'src/cart.js',
  'package.json',
  '.',
  'src',
  'missing.info',
  '.caws/working-spec.yaml',
];

const startsBrowser =
  /^(cwac_scan|qa_workflow_start_.*|federalscout_start_discovery|federalrunner_execute_wizard|federalscout_check_wizard)$/;

interface Tally {
  calls: number;
  succeeded: number;
  rejected: number;
  internal: string[];
  unanswered: string[];
  exits: number;
  work: Map<string, { succeeded: number; failed: string[] }>;
  memory: { at: number; mebibytes: number }[];
}

const begun = performance.now();
const end = begun + MINUTES * 60_000;
const isOver = () => performance.now() >= end;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

await using folder = await newFolder();
const site = await startDemoSite();
const transports: Transport[] = ['stdio', 'http'];
try {
  const tallies = await Promise.all(transports.map((transport, index) => soak(transport, index)));
  report(tallies);
} finally {
  site.close();
}

async function soak(transport: Transport, index: number): Promise<Tally> {
  const tally: Tally = {
    ...{ calls: 0, succeeded: 0, rejected: 0, internal: [], unanswered: [], exits: 0 },
    ...{ work: new Map(), memory: [] },
  };
  const project = await createDemoProject(`${folder.path}/${transport}/work/project`);
  const server = await startSoakServer(transport, project.folder, `${folder.path}/${transport}`);
  /** Ids of the required work, which fuzzed calls must not use. */
  const reserved = new Set<string>();
  server.onExit(() => {
    if (!isOver()) tally.exits++;
  });
  await Promise.all([
    fuzz(server, tally, reserved, seededRandom(SEED + index)),
    work(server, tally, reserved),
    sample(server, tally),
  ]);
  tally.internal.push(...server.errors());
  await server.close();
  return tally;
}

async function sample(server: SoakServer, tally: Tally): Promise<void> {
  while (!isOver()) {
    tally.memory.push({ at: performance.now() - begun, mebibytes: residentMebibytes(server.pid) });
    await pause(SAMPLE_MS);
  }
}

/** Makes fuzzed calls at a fixed rate; slow calls do not delay the others. */
async function fuzz(server: SoakServer, tally: Tally, reserved: Set<string>, random: () => number): Promise<void> {
  const { tools } = await server.client.listTools();
  const schemas: Schema[] = JSON.parse(JSON.stringify(tools.map(({ inputSchema }) => inputSchema)));
  const ids = new Map<string, string[]>();
  const underWay = new Set<Promise<void>>();
  let nextBrowserCall = 0;
  for (let turn = 0; !isOver(); turn++) {
    const tool = tools[turn % tools.length];
    const schema = schemas[turn % tools.length];
    if (!tool || !schema) break;
    if (startsBrowser.test(tool.name)) {
      if (performance.now() < nextBrowserCall) continue;
      nextBrowserCall = performance.now() + BROWSER_CALLS_MS;
    }
    const free = new Map([...ids].map(([key, known]) => [key, known.filter((id) => !reserved.has(id))]));
    const known = { ids: free, urls: [site.url, `${site.url}delivery`, `${site.url}none`], paths: PATHS };
    const args = fuzzedArguments(schema, known, random);
    const call = attempt(server, tool.name, args, tally).then((data) => {
      if (data !== undefined && !/list/.test(tool.name)) collectIds(data, ids);
    });
    underWay.add(call);
    void call.finally(() => underWay.delete(call));
    if (underWay.size >= 16) await Promise.race(underWay);
    await pause(1000 / CALLS_PER_SECOND);
  }
  await Promise.all(underWay);
}

async function attempt(
  { client }: SoakServer,
  name: string,
  args: Record<string, unknown>,
  tally: Tally,
): Promise<Record<string, unknown> | undefined> {
  tally.calls++;
  try {
    const answer = await client.callTool({ name, arguments: args }, { timeout: RESPONSE_LIMIT_MS });
    const data = toToolData(answer.structuredContent);
    const text = answer.content.map((block) => (block.type === 'text' ? block.text : '')).join(' ');
    if (answer.isError && /Internal error/i.test(text)) tally.internal.push(`${name} ${JSON.stringify(args)}: ${text}`);
    if (answer.isError) tally.rejected++;
    else tally.succeeded++;
    return answer.isError ? undefined : data;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (/timed? ?out|closed|terminated|ECONN|fetch failed/i.test(message))
      tally.unanswered.push(`${name} ${JSON.stringify(args)}: ${message}`);
    else if (/Internal|-32603/i.test(message)) tally.internal.push(`${name}: ${message}`);
    else tally.rejected++;
    return undefined;
  }
}

/** Repeats the browser parts of the demo. */
async function work(server: SoakServer, tally: Tally, reserved: Set<string>): Promise<void> {
  const parts = { scan: showAccessibility, wizard: showWizard, suite: showQa };
  const session = quietSession(server, reserved);
  while (!isOver()) {
    for (const [name, part] of Object.entries(parts)) {
      if (isOver()) return;
      const row = tally.work.get(name) ?? { succeeded: 0, failed: [] };
      tally.work.set(name, row);
      try {
        await part(session, site);
        row.succeeded++;
      } catch (error) {
        row.failed.push(error instanceof Error ? error.message : String(error));
      }
    }
  }
}

function quietSession({ client }: SoakServer, reserved: Set<string>): DemoSession {
  const ids = new Map<string, string[]>();
  const ask = async (name: string, args: Record<string, unknown>, isWanted: boolean) => {
    const answer = await client.callTool({ name, arguments: args }, { timeout: RESPONSE_LIMIT_MS });
    if ((answer.isError === true) === isWanted)
      throw new Error(`${name}: ${JSON.stringify(answer.content[0]).slice(0, 500)}`);
    const data = toToolData(answer.structuredContent);
    for (const found of [data, args]) collectIds(found, ids);
    for (const known of ids.values()) for (const id of known) reserved.add(id);
    return data;
  };
  return {
    call: (name, args) => ask(name, args, true),
    callQuietly: (name, args) => ask(name, args, true),
    callExpectingError: (name, args) => ask(name, args, false),
    async read(uri) {
      const [content] = (await client.readResource({ uri })).contents;
      return content && 'text' in content ? content.text : undefined;
    },
    printHeading: async () => {},
    printLine: async () => {},
  };
}

function report(tallies: readonly Tally[]): void {
  const rows = tallies.map((tally, index) => {
    const { first, last, ratio } = growth(tally);
    return [
      transports[index] ?? '',
      ...[
        tally.calls,
        tally.succeeded,
        tally.rejected,
        tally.internal.length,
        tally.unanswered.length,
        tally.exits,
      ].map(String),
      ...[...tally.work.values()].map(({ succeeded, failed }) => `${succeeded}/${succeeded + failed.length}`),
      `${first.toFixed(0)} → ${last.toFixed(0)} (${ratio.toFixed(2)})`,
    ];
  });
  const isFine = tallies.every(
    (tally) =>
      tally.internal.length + tally.unanswered.length + tally.exits === 0 &&
      [...tally.work.values()].every(({ succeeded, failed }) => succeeded > 0 && failed.length === 0) &&
      growth(tally).ratio <= MAX_GROWTH,
  );
  printTable(
    `${MINUTES} minutes of fuzzed calls (seed ${SEED}) with browser work`,
    [
      '',
      'calls',
      'ok',
      'rejected',
      'internal',
      'no response',
      'exits',
      'scans',
      'wizards',
      'suites',
      'MiB after warm-up → end',
    ],
    rows,
    `target: no exit, internal error, missing response or failed work; memory at most ${MAX_GROWTH} times — ${isFine ? 'met' : 'MISSED'}`,
  );
  for (const { internal, unanswered, work } of tallies) {
    const failed = [...work.values()].flatMap((row) => row.failed);
    for (const line of [...internal, ...unanswered, ...failed].slice(0, 20))
      process.stdout.write(`  ${line.slice(0, 600)}\n`);
  }
  process.exitCode = isFine ? 0 : 1;
}

function growth({ memory }: Tally): { first: number; last: number; ratio: number } {
  const warm = memory.slice(Math.floor(memory.length * WARM_UP));
  const quarter = Math.max(1, Math.floor(warm.length / 4));
  const mean = (samples: typeof memory) => samples.reduce((sum, { mebibytes }) => sum + mebibytes, 0) / samples.length;
  const [first, last] = [mean(warm.slice(0, quarter)), mean(warm.slice(-quarter))];
  return { first, last, ratio: last / first };
}
