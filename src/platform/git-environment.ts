/** What git sets for the programs it starts (a hook, say) would lead them to another repository than the folder's. */
const redirecting =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|PREFIX|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|EXTERNAL_DIFF|DIFF_OPTS|CONFIG_PARAMETERS|CONFIG_COUNT|CONFIG_KEY_\d+|CONFIG_VALUE_\d+|CEILING_DIRECTORIES)$/;

/** The environment in which git looks at the folder it is told to, takes no locks, and asks nobody. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !redirecting.test(name));
  return { ...Object.fromEntries(kept), LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0' };
}

/**
 * Settings for looking at a repository, before the command: no program that it names as its file monitor is started, and
 * `git diff` does not write the index anew (which GIT_OPTIONAL_LOCKS does not keep it from).
 */
export const lookingOnly = ['-c', 'core.fsmonitor=false', '-c', 'diff.autoRefreshIndex=false'];

/** What `git config` is asked to name every content filter there is; the names come NUL-separated. */
export const listFilters = ['config', '--name-only', '-z', '--get-regexp', '^filter\\.'];

/**
 * Settings that turn off the programs which a repository may name as its content filters: git would start them to compare
 * files, and looking at a change is no reason to run what a stranger's repository says. They can be turned off by name only.
 * Without its filter (Git LFS, say) a file that was touched may count as changed in lines that its owner sees unchanged.
 */
export function withoutFilters(listed: Uint8Array): NodeJS.ProcessEnv {
  const names = Buffer.from(listed).toString('utf8').split('\0').filter(Boolean);
  const filters = [...new Set(names.map((name) => name.slice(0, name.lastIndexOf('.'))))];
  const settings = filters.flatMap((name) => [
    [`${name}.clean`, ''],
    [`${name}.process`, ''],
    [`${name}.required`, 'false'],
  ]);
  return Object.fromEntries([
    ['GIT_CONFIG_COUNT', String(settings.length)],
    ...settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);
}
