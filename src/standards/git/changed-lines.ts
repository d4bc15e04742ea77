import { type ChangedFile, parseDiff } from '../../coverage/index.ts';
import { Failure } from '../../platform/errors.ts';
import type { ChangeSet, FileChange } from './change-set.ts';
import type { Repository } from './repository.ts';

/** Beyond so many lines a file was made, not written; all of it counts as changed. */
const MOST_LINES = 20_000;
const PATHS_AT_A_TIME = 200;
const MOST_FILES = 5000;
const MOST_OUTPUT = 64 * 1024 * 1024;
const options = ['-U0', '-M', '--relative', '--ignore-submodules=all'];

/** What is compared with the base: the work tree, or what is staged in an index. */
interface Comparing {
  staged?: boolean;
  /** Absolute path of an index other than the work tree's own. */
  indexFile?: string | undefined;
}

/** Which lines of the given changed files are new or rewritten, by their numbers now. */
export async function changedLines(
  repository: Repository,
  folder: string,
  changes: ChangeSet,
  wanted: (change: FileChange) => boolean,
  { staged, indexFile }: Comparing = {},
): Promise<ChangedFile[]> {
  const asked = changes.files
    .filter((change) => !change.binary && change.added > 0 && wanted(change))
    .slice(0, MOST_FILES);
  const isWhole = ({ kind, added, estimated }: FileChange) => kind === 'untracked' || estimated || added > MOST_LINES;
  const whole = asked.filter(isWhole).map(({ path }) => wholly(path));
  const partly = asked
    .filter((change) => !isWhole(change))
    .flatMap(({ path, from }) => [path, ...(from ? [from] : [])]);
  const found: ChangedFile[] = [];
  for (let at = 0; at < partly.length; at += PATHS_AT_A_TIME) {
    const paths = partly.slice(at, at + PATHS_AT_A_TIME);
    const args = [...(staged ? ['--cached'] : []), ...options, changes.commit, '--', ...paths];
    found.push(...((await diffOf(repository, folder, args, indexFile)) ?? paths.map(wholly)));
  }
  return [...found, ...whole];
}

const wholly = (path: string): ChangedFile => ({ path, ranges: [[1, Number.POSITIVE_INFINITY]] });

/** Undefined where git gives no diff, or one that is too large: then all lines count, so that none is overlooked. */
async function diffOf(
  repository: Repository,
  folder: string,
  args: readonly string[],
  indexFile: string | undefined,
): Promise<ChangedFile[] | undefined> {
  try {
    const { code, stdout } = await repository.git('diff', args, {
      cwd: folder,
      maxOutputBytes: MOST_OUTPUT,
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
