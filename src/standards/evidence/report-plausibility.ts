import { readProjectFile } from '../spec/project-file.ts';
import { packageFolder } from './code-files.ts';

/** Clocks of machines that share files differ by less. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;
/** A time without a zone may be anywhere on earth. */
const ANY_ZONE_MS = 14 * 3_600_000;

/** Why a report cannot have been written when its file says; undefined if it can. */
export function describeImpossibleTime(modifiedMs: number, nowMs: number): string | undefined {
  if (modifiedMs <= nowMs + CLOCK_TOLERANCE_MS) return undefined;
  return `dated in the future (${new Date(modifiedMs).toISOString()})`;
}

/** Why the times inside of a test report contradict its file and its sources; undefined if they fit. */
export function describeWrongTimes(
  times: readonly string[],
  { modifiedMs, newestSourceMs, nowMs }: { modifiedMs: number; newestSourceMs: number | undefined; nowMs: number },
): string | undefined {
  for (const text of times) {
    const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/.test(text);
    const at = Date.parse(hasZone ? text : `${text}Z`);
    if (!Number.isFinite(at)) continue;
    const slack = CLOCK_TOLERANCE_MS + (hasZone ? 0 : ANY_ZONE_MS);
    if (at > nowMs + slack) return `its tests ran in the future (${text})`;
    if (at > modifiedMs + slack) return `its tests ran at ${text}, after the file was written`;
    if (newestSourceMs !== undefined && at < newestSourceMs - slack)
      return `its tests ran at ${text}, before the newest source was written`;
  }
  return undefined;
}

/** Packages of a monorepo with changed code for which there is neither a report of their own nor one of the project. */
export function findUnreportedPackages(changed: readonly string[], reports: readonly string[]): string[] {
  const reported = new Set(reports.map(packageFolder));
  if (reported.size === 0 || reported.has('')) return [];
  return [...new Set(changed.map(packageFolder))].filter((folder) => !reported.has(folder));
}

/** The file of a coverage report that has fewer lines than the report says ran; undefined if all fit. */
export async function findLineBeyondEnd(
  root: string,
  files: readonly { path: string; lastLine: number }[],
): Promise<string | undefined> {
  for (const { path, lastLine } of files) {
    const file = await readProjectFile(root, path).catch(() => undefined);
    if (!file) continue;
    const count = file.text.split('\n').length;
    if (lastLine > count) return `it has line ${lastLine} of ${path}, which has ${count}`;
  }
  return undefined;
}
