/** CPU time and memory of a process tree, sampled from /proc. Linux only. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export interface ProcessUsage {
  wallSeconds: number;
  cpuSeconds: number;
  peakMegabytes: number;
  output: string;
}

/** Runs a program until it exits. CPU time covers its whole process tree, including processes that ended earlier. */
export async function measureProcess(
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  note?: (line: string, megabytes: () => number) => void,
): Promise<ProcessUsage> {
  const begun = performance.now();
  const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  const cpu = new Map<number, number>();
  let peak = 0;
  const sample = () => {
    const tree = listProcessTree(child);
    for (const pid of tree) cpu.set(pid, Math.max(cpu.get(pid) ?? 0, readCpuSeconds(pid)));
    const megabytes = tree.reduce((sum, pid) => sum + readMegabytes(pid), 0);
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
  if (code !== 0 && code !== 2) throw new Error(`${program} exited with ${code}: ${output.slice(-500)}`);
  const cpuSeconds = [...cpu.values()].reduce((sum, seconds) => sum + seconds, 0);
  return { wallSeconds: (performance.now() - begun) / 1000, cpuSeconds, peakMegabytes: peak, output };
}

function listProcessTree({ pid }: ChildProcess): number[] {
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

function readCpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}

/** Proportional set size, so that memory shared by several processes counts once. */
function readMegabytes(pid: number): number {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
