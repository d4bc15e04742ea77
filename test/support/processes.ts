import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';

interface Process {
  pid: number;
  parent: number;
  /** Its command line; arguments that contain a space come in parts. */
  args: string[];
}

/** Lists the processes of this machine, without those that have ended and only wait for their parent. */
export function listProcesses(): Process[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).trim().split('\n');
  return lines.flatMap((line) => {
    const [pid, parent, state = '', ...args] = line.trim().split(/\s+/);
    return state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
}

/** These processes and all that they have started, directly or through others. */
export function processTree(roots: readonly number[]): Process[] {
  const among = listProcesses();
  const pids = new Set(roots);
  // A set also yields what is added to it during the loop.
  for (const pid of pids) for (const child of among) if (child.parent === pid) pids.add(child.pid);
  return among.filter(({ pid }) => pids.has(pid));
}

/** Those of the given processes that have not ended. */
export function stillRunning(pids: readonly number[]): number[] {
  return listProcesses().flatMap(({ pid }) => (pids.includes(pid) ? [pid] : []));
}

const isBrowser = ({ args: [program = ''] }: Process) => /^chrom|^headless[-_]shell/i.test(basename(program));

/**
 * The browsers that a process has started, without the processes of their own. A browser may be a grandchild: Debian's
 * `chromium-headless-shell` is a shell script that waits for the program.
 */
export function browsersOf(parent: number): number[] {
  const tree = processTree([parent]);
  const browsers = new Set(tree.filter(isBrowser).map(({ pid }) => pid));
  return tree.filter((process) => isBrowser(process) && !browsers.has(process.parent)).map(({ pid }) => pid);
}
