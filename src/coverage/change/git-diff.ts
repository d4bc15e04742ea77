import { unquotePath } from '../../platform/git/quoted-path.ts';
import type { LineRange } from '../report/line-ranges.ts';

/** A file with lines that a change added or rewrote, by their numbers after the change. */
export interface ChangedFile {
  /** Relative to the top of the repository. */
  path: string;
  ranges: readonly LineRange[];
}

const newline = 0x0a;
const backslash = 0x5c;
/** `new file mode 120000`, `new mode 120000`, or `index 1234..5678 120000` */
const linkMode = /^(?:new |index ).* 120000$/;
const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/**
 * Parses a unified diff of git with the prefixes `a/` and `b/`. The lines of a hunk are counted and not parsed, so that a
 * changed text may itself look like a diff. Files without added lines are left out, and so are symbolic links, whose text is
 * a path.
 */
export function parseDiff(diff: Buffer): ChangedFile[] {
  const files: { path: string; ranges: LineRange[] }[] = [];
  let current: { path: string; ranges: LineRange[] } | undefined;
  let isLink = false;
  let at = 0;

  function nextLine(): Buffer {
    const end = diff.indexOf(newline, at);
    const line = diff.subarray(at, end < 0 ? diff.length : end);
    at = end < 0 ? diff.length : end + 1;
    return line;
  }

  while (at < diff.length) {
    const line = nextLine();
    // latin1 maps bytes to characters one to one: paths may have any encoding, and quoted ones contain bytes.
    const start = line.toString('latin1', 0, 4);
    if (start === '+++ ') {
      const path = newPath(line.subarray(4));
      current = path === undefined || isLink ? undefined : { path, ranges: [] };
    } else if (start === 'diff') {
      current = undefined;
      isLink = false;
    } else if (linkMode.test(line.toString('latin1'))) isLink = true;
    else if (start.startsWith('@@ ')) {
      const [, removed = '1', first = '0', added = '1'] = hunk.exec(line.toString('latin1')) ?? [];
      if (current && added !== '0') {
        if (current.ranges.length === 0) files.push(current);
        current.ranges.push([Number(first), Number(first) + Number(added) - 1]);
      }
      let left = Number(removed) + Number(added);
      while (left > 0 && at < diff.length) if (nextLine()[0] !== backslash) left--;
    }
  }
  return files;
}

/** The path of a `+++` line without its `b/`; undefined for a deleted file. */
function newPath(bytes: Buffer): string | undefined {
  const text = bytes.toString('latin1').replace(/\t$/, '');
  if (text === '/dev/null') return undefined;
  return Buffer.from(unquotePath(text), 'latin1').toString('utf8').replace(/^b\//, '');
}
