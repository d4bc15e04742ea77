/** The index that git prepared for the commit whose hook started this process; undefined outside of a hook. */
export function hookIndexFile(): string | undefined {
  return process.env['GIT_INDEX_FILE'];
}
