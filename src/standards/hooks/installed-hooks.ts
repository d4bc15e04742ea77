import { constants, copyFile, link, lstat, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, systemReason } from '../../platform/errors.ts';
import { writeFileAtomic } from '../../platform/files/files.ts';
import type { GovernedProject } from '../spec/project.ts';
import { relativePath } from '../spec/project-file.ts';
import { createHookFolder, resolveHookFolder } from './hook-folder.ts';
import { type HookName, hookNames, parseHookScript, renderHookScript } from './hook-script.ts';

type HookState =
  /** Runs, and is unchanged. */
  | 'active'
  /** Written by this program for another location or by an earlier version: install again. */
  | 'outdated'
  | 'edited'
  | 'not_executable'
  /** Not written by this program. */
  | 'foreign'
  | 'missing';

interface HookStatus {
  hook: HookName;
  state: HookState;
  /** File name of the previous hook, and whether it still runs. */
  kept?: string;
  chained?: boolean;
  /** What this call did. */
  done?: string;
}

export interface HooksReport {
  folder: string;
  hooks: HookStatus[];
  active: number;
  notes: string[];
}

export interface InstallHooksOptions {
  force: boolean;
  backup: boolean;
  /** Node and its arguments, as this process was started. */
  program: readonly string[];
}

const EXECUTABLE = 0o755;

export async function readHooksStatus(project: GovernedProject, program: readonly string[]): Promise<HooksReport> {
  const target = await resolveHookTarget(project, program);
  return buildReport(target, await Promise.all(hookNames.map((name) => inspectHook(target, name))));
}

/** Writes the four hooks. An existing hook keeps running first, unless `force` replaces it. */
export async function installHooks(project: GovernedProject, options: InstallHooksOptions): Promise<HooksReport> {
  const target = await resolveHookTarget(project, options.program);
  await createHookFolder(target.path);
  const hooks: HookStatus[] = [];
  for (const name of hookNames) {
    const before = await inspectHook(target, name);
    const done = await installHook(target, name, before, options);
    hooks.push({ ...(await inspectHook(target, name)), done });
  }
  return buildReport(target, hooks);
}

/** Removes the hooks of this program and restores the previous ones. */
export async function removeHooks(project: GovernedProject, force: boolean): Promise<HooksReport> {
  const target = await resolveHookTarget(project, []);
  const hooks: HookStatus[] = [];
  for (const name of hookNames) {
    const before = await inspectHook(target, name);
    const done = await removeHook(target, name, before, force);
    hooks.push({ ...(await inspectHook(target, name)), done });
  }
  return buildReport(target, hooks);
}

interface HookTarget {
  path: string;
  program: readonly string[];
  /** The project, relative to the top of the work tree. */
  folder: string;
  notes: string[];
}

async function resolveHookTarget(project: GovernedProject, program: readonly string[]): Promise<HookTarget> {
  const { path, configured, repository } = await resolveHookFolder(project);
  const notes = configured === undefined ? [] : [`core.hooksPath is set: the hooks are in ${path}`];
  if (/(^|\/)\.husky\/_?$/.test(path))
    notes.push('husky rewrites this folder during its setup: install the hooks again afterwards');
  return { path, program, folder: relativePath(repository.root, project.root), notes };
}

async function inspectHook({ path, program, folder }: HookTarget, name: HookName): Promise<HookStatus> {
  const file = join(path, name);
  const stats = await lstat(file).catch(() => undefined);
  if (!stats) return { hook: name, state: 'missing' };
  const text = stats.isFile() ? await readFile(file, 'utf8') : '';
  const { ours, edited, kept, chained } = parseHookScript(text);
  if (!ours) return { hook: name, state: 'foreign' };
  const facts = { hook: name, ...(kept !== undefined && { kept, chained }) };
  if (edited) return { ...facts, state: 'edited' };
  if ((stats.mode & 0o111) === 0) return { ...facts, state: 'not_executable' };
  const isCurrent = program.length === 0 || renderHookScript(name, { program, folder, kept, chained }) === text;
  return { ...facts, state: isCurrent ? 'active' : 'outdated' };
}

async function installHook(
  target: HookTarget,
  name: HookName,
  { state, kept, chained }: HookStatus,
  options: InstallHooksOptions,
): Promise<string> {
  if (state === 'active') return 'was active already';
  if (state === 'edited' && !options.force) return 'left as it is: it was edited by hand; force replaces it';
  const file = join(target.path, name);
  try {
    const backup = options.backup && state !== 'missing' ? await backUpHook(target.path, name) : undefined;
    let before = { kept, chained: chained ?? false };
    if (state === 'foreign') before = { kept: await keepPreviousHook(target.path, name), chained: !options.force };
    const scriptOptions = { program: target.program, folder: target.folder, ...before };
    await writeFileAtomic(file, renderHookScript(name, scriptOptions), EXECUTABLE);
    const what =
      state === 'foreign'
        ? before.chained
          ? 'installed; the existing hook runs first'
          : 'installed; replaced the existing hook'
        : 'installed';
    return backup === undefined ? what : `${what}; copied to ${backup}`;
  } catch (error) {
    throw new Failure(
      'unavailable',
      'EACCES',
      `Cannot write the hook ${name}: ${systemReason(error)}; make the hooks folder writable`,
      {},
      { cause: error },
    );
  }
}

async function removeHook(
  { path }: HookTarget,
  name: HookName,
  { state, kept }: HookStatus,
  force: boolean,
): Promise<string> {
  if (state === 'missing') return 'was not installed';
  if (state === 'foreign') return 'left as it is: not written by caws_hooks';
  if (state === 'edited' && !force) return 'left as it is: it was edited by hand; force removes it';
  const file = join(path, name);
  try {
    if (kept !== undefined && (await lstat(join(path, kept)).catch(() => undefined))) {
      await rename(join(path, kept), file);
      return 'removed; the previous hook is restored';
    }
    await rm(file);
    return 'removed';
  } catch (error) {
    throw new Failure(
      'unavailable',
      'EACCES',
      `Cannot remove the hook ${name}: ${systemReason(error)}; make the hooks folder writable`,
      {},
      { cause: error },
    );
  }
}

/** Gives an existing hook a second name. It keeps its own until the new hook replaces it, so that no hook is ever missing. */
async function keepPreviousHook(path: string, name: HookName): Promise<string> {
  for (let count = 1; ; count++) {
    const kept = `${name}.before-assay${count === 1 ? '' : `-${count}`}`;
    if (await lstat(join(path, kept)).catch(() => undefined)) continue;
    // Some file systems have no hard links.
    await link(join(path, name), join(path, kept)).catch(() => rename(join(path, name), join(path, kept)));
    return kept;
  }
}

async function backUpHook(path: string, name: HookName): Promise<string> {
  const stamp = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const backup = `${name}.backup-${stamp}`;
  await copyFile(join(path, name), join(path, backup), constants.COPYFILE_EXCL);
  return backup;
}

function buildReport({ path, notes }: HookTarget, hooks: HookStatus[]): HooksReport {
  const all = [...notes];
  if (hooks.some(({ state }) => state === 'edited' || state === 'outdated' || state === 'not_executable'))
    all.push('some hooks are changed, outdated or not executable: install them again');
  return { folder: path, hooks, active: hooks.filter(({ state }) => state === 'active').length, notes: all };
}
