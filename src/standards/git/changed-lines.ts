import { type ChangedFile, parseDiff } from '../../coverage/index.ts';
import { Failure } from '../../platform/errors.ts';
import type { ChangeSet, FileChange } from './change-set.ts';
import type { ProjectRepository } from './repository.ts';

/** A file with more added lines is likely generated; all of it counts as changed. */
const MAX_LINES = 20_000;
const PATHS_PER_DIFF = 200;
const MAX_FILES = 5000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const diffOptions = ['-U0', '-M', '--relative', '--ignore-submodules=all'];

/** What is compared with the base: the work tree, or an index. */
interface ComparisonTarget {
  staged?: boolean;
  /** Absolute path of an index other than the work tree's own. */
  indexFile?: string | undefined;
}

/** Reads which lines of changed files are new or rewritten, by their current numbers. */
export async function readChangedLines(
  repository: ProjectRepository,
  folder: string,
  changes: ChangeSet,
  wanted: (change: FileChange) => boolean,
  { staged, indexFile }: ComparisonTarget = {},
): Promise<ChangedFile[]> {
  const asked = changes.files
    .filter((change) => !change.binary && change.added > 0 && wanted(change))
    .slice(0, MAX_FILES);
  const isWhole = ({ kind, added, estimated }: FileChange) => kind === 'untracked' || estimated || added > MAX_LINES;
  const whole = asked.filter(isWhole).map(({ path }) => wholeFile(path));
  const partly = asked
    .filter((change) => !isWhole(change))
    .flatMap(({ path, from }) => [path, ...(from ? [from] : [])]);
  const found: ChangedFile[] = [];
  for (let at = 0; at < partly.length; at += PATHS_PER_DIFF) {
    const paths = partly.slice(at, at + PATHS_PER_DIFF);
    const args = [...(staged ? ['--cached'] : []), ...diffOptions, changes.commit, '--', ...paths];
    found.push(...((await readDiff(repository, folder, args, indexFile)) ?? paths.map(wholeFile)));
  }
  return [...found, ...whole];
}

const wholeFile = (path: string): ChangedFile => ({ path, ranges: [[1, Number.POSITIVE_INFINITY]] });

/** Undefined if git gives no diff or one that is too large; then all lines count, so that none is missed. */
async function readDiff(
  repository: ProjectRepository,
  folder: string,
  args: readonly string[],
  indexFile: string | undefined,
): Promise<ChangedFile[] | undefined> {
  try {
    const { code, stdout } = await repository.git('diff', args, {
      cwd: folder,
      maxOutputBytes: MAX_OUTPUT_BYTES,
      indexFile,
      // A file may be called `*.ts`.
      literalPathspecs: true,
    });
    return code === 0 ? parseDiff(stdout) : undefined;
  } catch (error) {
    if (error instanceof Failure && error.code === 'GIT_FAILED') return undefined;
    throw error;
  }
}
