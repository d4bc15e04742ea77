import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The only settings of a repository and its user that git still sees, because results depend on them: how lines, names and modes
 * compare, ignored files, and the repository format. None of them names a program, a remote or another configuration file.
 * Any other setting has its default, so settings of later git versions cannot start a program either.
 */
const inheritedSettings = new Set([
  'core.autocrlf',
  'core.eol',
  'core.filemode',
  'core.symlinks',
  'core.ignorecase',
  'core.precomposeunicode',
  'core.protecthfs',
  'core.protectntfs',
  'core.longpaths',
  'core.trustctime',
  'core.checkstat',
  'core.sparsecheckout',
  'core.sparsecheckoutcone',
  'diff.algorithm',
  'diff.indentheuristic',
  'diff.renamelimit',
  'extensions.objectformat',
  'extensions.compatobjectformat',
  'extensions.refstorage',
]);
/** Settings that name files with patterns; these are kept as absolute paths. */
const pathSettings = new Set(['core.excludesfile', 'core.attributesfile']);

/** Fixed settings, which come last: `git diff` does not write the index, paths are unquoted, line ends cause no warnings. */
const fixed = [
  ['core.repositoryformatversion', '1'],
  ['core.quotepath', 'false'],
  ['core.safecrlf', 'false'],
  ['diff.autorefreshindex', 'false'],
] as const;

export interface IsolatedConfig {
  /** The text of a configuration file, in bytes: values may be in any encoding. */
  bytes: Buffer;
  /** Files outside git's own folders that the repository's settings (not the user's) make git read. */
  namedFiles: string[];
  /** Objects may be missing locally, because git fetches them on demand. */
  isPartialClone: boolean;
}

/**
 * Builds the configuration for reading a repository from the output of `git config --list --show-scope -z`.
 * Text is handled as bytes (latin1), because names and values may be in any encoding.
 */
export function buildIsolatedConfig(
  listed: Buffer,
  { workTree, bigFileThreshold }: { workTree: string; bigFileThreshold?: string | undefined },
): IsolatedConfig {
  const kept = new Map<string, string>();
  const namedFiles = new Map<string, string>();
  let isPartialClone = false;
  for (const { scope, key, value } of parseSettings(listed)) {
    if (inheritedSettings.has(key)) kept.set(key, value);
    else if (pathSettings.has(key)) {
      const isUsers = scope === 'system' || scope === 'global';
      const path = isUsers ? value : absolute(value, workTree);
      kept.set(key, path);
      if (isUsers) namedFiles.delete(key);
      else namedFiles.set(key, path);
    } else if (key === 'extensions.partialclone' || /^remote\..*\.promisor$/s.test(key)) isPartialClone = true;
  }
  for (const [key, value] of fixed) kept.set(key, value);
  if (bigFileThreshold !== undefined) kept.set('core.bigfilethreshold', bigFileThreshold);
  const lines = [...kept].map(([key, value]) => settingText(key, value));
  return { bytes: Buffer.from(lines.join(''), 'latin1'), namedFiles: [...namedFiles.values()], isPartialClone };
}

interface ScopedSetting {
  scope: string;
  key: string;
  value: string;
}

function parseSettings(listed: Buffer): ScopedSetting[] {
  const parts = listed.toString('latin1').split('\0');
  const settings: ScopedSetting[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope = '', entry = ''] = [parts[at], parts[at + 1]];
    const end = entry.indexOf('\n');
    // A name without a value means true.
    settings.push({
      scope,
      key: end < 0 ? entry : entry.slice(0, end),
      value: end < 0 ? 'true' : entry.slice(end + 1),
    });
  }
  return settings;
}

/** Git reads a relative path from its working directory, which differs from call to call. */
function absolute(value: string, workTree: string): string {
  if (value === '') return '';
  const bytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
  return value.startsWith('~/') ? join(bytes(homedir()), value.slice(2)) : resolve(bytes(workTree), value);
}

/** `core.eol`, `lf` → `[core]\n\teol = "lf"\n`. In quotes only these four characters have a meaning to git. */
function settingText(key: string, value: string): string {
  const [section = '', name = ''] = key.split('.');
  const escaped = value.replace(/["\\\n\t]/g, (sign) => ({ '\n': '\\n', '\t': '\\t' })[sign] ?? `\\${sign}`);
  return `[${section}]\n\t${name} = "${escaped}"\n`;
}
