import { Failure } from '../../platform/errors.ts';
import { unquotePath } from '../../platform/git/quoted-path.ts';
import type { ChangeSet } from './change-set.ts';
import type { ProjectRepository } from './repository.ts';

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const WHOLE_FILE = '-U1000000';
const newline = 0x0a;
const signs = { minus: 0x2d, plus: 0x2b, backslash: 0x5c };
const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * Reads the texts that changed files had at the base, by their old path, with one git command: a diff with the whole files as
 * context. A file that was only renamed is left out. Undefined if git gives no diff or one that is too large.
 */
export async function readBaseTexts(
  repository: ProjectRepository,
  folder: string,
  { commit }: ChangeSet,
  paths: readonly string[],
): Promise<ReadonlyMap<string, string> | undefined> {
  if (paths.length === 0) return new Map();
  const args = [WHOLE_FILE, '-M', '--relative', '--ignore-submodules=all', commit, '--', ...paths];
  const options = { cwd: folder, maxOutputBytes: MAX_OUTPUT_BYTES, literalPathspecs: true };
  try {
    const { code, stdout } = await repository.git('diff', args, options);
    return code === 0 ? parseOldTexts(stdout) : undefined;
  } catch (error) {
    if (error instanceof Failure && error.code === 'GIT_FAILED') return undefined;
    throw error;
  }
}

/** Puts the old side of each file of a diff together. Lines of a hunk are counted, because a text may look like a diff. */
export function parseOldTexts(diff: Buffer): Map<string, string> {
  const texts = new Map<string, string>();
  let path: string | undefined;
  let at = 0;
  const nextLine = (): Buffer => {
    const end = diff.indexOf(newline, at);
    const line = diff.subarray(at, end < 0 ? diff.length : end);
    at = end < 0 ? diff.length : end + 1;
    return line;
  };
  while (at < diff.length) {
    const line = nextLine();
    const start = line.toString('latin1', 0, 4);
    if (start === 'diff') path = undefined;
    else if (start === '--- ') path = oldPath(line.subarray(4));
    else if (start.startsWith('@@ ') && path !== undefined)
      texts.set(
        path,
        readOldSide(line, nextLine, () => diff[at]),
      );
  }
  return texts;
}

function readOldSide(header: Buffer, nextLine: () => Buffer, peek: () => number | undefined): string {
  const [, removed = '1', added = '1'] = hunk.exec(header.toString('latin1')) ?? [];
  const left = { old: Number(removed), new: Number(added) };
  const lines: Buffer[] = [];
  let endsWithNewline = true;
  while (left.old > 0 || left.new > 0) {
    const line = nextLine();
    const isOld = line[0] !== signs.plus;
    if (isOld) {
      lines.push(line.subarray(1));
      left.old--;
    }
    if (line[0] !== signs.minus) left.new--;
    if (peek() === signs.backslash) {
      nextLine();
      if (isOld) endsWithNewline = false;
    }
    if (line.length === 0 && peek() === undefined) break;
  }
  const text = lines.map((line) => line.toString('utf8')).join('\n');
  return lines.length > 0 && endsWithNewline ? `${text}\n` : text;
}

/** The path of a `---` line without its `a/`; undefined for a new file. */
function oldPath(bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1').replace(/\t$/, '');
  if (text === '/dev/null') return undefined;
  return Buffer.from(unquotePath(text), 'latin1').toString('utf8').replace(/^a\//, '');
}
