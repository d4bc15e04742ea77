import { realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import type { CoverageReport, SourceFile } from '../report/coverage-report.ts';
import { pathExists } from './source-identity.ts';
import { folderWithAncestors, isAbsolutePath, normalizePath, pathBelow, resolvePath } from './source-path.ts';
import { createSuffixIndex, type SuffixIndex } from './suffix-index.ts';

/** Finds the files of a report that somebody means by a path. What could mean two files means none. */
export interface SourceFileLookup {
  /** By the name the report uses, or else like `locate`. */
  find(asked: string): Promise<SourceFile | undefined>;
  /** By where it lies on the disk: the name in the report counts only as a place. */
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

/** `bases` are folders that a report from another machine may have been written from; the working directory is one always. */
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
  // The relative paths of several reports are seen from several folders, which their identities already know.
  const folders = report.origins.length === 1 ? listReportFolders(report) : [];
  const findByRealPath = createRealPathIndex(files, identities);
  let suffixes: SuffixIndex | undefined;

  /** A weaker match holds unless both files exist: then they are two that happen to be called alike. */
  async function unlessDistinctFile(path: string, file: SourceFile | undefined): Promise<SourceFile | undefined> {
    if (!file) return undefined;
    const identity = identityOf.get(file) ?? '';
    if (identity === path || !(await pathExists(path))) return file;
    if (await pathExists(identity)) return undefined;
    const [here, ...others] = await findLocalCounterparts(normalizePath(file.path));
    return here === undefined || (here === path && others.length === 0) ? file : undefined;
  }

  /** What a path from another machine is here: of its endings that exist below a base, the longest. */
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

  /** The path as seen from the outermost base that it lies in and that any file fits. */
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

/** Where the relative paths of a report may be seen from: the working directory, the report's folder and those above it. */
function listReportFolders({ cwd, origins }: CoverageReport): string[] {
  return [...new Set([cwd, ...origins.flatMap(({ path }) => folderWithAncestors(posix.dirname(path)))])];
}

/** Files of a report that lie behind symbolic links, by their real path. Only names that somebody asks for are resolved. */
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
