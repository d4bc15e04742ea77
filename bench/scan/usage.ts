/** CPU and memory of a process and all below it, sampled from /proc while it runs. Linux only. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export interface Usage {
  wallSeconds: number;
  cpuSeconds: number;
  peakMegabytes: number;
  output: string;
}

/** Runs a program to its end. CPU is what its whole tree has used, processes that ended in between included. */
export async function measure(
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  note?: (line: string, megabytes: () => number) => void,
): Promise<Usage> {
  const begun = performance.now();
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const cpu = new Map<number, number>();
  let peak = 0;
  const sample = () => {
    const tree = treeOf(child);
    for (const pid of tree) cpu.set(pid, Math.max(cpu.get(pid) ?? 0, cpuOf(pid)));
    const megabytes = tree.reduce((sum, pid) => sum + memoryOf(pid), 0);
    peak = Math.max(peak, megabytes);
    return megabytes;
  };
  const timer = setInterval(sample, 200);
  let output = '';
  let partial = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    const lines = (partial + chunk).split('\n');
    partial = lines.pop() ?? '';
    for (const line of lines) note?.(line, sample);
  });
  const [code] = await once(child, 'close');
  clearInterval(timer);
  if (code !== 0 && code !== 2) throw new Error(`${program} ended with ${code}: ${output.slice(-500)}`);
  const cpuSeconds = [...cpu.values()].reduce((sum, seconds) => sum + seconds, 0);
  return { wallSeconds: (performance.now() - begun) / 1000, cpuSeconds, peakMegabytes: peak, output };
}

function treeOf({ pid }: ChildProcess): number[] {
  if (pid === undefined) return [];
  const children = new Map<number, number[]>();
  for (const line of execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')) {
    const [child = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
    children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const all = [pid];
  for (const each of all) all.push(...(children.get(each) ?? []));
  return all;
}

function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

/** The share of memory that this process alone is charged with, so that what several share counts once. */
function memoryOf(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
