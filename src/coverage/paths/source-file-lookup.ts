import { realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import type { CoverageReport, SourceFile } from '../report/coverage-report.ts';
import { pathExists } from './source-identity.ts';
import { folderWithAncestors, isAbsolutePath, normalizePath, pathBelow, resolvePath } from './source-path.ts';
import { createSuffixIndex, type SuffixIndex } from './suffix-index.ts';

/** Finds the file of a report for a path. An ambiguous path finds none. */
export interface SourceFileLookup {
  /** By the name in the report, else like `locate`. */
  find(asked: string): Promise<SourceFile | undefined>;
  /** By the location on the disk; names in the report count only as paths. */
  locate(path: string): Promise<SourceFile | undefined>;
}

/** Finds many paths at once, in their order. */
export async function findSourceFiles(
  report: CoverageReport,
  asked: readonly string[],
  signal?: AbortSignal,
): Promise<(SourceFile | undefined)[]> {
  if (asked.length === 0) return [];
  const lookup = await createSourceFileLookup(report);
  const found: (SourceFile | undefined)[] = [];
  for (const path of asked) {
    signal?.throwIfAborted();
    found.push(await lookup.find(path));
  }
  return found;
}

/** `bases` are folders that the paths of a report from another machine may be relative to, besides the working directory. */
export async function createSourceFileLookup(
  report: CoverageReport,
  ...bases: readonly string[]
): Promise<SourceFileLookup> {
  const { files, cwd } = report;
  const baseFolders = [...new Set([cwd, ...bases])];
  const identities = await report.identities();
  const byName = uniqueBy(files, (file) => file.path);
  const byTidyName = uniqueBy(files, (file) => normalizePath(file.path));
  const byIdentity = uniqueBy(files, (_, index) => identities[index] ?? '');
  const identityOf = new Map(files.map((file, index) => [file, identities[index] ?? '']));
  // Paths of merged reports have several base folders, which their identities already include.
  const folders = report.origins.length === 1 ? listReportFolders(report) : [];
  const findByRealPath = createRealPathIndex(files, identities);
  let suffixes: SuffixIndex | undefined;

  /** Accepts a weaker match unless both files exist, which makes them two different files. */
  async function unlessDistinctFile(path: string, file: SourceFile | undefined): Promise<SourceFile | undefined> {
    if (!file) return undefined;
    const identity = identityOf.get(file) ?? '';
    if (identity === path || !(await pathExists(path))) return file;
    if (await pathExists(identity)) return undefined;
    const [here, ...others] = await findLocalCounterparts(normalizePath(file.path));
    return here === undefined || (here === path && others.length === 0) ? file : undefined;
  }

  /** Finds local files for a path of another machine: its longest ending that exists below a base. */
  async function findLocalCounterparts(foreign: string): Promise<string[]> {
    for (let at = 0; at >= 0; at = foreign.indexOf('/', at + 1)) {
      const ending = foreign.slice(at).replace(/^\//, '');
      const found: string[] = [];
      for (const home of baseFolders) {
        const path = resolvePath(home, ending);
        if (await pathExists(path)) found.push(path);
      }
      if (found.length > 0) return found;
    }
    return [];
  }

  function findFromFolders(path: string): SourceFile | undefined {
    for (const folder of folders) {
      const below = pathBelow(folder, path);
      const file = below === undefined ? undefined : byTidyName.get(below);
      if (file) return file;
    }
    return undefined;
  }

  function findBySuffix(path: string): SourceFile | undefined {
    suffixes ??= createSuffixIndex(files);
    const candidates = new Set(filesEndingLike(path, suffixes));
    for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
      const file = byTidyName.get(path.slice(at + 1));
      if (file) candidates.add(file);
    }
    const [first] = candidates;
    return candidates.size === 1 ? first : undefined;
  }

  /** Files that end with the path relative to the outermost base with a match. */
  function filesEndingLike(path: string, index: SuffixIndex): SourceFile[] {
    const endings = baseFolders.flatMap((home) => pathBelow(home, path) ?? []).sort((a, b) => b.length - a.length);
    for (const ending of endings.length > 0 ? endings : [path]) {
      const found = index.endingWith(ending);
      if (found.length > 0) return found;
    }
    return [];
  }

  async function locate(asked: string): Promise<SourceFile | undefined> {
    const path = resolvePath(cwd, normalizePath(asked));
    if (asked === '' || asked.includes('\0')) return undefined;
    return (
      byIdentity.get(path) ??
      (await unlessDistinctFile(path, findFromFolders(path))) ??
      (await locateByRealPath(path)) ??
      (await unlessDistinctFile(path, findBySuffix(path)))
    );
  }

  async function locateByRealPath(path: string): Promise<SourceFile | undefined> {
    const real = await resolveRealPath(path);
    if (real === undefined) return undefined;
    const direct =
      real === path ? undefined : (byIdentity.get(real) ?? (await unlessDistinctFile(real, findFromFolders(real))));
    return direct ?? (await findByRealPath(real));
  }

  return {
    async find(asked) {
      return byName.get(asked) ?? byTidyName.get(normalizePath(asked)) ?? (await locate(asked));
    },
    locate,
  };
}

/** Possible base folders of a report: the working directory, the report's folder and its ancestors. */
function listReportFolders({ cwd, origins }: CoverageReport): string[] {
  return [...new Set([cwd, ...origins.flatMap(({ path }) => folderWithAncestors(posix.dirname(path)))])];
}

/** Finds files of a report by their real path behind symbolic links. Only requested names are resolved. */
function createRealPathIndex(files: readonly SourceFile[], identities: readonly string[]) {
  const resolved = new Map<string, Map<string, SourceFile>>();
  let byBaseName: Map<string, number[]> | undefined;
  return async (real: string): Promise<SourceFile | undefined> => {
    const baseName = posix.basename(real);
    let known = resolved.get(baseName);
    if (!known) {
      byBaseName ??= Map.groupBy(identities.keys(), (index) => posix.basename(identities[index] ?? ''));
      known = new Map();
      for (const index of byBaseName.get(baseName) ?? []) {
        const path = await resolveRealPath(identities[index] ?? '');
        const file = files[index];
        if (path !== undefined && file) known.set(path, file);
      }
      resolved.set(baseName, known);
    }
    return known.get(real);
  };
}

async function resolveRealPath(path: string): Promise<string | undefined> {
  return isAbsolutePath(path) ? realpath(path).then(normalizePath, () => undefined) : undefined;
}

function uniqueBy(
  files: readonly SourceFile[],
  key: (file: SourceFile, index: number) => string,
): Map<string, SourceFile> {
  const unique = new Map<string, SourceFile>();
  const ambiguous = new Set<string>();
  files.forEach((file, index) => {
    const name = key(file, index);
    if (unique.has(name)) ambiguous.add(name);
    else unique.set(name, file);
  });
  for (const name of ambiguous) unique.delete(name);
  return unique;
}
