/**
 * Measures what a caller with a valid token can do to other callers: latency of /healthz, pending body bytes and memory of the
 * server during attacks, compared with a bare SDK server. The token has no scope, unless the attack is in the arguments of a
 * tool. The rate limit is off, because it would stop attacks with many requests. Exits with 1 when a target is missed.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startProvider } from '../../test/support/services/provider.ts';
import { printTable } from '../table.ts';
import { type Attack, type AttackResult, attacks } from './attacks.ts';
import { startServer } from './start-server.ts';

const run = promisify(execFile);
/** Part of an attack name, to measure only matching attacks. */
const [, chosen = ''] = process.argv.slice(2);
const SECONDS = 6;
const PROBE_EVERY_MS = 20;
const GIVE_UP_MS = 30_000;
const LATENCY_TARGET_MS = 250;
const MAX_PENDING_BYTES = 64 * 1024 * 1024;
const audience = 'http://127.0.0.1/mcp';

interface Measurement extends AttackResult {
  worstMs: number;
  p50Ms: number;
  grownMb: number;
}

await using provider = await startProvider(audience);
const rows: string[][] = [];
let missed = 0;
for (const attack of attacks.filter(({ name }) => name.includes(chosen))) {
  const bare = await measureAttack(attack, 'bare-server.ts');
  const ours = await measureAttack(attack, 'assay-server.ts', provider.issuer, audience);
  const met = ours.worstMs < LATENCY_TARGET_MS && ours.pendingBytes <= MAX_PENDING_BYTES;
  if (!met) missed++;
  rows.push([
    attack.name,
    `${formatMs(bare.worstMs)}`,
    `${bare.grownMb.toFixed(0)}`,
    `${formatMs(ours.worstMs)} (${ours.p50Ms.toFixed(0)})`,
    `${(ours.pendingBytes / 1024 / 1024).toFixed(0)}`,
    `${ours.grownMb.toFixed(0)}`,
    Object.entries(ours.answers)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', '),
    met ? 'met' : 'MISSED',
  ]);
}
printTable(
  `/healthz during attacks by one caller, ${SECONDS} s each, a new server for each`,
  ['attack', 'bare max ms', 'bare +MB', 'assay max (p50) ms', 'pending MiB', '+MB', 'responses', 'verdict'],
  rows,
  `target: /healthz below ${LATENCY_TARGET_MS} ms and at most 64 MiB pending per caller — ${missed === 0 ? 'met' : `MISSED by ${missed}`}`,
);
process.exitCode = missed === 0 ? 0 : 1;

async function measureAttack(attack: Attack, file: string, ...args: string[]): Promise<Measurement> {
  const { child, url } = await startServer(file, ...args);
  try {
    await probe(url);
    const before = await memoryMb(child.pid);
    const token = await provider.token({ scope: attack.scope ?? '' }, { expiresIn: 7200 });
    const until = Date.now() + SECONDS * 1000;
    const attacker = run(process.execPath, [
      join(import.meta.dirname, 'attacker.ts'),
      attack.name,
      url,
      token,
      `${until}`,
    ]);
    const latencies: number[] = [];
    let most = before;
    while (Date.now() < until) {
      latencies.push(await probe(url));
      most = Math.max(most, await memoryMb(child.pid));
      await pause(PROBE_EVERY_MS);
    }
    const result: AttackResult = JSON.parse((await attacker).stdout);
    latencies.sort((a, b) => a - b);
    const p50Ms = latencies[Math.floor(latencies.length / 2)] ?? 0;
    return { ...result, worstMs: latencies.at(-1) ?? 0, p50Ms, grownMb: most - before };
  } finally {
    child.kill('SIGKILL');
  }
}

/** Milliseconds of a health check on a new connection. The bare server has no /healthz and returns 404 or 405. */
function probe(url: string): Promise<number> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const took = () => resolve(performance.now() - begun);
    const agent = new Agent({ keepAlive: false });
    const request = get(new URL('/healthz', url), { agent, timeout: GIVE_UP_MS }, (response) =>
      response.resume().on('end', took),
    );
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(GIVE_UP_MS));
  });
}

async function memoryMb(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
}

function formatMs(ms: number): string {
  return ms >= GIVE_UP_MS ? 'no response' : ms.toFixed(0);
}
