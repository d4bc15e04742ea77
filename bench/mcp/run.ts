/**
 * Measures start-up time relative to `node -e 0`, packed and from the checkout; the size of the lists of tools beside other
 * servers; the tool search; and the CPU cost of a trivial call relative to the bare SDK.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packRelease } from '../../scripts/programs.mjs';
import { median, printTable } from '../table.ts';
import { type ProtocolRevision, startStdioServer } from './stdio-server.ts';
import { compareSurfaces, searchFigures } from './surfaces.ts';

const ROUNDS = 15;
const CALLS = 4000;
const IN_FLIGHT = 16;
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
try {
  const bin = installRelease();
  await startUp(bin);
  await compareSurfaces(bin);
  await searchFigures();
  await calls();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function installRelease(): string {
  const run = (program: string, args: string[]) => {
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  };
  packRelease(folder);
  run('bash', ['-c', `tar -xzf ${folder}/*.tgz -C ${folder}`]);
  return join(folder, 'package/bin/assay.js');
}

/** Interleaved rounds, because other programs may load the machine. */
async function startUp(packed: string): Promise<void> {
  const checkout = join(import.meta.dirname, '../../bin/assay.js');
  const starts: [name: string, bin: string, era: ProtocolRevision][] = [
    ['packed, 2025-11-25', packed, '2025-11-25'],
    ['packed, 2026-07-28', packed, '2026-07-28'],
    ['checkout, 2026-07-28', checkout, '2026-07-28'],
  ];
  const floor: number[] = [];
  const times = new Map<string, number[]>();
  for (let round = 0; round <= ROUNDS; round++) {
    const empty = performance.now();
    await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'close');
    const base = performance.now() - empty;
    for (const [name, bin, era] of starts) {
      const begun = performance.now();
      const server = startStdioServer([bin, 'serve'], era);
      await server.open();
      await server.request('tools/list');
      const ms = performance.now() - begun;
      await server.close();
      // The first round fills the compile cache, and builds the checkout.
      if (round > 0) times.set(name, [...(times.get(name) ?? []), ms]);
    }
    if (round > 0) floor.push(base);
  }
  const ratios = starts.map(([name]) => median(times.get(name) ?? []) / median(floor));
  printTable(
    'Start-up, from spawn to the response to tools/list (median)',
    ['', 'ms', '× node -e 0'],
    [
      ['node -e 0', median(floor).toFixed(1), '1.0'],
      ...starts.map(([name], index) => [
        `assay, ${name}`,
        median(times.get(name) ?? []).toFixed(1),
        (ratios[index] ?? 0).toFixed(2),
      ]),
    ],
    `target: at most 4 — ${ratios.every((ratio) => ratio <= 4) ? 'met' : 'MISSED'}`,
  );
}

async function calls(): Promise<void> {
  const entries = ['bare-server', 'assay-server'] as const;
  await build({
    entryPoints: entries.map((name) => join(import.meta.dirname, `${name}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  });
  const rows: string[][] = [];
  let worst = 0;
  for (const era of ['2025-11-25', '2026-07-28'] as const) {
    const cost: Record<(typeof entries)[number], number[]> = { 'bare-server': [], 'assay-server': [] };
    for (let round = 0; round < 5; round++)
      for (const name of entries) cost[name].push(await cpuPerCall(join(folder, `${name}.mjs`), era));
    const ratio = median(cost['assay-server']) / median(cost['bare-server']);
    worst = Math.max(worst, ratio);
    rows.push([era, micro(median(cost['bare-server'])), micro(median(cost['assay-server'])), ratio.toFixed(2)]);
  }
  printTable(
    `Trivial call over stdio, ${IN_FLIGHT} in flight, CPU microseconds of the server (median of 5)`,
    ['', 'bare SDK', 'assay', 'ratio'],
    rows,
    `target: at most 1.5 — ${worst <= 1.5 ? 'met' : 'MISSED'}`,
  );
}

function micro(seconds: number): string {
  return (seconds * 1e6).toFixed(0);
}

async function cpuPerCall(file: string, era: ProtocolRevision): Promise<number> {
  const server = startStdioServer([file], era);
  await server.open();
  const call = (text: string) => server.request('tools/call', { name: 'say', arguments: { text } });
  const many = async (count: number) => {
    let next = 0;
    const worker = async () => {
      while (next < count) await call(`hello ${next++}`);
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  };
  await many(CALLS);
  const before = server.cpuSeconds();
  await many(CALLS);
  const used = server.cpuSeconds() - before;
  await server.close();
  return used / CALLS;
}
