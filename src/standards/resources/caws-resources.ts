import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../../platform/errors.ts';
import type { Resource, ResourceContext } from '../../tool/tool.ts';
import { resolveWorkingFolder } from '../spec/project.ts';
import { lstatIfExists, readProjectFile } from '../spec/project-file.ts';
import { listWaiverFiles, loadWaiver, loadWaivers } from '../spec/waivers.ts';
import { defaultSpecFile } from '../spec/working-spec.ts';

const specPath = /^(?:[^/]+\/)*\.caws\/(?:[^/]+\/)*[^/]+\.ya?ml$/;
const packageFolders = ['packages', 'apps', 'crates', 'services', 'modules'];
const MAX_LISTED = 200;

/** The specs of the project, and other YAML files in a `.caws` folder. */
export const workingSpecResource: Resource = {
  name: 'caws-working-spec',
  title: 'Working spec',
  description: 'Working spec of the project: the content of the YAML file.',
  uriTemplate: 'caws://working-spec/{+path}',
  mimeType: 'application/yaml',
  scope: 'standards:read',
  complete: {
    path: async (typed, context) => (await listSpecs(context)).filter((path) => path.startsWith(typed)),
  },
  list: async (context) =>
    (await listSpecs(context)).map((path) => ({
      uri: `caws://working-spec/${path.split('/').map(encodeURIComponent).join('/')}`,
      name: `Working Spec: ${path.replace(/^.*\//, '').replace(/\.ya?ml$/, '')}`,
      description: path === defaultSpecFile ? 'Working spec of the project' : path,
    })),
  async read({ path = '' }, context) {
    const decoded = decodeOnce(path);
    if (decoded === undefined || !isSpecPath(decoded)) return undefined;
    return undefinedIfUnreadable(async () => {
      const root = await resolveRoot(context);
      await rejectLinks(root, decoded);
      return (await readProjectFile(root, decoded, { what: 'the working spec', maxBytes: 512 * 1024 })).text;
    });
  },
};

/** A waiver with all its fields and its effective state. */
export const waiverResource: Resource = {
  name: 'caws-waiver',
  title: 'Waiver',
  description: 'Waiver of quality gates, with its current state: active, expired or revoked.',
  uriTemplate: 'caws://waivers/{id}',
  mimeType: 'application/json',
  scope: 'standards:read',
  complete: {
    id: async (typed, context) =>
      ((await undefinedIfUnreadable(async () => listWaiverFiles(await resolveRoot(context)))) ?? [])
        .map(waiverIdFromFile)
        .filter((id) => id.startsWith(typed)),
  },
  async list(context) {
    const loaded = await undefinedIfUnreadable(async () => loadWaivers(await resolveRoot(context), Date.now()));
    return (loaded?.waivers ?? []).map(({ waiver, state }) => ({
      uri: `caws://waivers/${waiver.id}`,
      name: `${waiver.id}: ${waiver.title}`,
      description: `${state}; ${waiver.gates.join(', ')} until ${waiver.expires_at}`,
    }));
  },
  async read({ id = '' }, context) {
    const decoded = decodeOnce(id) ?? '';
    if (!/^WV-\d{4,12}$/.test(decoded)) return undefined;
    const root = await undefinedIfUnreadable(() => resolveRoot(context));
    if (root === undefined) return undefined;
    const name = (await listWaiverFiles(root)).find((file) => waiverIdFromFile(file) === decoded);
    const loaded = name === undefined ? undefined : await loadWaiver(root, name, Date.now());
    if (!loaded) return undefined;
    if (!('waiver' in loaded))
      return JSON.stringify({ id: decoded, effective_status: 'invalid', problems: loaded.problems });
    return JSON.stringify({
      ...loaded.waiver,
      effective_status: loaded.state,
      file: loaded.file,
      sha256: loaded.sha256,
    });
  },
};

const waiverIdFromFile = (file: string) => file.replace(/\.ya?ml$/, '');

/** Uses the server's working directory as project. Lists are requested often, so git is not started. */
function resolveRoot(context: Pick<ResourceContext, 'cwd' | 'checkPath'>): Promise<string> {
  return resolveWorkingFolder(undefined, context);
}

/** Decodes once only: a name may itself contain an encoded percent sign. */
function decodeOnce(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function isSpecPath(path: string): boolean {
  const parts = path.split('/');
  const isPlain = parts.every((part) => part !== '' && part !== '.' && part !== '..');
  return isPlain && !/[\0\\]/.test(path) && specPath.test(path);
}

/** Rejects all links, also those within the project, so that the content belongs to the name. */
async function rejectLinks(root: string, path: string): Promise<void> {
  const parts = path.split('/');
  for (const index of parts.keys()) {
    const stats = await lstatIfExists(join(root, ...parts.slice(0, index + 1)));
    if (!stats || stats.isSymbolicLink())
      throw new Failure('not_found', 'ENOENT', 'File not found; list the resources for those that exist');
  }
}

/** A resource that the caller may not read counts as missing, and must not fail the list of the others. */
async function undefinedIfUnreadable<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** Working specs of the project, for lists and completion. */
export async function listSpecs(context: Parameters<typeof resolveRoot>[0]): Promise<string[]> {
  return (await undefinedIfUnreadable(async () => findSpecFiles(await resolveRoot(context)))) ?? [];
}

/** The project's own spec, those of its features, and those of the packages of a monorepo. */
async function findSpecFiles(root: string): Promise<string[]> {
  const packages = await Promise.all(
    packageFolders.map(async (folder) =>
      (await listNames(root, folder, 'folder')).map((name) => `${folder}/${name}/.caws`),
    ),
  );
  const found: string[] = [];
  for (const folder of ['.caws', '.caws/specs', ...packages.flat()]) {
    if (!(await lstatIfExists(join(root, folder)))?.isDirectory()) continue;
    const names = await listNames(root, folder, 'file');
    const wanted = folder.endsWith('specs') ? /\.ya?ml$/ : /^working-spec.*\.ya?ml$/;
    found.push(...names.filter((name) => wanted.test(name)).map((name) => `${folder}/${name}`));
  }
  return found.slice(0, MAX_LISTED);
}

async function listNames(root: string, folder: string, kind: 'file' | 'folder'): Promise<string[]> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => (kind === 'file' ? entry.isFile() : entry.isDirectory()))
    .map(({ name }) => name)
    .sort();
}
