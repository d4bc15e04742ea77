/**
 * Measures start-up time relative to `node -e 0`, packed and from the checkout; the size of the lists of tools, both beside other
 * servers; the size of replies; the tool search; and the CPU cost of a trivial call relative to the bare SDK. `--rounds` sets the
 * number of starts. Ends with 1 when the start-up or a reply misses its target.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { packRelease } from '../../scripts/programs.mjs';
import { installPeers } from '../peers.ts';
import { median, printTable } from '../table.ts';
import { measureReplies } from './replies.ts';
import { compareStartUp } from './start-up.ts';
import { type ProtocolRevision, startStdioServer } from './stdio-server.ts';
import { compareSurfaces, searchFigures } from './surfaces.ts';

const CALLS = 4000;
const IN_FLIGHT = 16;
const ENTRIES = ['bare-server', 'assay-server'] as const;
const { rounds } = parseArgs({ options: { rounds: { type: 'string', default: '15' } } }).values;
const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
const met: boolean[] = [];
try {
  installPeers();
  const bin = installRelease();
  await buildEntries();
  met.push(await compareStartUp(bin, join(folder, 'bare-server.mjs'), Number(rounds)));
  await compareSurfaces(bin);
  met.push(await measureReplies(bin));
  await searchFigures();
  await calls();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(met.every(Boolean) ? 0 : 1);

function installRelease(): string {
  const run = (program: string, args: string[]) => {
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`);
  };
  packRelease(folder);
  run('bash', ['-c', `tar -xzf ${folder}/*.tgz -C ${folder}`]);
  return join(folder, 'package/bin/assay.js');
}

/** Bundles, as the release is one. */
async function buildEntries(): Promise<void> {
  await build({
    entryPoints: ENTRIES.map((name) => join(import.meta.dirname, `${name}.ts`)),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
  });
}

async function calls(): Promise<void> {
  const rows: string[][] = [];
  let worst = 0;
  for (const era of ['2025-11-25', '2026-07-28'] as const) {
    const cost: Record<(typeof ENTRIES)[number], number[]> = { 'bare-server': [], 'assay-server': [] };
    for (let round = 0; round < 5; round++)
      for (const name of ENTRIES) cost[name].push(await cpuPerCall(join(folder, `${name}.mjs`), era));
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
