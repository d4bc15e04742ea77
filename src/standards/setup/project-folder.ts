import { lstat, mkdir, rmdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Failure, quote, systemCode, systemReason } from '../../platform/errors.ts';

const projectNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/;

/** The folder and the name of a project. */
export interface ProjectFolder extends AsyncDisposable {
  root: string;
  name: string;
  /** Whether the folder was created. */
  isNew: boolean;
  /** Keeps a created folder on dispose. */
  keep(): void;
}

/** Opens or creates the folder of a project: `.` is the folder itself, a name a folder in it. */
export async function openProjectFolder(folder: string, projectName: string): Promise<ProjectFolder> {
  if (projectName === '.') return createProjectFolder(folder, toPackageName(basename(folder)), false);
  if (!projectNamePattern.test(projectName) || projectName.endsWith('.'))
    throw new Failure(
      'bad_input',
      'EINVAL',
      `projectName ${quote(projectName)} is not a valid project name: give "." or at most 50 letters, digits, dots, dashes and underscores, the first a letter or digit`,
    );
  const root = join(folder, projectName);
  try {
    await mkdir(root);
    return createProjectFolder(root, toPackageName(projectName), true);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST')
      throw new Failure(
        'unavailable',
        systemCode(error) === 'ENOENT' ? 'ENOENT' : 'EACCES',
        `Cannot create the folder ${quote(projectName)}: ${systemReason(error)}; make workingDirectory a writable folder`,
      );
  }
  if (!(await lstat(root)).isDirectory())
    throw new Failure(
      'conflict',
      'EINVAL',
      `projectName ${quote(projectName)} exists already and is not a folder; pass another name`,
    );
  return createProjectFolder(root, toPackageName(projectName), false);
}

function createProjectFolder(root: string, name: string, isNew: boolean): ProjectFolder {
  let isKept = !isNew;
  return {
    root,
    name,
    isNew,
    keep() {
      isKept = true;
    },
    async [Symbol.asyncDispose]() {
      if (!isKept) await rmdir(root).catch(() => undefined);
    },
  };
}

/** A name that package managers accept. */
function toPackageName(text: string): string {
  const name = text
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replaceAll(/^[-_]+|[-_]+$/g, '');
  return name.slice(0, 50) || 'project';
}
