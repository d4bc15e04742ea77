import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { installPeers } from '../peers.ts';
import { generateLcovReport } from './generated-report.ts';
import { type ReadCost, readerNames } from './lcov-readers.ts';

/**
 * `npm run bench -- lcov [--sizes 1,100,1000] [--repeats 3]`: CPU time and memory of reading LCOV, compared with other programs.
 * Sizes are in megabytes. The default takes about three minutes; 1000 takes ten more.
 */

const run = promisify(execFile);
const here = import.meta.dirname;
const timeLimitMs = 300_000;
const heapMegabytes = 8_000;

interface Row {
  program: string;
  /** CPU seconds of one call in a warm process; for shell commands, of the whole process. */
  seconds?: number;
  firstSeconds?: number;
  peakMegabytes?: number;
  failed?: string;
}

const tools: Record<string, { command: string; env?: Record<string, string> }> = {
  "grep -c '^DA:'": { command: 'grep -c \'^DA:\' "$REPORT"', env: { LC_ALL: 'C' } },
  "grep -c '^DA:' (locale as set)": { command: 'grep -c \'^DA:\' "$REPORT"' },
  'wc -l': { command: 'wc -l "$REPORT"' },
  'lcov --summary': { command: 'lcov --summary "$REPORT"' },
};
const baseline = "grep -c '^DA:'";

/** Measures the CPU seconds of a shell command with bash's `time`. */
async function timeTool(program: string, report: string, times: number): Promise<Row> {
  const tool = tools[program];
  if (!tool) return { program, failed: 'unknown' };
  const [name = ''] = tool.command.split(' ');
  if (!(await exists(name))) return { program, failed: `${name} is not installed` };
  // The output goes into a file, because grep stops at the first match when it writes to /dev/null.
  const script = `TIMEFORMAT='%U %S'; time (for i in $(seq ${times}); do ${tool.command} >"$REPORT.out"; done)`;
  const env = { ...process.env, ...tool.env, REPORT: report };
  const { stderr } = await run('bash', ['-c', script], { env, timeout: timeLimitMs });
  const [user = 0, system = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number);
  return { program, seconds: (user + system) / times };
}

async function exists(program: string): Promise<boolean> {
  return run('bash', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  );
}

async function timeReader(program: string, report: string, calls: number): Promise<Row> {
  const args = [`--max-old-space-size=${heapMegabytes}`, join(here, 'lcov-readers.ts'), program, report, String(calls)];
  try {
    const { stdout } = await run(process.execPath, args, { timeout: timeLimitMs, maxBuffer: 2 ** 26 });
    const cost: ReadCost = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    return { program, ...cost };
  } catch (error) {
    return { program, failed: describeFailure(error) };
  }
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('killed' in error && error.killed === true) return `not finished after ${timeLimitMs / 1000} s`;
  const stderr = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr : '';
  const said = /^.*(?:Error|FATAL ERROR): .*$/m.exec(stderr)?.[0] ?? error.message.split('\n', 1)[0] ?? '';
  return said.trim().slice(0, 90);
}

/** The fastest of several runs, because other load on the machine only adds time. */
async function best(repeats: number, measure: () => Promise<Row>): Promise<Row> {
  let kept: Row | undefined;
  for (let n = 0; n < repeats; n++) {
    const row = await measure();
    if (row.failed !== undefined) return row;
    if (kept === undefined || (row.seconds ?? 0) < (kept.seconds ?? 0)) {
      kept = { ...row, peakMegabytes: Math.max(row.peakMegabytes ?? 0, kept?.peakMegabytes ?? 0) };
    }
  }
  return kept ?? { program: '', failed: 'never run' };
}

async function measureSize(megabytes: number, repeats: number, folder: string): Promise<Row[]> {
  const report = join(folder, `${megabytes}.info`);
  await generateLcovReport(report, megabytes * 1e6);
  const rows: Row[] = [];
  const small = megabytes <= 10;
  for (const program of Object.keys(tools)) {
    rows.push(await best(repeats, () => timeTool(program, report, small ? 50 : 1)));
  }
  for (const program of readerNames) {
    const own = program.startsWith('assay');
    // Other readers need minutes and gigabytes for a large report, so they run once.
    const times = own || megabytes <= 100 ? repeats : 1;
    rows.push(await best(times, () => timeReader(program, report, small ? 30 : megabytes <= 100 ? 3 : 1)));
  }
  await rm(report);
  return rows;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function printTable(megabytes: number, rows: readonly Row[]): void {
  const grep = rows.find(({ program }) => program === baseline)?.seconds ?? Number.NaN;
  print(`\n${megabytes} MB`);
  print(
    `${'program'.padEnd(32)}${'CPU s'.padStart(10)}${'× grep'.padStart(9)}${'first call s'.padStart(14)}${'peak MB'.padStart(9)}`,
  );
  for (const { program, seconds, firstSeconds, peakMegabytes, failed } of rows) {
    const cells = [
      seconds?.toFixed(4).padStart(10),
      seconds === undefined ? undefined : (seconds / grep).toFixed(1).padStart(9),
      (firstSeconds?.toFixed(4) ?? '').padStart(14),
      (peakMegabytes ? peakMegabytes.toFixed(0) : '').padStart(9),
    ];
    print(`${program.padEnd(32)}${failed === undefined ? cells.join('') : `  failed: ${failed}`}`);
  }
}

function printTargets(megabytes: number, rows: readonly Row[]): void {
  const own = rows.find(({ program }) => program === 'assay');
  const grep = rows.find(({ program }) => program === baseline)?.seconds ?? Number.NaN;
  const peers = rows.filter(({ program }) => readerNames.includes(program) && !program.startsWith('assay'));
  const fastest = Math.min(...peers.flatMap(({ seconds }) => seconds ?? []));
  const seconds = own?.seconds ?? Number.NaN;
  const first = own?.firstSeconds ?? Number.NaN;
  const targets: [string, boolean, string][] = [
    [
      'at most 3 times grep',
      seconds <= 3 * grep,
      `${(seconds / grep).toFixed(1)} times (first call ${(first / grep).toFixed(1)})`,
    ],
    [
      'at least 10 times less CPU than any npm parser',
      fastest >= 10 * seconds,
      `${(fastest / seconds).toFixed(1)} times less`,
    ],
  ];
  if (megabytes >= 1000) {
    targets.push(['at most 200 MB', (own?.peakMegabytes ?? Number.NaN) <= 200, `${own?.peakMegabytes?.toFixed(0)} MB`]);
  }
  for (const [target, met, value] of targets)
    print(`${String(megabytes).padStart(5)} MB  ${met ? 'met   ' : 'MISSED'}  ${target}: ${value}`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { sizes: { type: 'string', default: '1,100' }, repeats: { type: 'string', default: '3' } },
  });
  installPeers();
  const folder = await mkdtemp(join(tmpdir(), 'assay-bench-'));
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void rm(folder, { recursive: true, force: true }).then(() => process.exit(130)));
  try {
    const measured: [number, Row[]][] = [];
    for (const megabytes of values.sizes.split(',').map(Number)) {
      process.stderr.write(`measuring ${megabytes} MB …\n`);
      const rows = await measureSize(megabytes, Number(values.repeats), folder);
      printTable(megabytes, rows);
      measured.push([megabytes, rows]);
    }
    print('\nTargets (CPU of a call in a warm process; the first call of a process has its own column)');
    for (const [megabytes, rows] of measured) printTargets(megabytes, rows);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

await main();
