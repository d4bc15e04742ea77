/**
 * What a caller with a valid token and no scopes can do to the others: the latency of /healthz, the bytes that the server
 * holds and its memory while hostile requests arrive, beside a bare SDK server under the same attacks. The rate limit is off:
 * with it, an attack of many requests ends after a minute's share.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startProvider } from '../../test/support/provider.ts';
import { printTable } from '../table.ts';
import { type Attack, attacks, type Damage } from './attacks.ts';
import { startServer } from './servers.ts';

const run = promisify(execFile);
/** A part of the name of an attack, to measure only that. */
const [, chosen = ''] = process.argv.slice(2);
const SECONDS = 6;
const PROBE_EVERY_MS = 20;
const GIVE_UP_MS = 30_000;
const LATENCY_BAR_MS = 250;
const HELD_BAR_BYTES = 64 * 1024 * 1024;
const audience = 'http://127.0.0.1/mcp';

interface Measured extends Damage {
  worstMs: number;
  p50Ms: number;
  grownMb: number;
}

await using provider = await startProvider(audience);
const token = await provider.token({ scope: '' }, { expiresIn: 7200 });
const rows: string[][] = [];
let missed = 0;
for (const attack of attacks.filter(({ name }) => name.includes(chosen))) {
  const bare = await under(attack, 'bare.ts');
  const ours = await under(attack, 'ours.ts', provider.issuer, audience);
  const met = ours.worstMs < LATENCY_BAR_MS && ours.heldBytes <= HELD_BAR_BYTES;
  if (!met) missed++;
  rows.push([
    attack.name,
    `${shown(bare.worstMs)}`,
    `${bare.grownMb.toFixed(0)}`,
    `${shown(ours.worstMs)} (${ours.p50Ms.toFixed(0)})`,
    `${(ours.heldBytes / 1024 / 1024).toFixed(0)}`,
    `${ours.grownMb.toFixed(0)}`,
    Object.entries(ours.answers)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', '),
    met ? 'met' : 'MISSED',
  ]);
}
printTable(
  `/healthz under attack by a caller without scopes, ${SECONDS} s each, a new server each time`,
  ['attack', 'bare max ms', 'bare +MB', 'assay max (p50) ms', 'held MiB', '+MB', 'answers', 'verdict'],
  rows,
  `bar: /healthz under ${LATENCY_BAR_MS} ms and at most 64 MiB held of one caller: ${missed === 0 ? 'met' : `MISSED by ${missed}`}`,
);

async function under(attack: Attack, file: string, ...args: string[]): Promise<Measured> {
  const { child, url } = await startServer(file, ...args);
  try {
    await probe(url);
    const before = await memoryMb(child.pid);
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
    const damage: Damage = JSON.parse((await attacker).stdout);
    latencies.sort((a, b) => a - b);
    const p50Ms = latencies[Math.floor(latencies.length / 2)] ?? 0;
    return { ...damage, worstMs: latencies.at(-1) ?? 0, p50Ms, grownMb: most - before };
  } finally {
    child.kill('SIGKILL');
  }
}

/** How long a health check takes on a connection of its own. The bare server has none, and answers 404 or 405. */
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

function shown(ms: number): string {
  return ms >= GIVE_UP_MS ? 'no answer' : ms.toFixed(0);
}
