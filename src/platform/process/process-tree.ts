import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  /** Start time, because process ids are reused. */
  started: string;
}

/** A process, its process group and all descendants, also those in other groups or sessions, as browsers create them. */
export interface ProcessTree {
  /** Adds the current members. A process stays a member when its parent has ended. */
  refresh(): void;
  kill(): void;
  /** Resolves when all members have ended, or after the time limit. */
  waitForExit(withinMs: number): Promise<void>;
}

const POLL_INTERVAL_MS = 20;
const EXIT_WITHIN_MS = 500;

export function trackProcessTree(ancestor: number): ProcessTree {
  const members = new Map<number, string>();

  function alive(): number[] {
    if (members.size === 0) return [];
    const now = new Map(listProcesses().map(({ pid, started }) => [pid, started]));
    return [...members].flatMap(([pid, started]) => (now.get(pid) === started ? [pid] : []));
  }

  return {
    refresh() {
      const all = listProcesses();
      const seen = new Set([ancestor]);
      for (const { pid, group, started } of all) {
        if (pid !== ancestor && group !== ancestor) continue;
        seen.add(pid);
        members.set(pid, started);
      }
      for (const pid of seen) {
        for (const child of all) {
          if (child.parent !== pid) continue;
          seen.add(child.pid);
          members.set(child.pid, child.started);
        }
      }
    },
    kill() {
      for (const pid of alive()) {
        try {
          process.kill(pid, 'SIGKILL');
        } catch {
          // It has ended in the meantime.
        }
      }
    },
    async waitForExit(withinMs) {
      const until = performance.now() + withinMs;
      while (alive().length > 0 && performance.now() < until) await pause(POLL_INTERVAL_MS);
    },
  };
}

/**
 * Ends a process with everything below it: its process group, and the descendants that moved to a group or session of their
 * own. A descendant that left the group and whose parent ended before this call is not found. The process must be the leader
 * of its group (`detached`), except on Windows, where the tree is known by parent ids. Resolves when all have ended, or after
 * half a second.
 */
export async function killProcessTree(pid: number): Promise<void> {
  if (process.platform === 'win32') {
    const taskkill = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'taskkill.exe');
    spawnSync(taskkill, ['/PID', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  const family = trackProcessTree(pid);
  family.refresh();
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // No process of the group is left.
  }
  family.kill();
  await family.waitForExit(EXIT_WITHIN_MS);
}

/** Lists running processes, without zombies. */
function listProcesses(): ProcessEntry[] {
  return process.platform === 'linux' ? listFromProc() : listFromPs();
}

function listFromProc(): ProcessEntry[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcStat(name) : []));
}

function readProcStat(name: string): ProcessEntry[] {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'latin1');
    // The program name in parentheses may contain any character.
    const [state, parent, group, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return state === 'Z'
      ? []
      : [{ pid: Number(name), parent: Number(parent), group: Number(group), started: rest[16] ?? '' }];
  } catch {
    return [];
  }
}

function listFromPs(): ProcessEntry[] {
  try {
    const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,pgid=,stat=,lstart='], { encoding: 'utf8' })
      .trim()
      .split('\n');
    return lines.flatMap((line) => {
      const [pid, parent, group, state, ...started] = line.trim().split(/\s+/);
      const known = { pid: Number(pid), parent: Number(parent), group: Number(group), started: started.join(' ') };
      return state?.startsWith('Z') ? [] : [known];
    });
  } catch {
    return [];
  }
}
