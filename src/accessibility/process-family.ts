import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

interface Relative {
  pid: number;
  parent: number;
  /** When it was started: numbers are given to others after a while. */
  started: string;
}

/** A process and all below it, whatever group or session they moved to: browsers open groups of their own. */
export interface Family {
  /** Looks who belongs to it now. Whoever was seen once stays a member, also when its parents have ended. */
  look(): void;
  kill(): void;
  /** When all of them have ended, or after the time given. */
  gone(withinMs: number): Promise<void>;
}

const LOOK_AGAIN_MS = 20;

export function familyOf(ancestor: number): Family {
  const members = new Map<number, string>();

  function alive(): number[] {
    if (members.size === 0) return [];
    const now = new Map(processes().map(({ pid, started }) => [pid, started]));
    return [...members].flatMap(([pid, started]) => (now.get(pid) === started ? [pid] : []));
  }

  return {
    look() {
      const all = processes();
      const seen = new Set([ancestor]);
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
          // It ended by itself in between.
        }
      }
    },
    async gone(withinMs) {
      const until = performance.now() + withinMs;
      while (alive().length > 0 && performance.now() < until) await pause(LOOK_AGAIN_MS);
    },
  };
}

/** All processes that run; those that have ended, and that nobody has asked about yet, do not. */
function processes(): Relative[] {
  return process.platform === 'linux' ? fromProc() : fromPs();
}

function fromProc(): Relative[] {
  return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? statOf(name) : []));
}

function statOf(name: string): Relative[] {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'latin1');
    // The program's own name stands in brackets, and may hold anything.
    const [state, parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' ? [] : [{ pid: Number(name), parent: Number(parent), started: rest[17] ?? '' }];
  } catch {
    return [];
  }
}

function fromPs(): Relative[] {
  try {
    const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,lstart='], { encoding: 'utf8' }).trim().split('\n');
    return lines.flatMap((line) => {
      const [pid, parent, state, ...started] = line.trim().split(/\s+/);
      return state?.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), started: started.join(' ') }];
    });
  } catch {
    return [];
  }
}
