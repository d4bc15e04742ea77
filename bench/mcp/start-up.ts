import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { median, printTable } from '../table.ts';
import { peerServers } from './servers.ts';
import { type ProtocolRevision, startStdioServer } from './stdio-server.ts';

const MOST_TIMES_OF_NODE = 4;

/**
 * Times from spawn to the response to `tools/list`, beside the floor: an empty program, and a server with one tool on the same SDK.
 * Rounds are interleaved, because other programs may load the machine. Returns whether Assay meets its target.
 */
export async function compareStartUp(packed: string, bare: string, rounds: number): Promise<boolean> {
  const checkout = join(import.meta.dirname, '../../bin/assay.js');
  const ours: [name: string, args: string[], era: ProtocolRevision][] = [
    ['assay, packed, 2025-11-25', [packed, 'serve'], '2025-11-25'],
    ['assay, packed, 2026-07-28', [packed, 'serve'], '2026-07-28'],
    ['assay, checkout, 2026-07-28', [checkout, 'serve'], '2026-07-28'],
  ];
  const servers: typeof ours = [
    ['bare server on the same SDK', [bare], '2025-11-25'],
    ...ours,
    ...peerServers().map(([name, args]): (typeof ours)[number] => [name, args, '2025-11-25']),
  ];
  const floor: number[] = [];
  const times = new Map<string, number[]>();
  for (let round = 0; round <= rounds; round++) {
    const empty = await timeEmptyProgram();
    // The first round fills the compile cache, and builds the checkout.
    if (round > 0) floor.push(empty);
    for (const [name, args, era] of servers) {
      const ms = await timeList(args, era);
      if (round > 0) times.set(name, [...(times.get(name) ?? []), ms]);
    }
  }
  const timesOfNode = (name: string) => median(times.get(name) ?? []) / median(floor);
  const isMet = ours.every(([name]) => timesOfNode(name) <= MOST_TIMES_OF_NODE);
  printTable(
    `Start-up, from spawn to the response to tools/list (median of ${rounds} interleaved rounds)`,
    ['', 'ms', '× node -e 0'],
    [
      ['node -e 0', median(floor).toFixed(1), '1.00'],
      ...servers.map(([name]) => [name, median(times.get(name) ?? []).toFixed(1), timesOfNode(name).toFixed(2)]),
    ],
    `target: assay at most ${MOST_TIMES_OF_NODE} — ${isMet ? 'met' : 'MISSED'}`,
  );
  return isMet;
}

async function timeEmptyProgram(): Promise<number> {
  const begun = performance.now();
  await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'close');
  return performance.now() - begun;
}

async function timeList(args: string[], era: ProtocolRevision): Promise<number> {
  const begun = performance.now();
  const server = startStdioServer(args, era);
  await server.open();
  await server.request('tools/list');
  const ms = performance.now() - begun;
  await server.close();
  return ms;
}
