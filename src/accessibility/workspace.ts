import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, systemReason } from '../platform/errors.ts';
import { makeFolder, writeFileAtomic } from '../platform/files/files.ts';
import { isJsonObject, type JsonObject } from '../platform/json.ts';
import { formatCsvLine } from '../platform/reports/csv.ts';

/** Folder with the inputs and results of scans, in CWAC's layout for both engines. */
export interface Workspace {
  root: string;
}

/** File names contain the first eight characters of the scan id. */
export const shortId = (scanId: string) => scanId.slice(0, 8);
export const configFileName = (scanId: string) => `mcp_${shortId(scanId)}.json`;
export const configPath = ({ root }: Workspace, scanId: string) => join(root, 'config', configFileName(scanId));
export const pidPath = (workspace: Workspace, scanId: string) => `${configPath(workspace, scanId)}.pid`;
export const baseUrlsDir = ({ root }: Workspace, scanId: string) =>
  `${join(root, 'base_urls', 'visit', `mcp_${shortId(scanId)}`)}/`;
export const resultsRoot = ({ root }: Workspace) => `${join(root, 'results')}/`;
export const noHeadDir = ({ root }: Workspace, scanId: string) =>
  join(root, 'base_urls', 'nohead', `mcp_${shortId(scanId)}`);
const visitPath = (scanId: string) => `./base_urls/visit/mcp_${shortId(scanId)}/`;

/** Creates the folders of a native workspace. A CWAC installation brings its own. */
export async function prepareWorkspace(workspace: Workspace): Promise<void> {
  for (const folder of ['config', 'base_urls/visit', 'base_urls/nohead', 'results'])
    await makeWorkspaceFolder(workspace, folder);
}

async function makeWorkspaceFolder({ root }: Workspace, folder: string): Promise<void> {
  await makeFolder(join(root, folder)).catch((error: unknown) => {
    throw unusableWorkspace(root, error, folder);
  });
}

/** Writes the default configuration unless it exists. The operator's changes in it apply to every owner. */
export async function prepareDefaultConfig(workspace: Workspace, defaults: JsonObject): Promise<void> {
  const { root } = workspace;
  await makeWorkspaceFolder(workspace, 'config');
  const path = join(root, 'config', 'config_default.json');
  // Written atomically: a partial file would break every later scan.
  if (!existsSync(path))
    await writeFileAtomic(path, `${JSON.stringify(defaults, null, 2)}\n`, 0o644).catch((error: unknown) => {
      throw unusableWorkspace(root, error);
    });
}

function unusableWorkspace(root: string, error: unknown, folder?: string): Failure {
  const message = `Cannot use the workspace ${root}: ${folder === undefined ? '' : `${folder}: `}${systemReason(error)}`;
  return new Failure('configuration', 'WORKSPACE_UNUSABLE', message, {}, { cause: error });
}

export async function readDefaultConfig({ root }: Workspace): Promise<JsonObject> {
  const path = join(root, 'config', 'config_default.json');
  const config = await readJsonObject(path);
  if (config) return config;
  if (existsSync(path))
    throw new Failure('configuration', 'CWAC_CONFIG_BROKEN', `CWAC default config is not valid JSON: ${path}`);
  throw new Failure('configuration', 'CWAC_CONFIG_MISSING', 'CWAC default config not found');
}

/** Writes the inputs of an engine: its config and the site list. Removes them again when one cannot be written. */
export async function writeInputs(
  workspace: Workspace,
  scanId: string,
  config: JsonObject,
  urls: readonly URL[],
): Promise<void> {
  const folder = baseUrlsDir(workspace, scanId);
  const rows = urls.map((url) => formatCsvLine([url.hostname, inertHref(url), 'unknown']));
  const whole = { ...config, base_urls_visit_path: visitPath(scanId) };
  try {
    await mkdir(folder);
    await writeFile(join(folder, 'urls.csv'), `${['organisation,url,sector', ...rows].join('\n')}\n`);
    await writeFile(configPath(workspace, scanId), `${JSON.stringify(whole, null, 2)}\n`);
  } catch (error) {
    await removeInputs(workspace, scanId);
    throw unusableWorkspace(workspace.root, error);
  }
}

/** CWAC reads the address as it is written, so what looks like a formula after a separator is escaped as an address can be. */
function inertHref({ href }: URL): string {
  return href.replaceAll(/(?<=[;|])[=+\-@]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Removes the inputs of a scan; the engine has its own copy in the results folder. */
export async function removeInputs(workspace: Workspace, scanId: string): Promise<void> {
  await rm(configPath(workspace, scanId), { force: true });
  for (const folder of [baseUrlsDir(workspace, scanId), noHeadDir(workspace, scanId)])
    await rm(folder, { recursive: true, force: true });
}

/** Finds the results folder of a scan by `base_urls_visit_path` in its copy of the config. Undefined when there is none yet. */
export async function findResultsDir(workspace: Workspace, scanId: string): Promise<string | undefined> {
  return (await createResultsLookup(workspace))(scanId);
}

/** Like `findResultsDir` for many scans: reads all results folders once. */
export async function createResultsLookup(workspace: Workspace): Promise<(scanId: string) => string | undefined> {
  const byVisit = new Map<unknown, string>();
  const entries = await readdir(resultsRoot(workspace), { withFileTypes: true }).catch(() => []);
  // An engine that cannot resume creates a second folder after a restart; the later one wins.
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (!entry.isDirectory()) continue;
    const path = join(resultsRoot(workspace), entry.name);
    const config = await readJsonObject(join(path, 'config.json'));
    if (config) byVisit.set(config['base_urls_visit_path'], `${path}/`);
  }
  return (scanId) => byVisit.get(visitPath(scanId));
}

/** Creates an id whose short form, which is part of file names, no other scan has. */
export async function createScanId(workspace: Workspace, newId: () => string = randomUUID): Promise<string> {
  const findDir = await createResultsLookup(workspace);
  for (;;) {
    const id = newId();
    if (!existsSync(baseUrlsDir(workspace, id)) && findDir(id) === undefined) return id;
  }
}

async function readJsonObject(path: string): Promise<JsonObject | undefined> {
  try {
    const value: unknown = JSON.parse((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
