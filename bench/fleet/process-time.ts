/** Processor time of processes, read from /proc. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;

interface ProcessTimes {
  parent: number;
  own: number;
  /** Of its children that have ended. */
  ended: number;
}

function readTimes(pid: number): ProcessTimes | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').map(Number) ?? [];
    const [parent = 0, own, system, ended, endedSystem] = [1, 11, 12, 13, 14].map((index) => fields[index] ?? 0);
    return {
      parent,
      own: ((own ?? 0) + (system ?? 0)) / TICKS_PER_SECOND,
      ended: ((ended ?? 0) + (endedSystem ?? 0)) / TICKS_PER_SECOND,
    };
  } catch {
    // It ended between the listing and the reading.
    return undefined;
  }
}

export function parentOf(pid: number): number {
  return readTimes(pid)?.parent ?? 0;
}

/** Seconds of a process, of its living children and of those that have ended. */
export function secondsOfFamily(pid: number): number {
  const parent = readTimes(pid);
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readTimes(Number(name)) ?? [])
    .filter((times) => times.parent === pid);
  return (parent?.own ?? 0) + (parent?.ended ?? 0) + children.reduce((sum, { own, ended }) => sum + own + ended, 0);
}

/** Seconds of all programs on this machine, summed over its cores. */
export function secondsOfMachine(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] =
    /^cpu\s+(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]?.split(' ').map(Number) ?? [];
  return (user + nice + system + irq + softIrq + steal) / TICKS_PER_SECOND;
}

/** Adds up what a process and its descendants have used. Sees what short processes used only if it is asked meanwhile. */
export function createFamilyMeter(pids: readonly number[]) {
  const seen = new Map<number, number>();
  return {
    read(): number {
      const all = readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .map((name) => [Number(name), readTimes(Number(name))] as const);
      const children = Map.groupBy(all, ([, times]) => times?.parent);
      const own = new Map(all.map(([pid, times]) => [pid, times?.own ?? 0]));
      const add = (id: number): void => {
        seen.set(id, Math.max(seen.get(id) ?? 0, own.get(id) ?? 0));
        for (const [pid] of children.get(id) ?? []) add(pid);
      };
      for (const pid of pids) add(pid);
      return [...seen.values()].reduce((sum, seconds) => sum + seconds, 0);
    },
  };
}
