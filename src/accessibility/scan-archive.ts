import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import * as z from 'zod';
import type { ArtifactStore } from '../platform/artifacts/artifact-store.ts';
import type { FolderManifest } from '../platform/artifacts/folder-snapshots.ts';
import { Failure } from '../platform/errors.ts';
import { type Owner, ownerFolder } from '../platform/principal.ts';
import { JOURNAL_FILE } from './engine/output/results-writer.ts';
import {
  baseUrlsDir,
  configPath,
  findResultsDir,
  noHeadDir,
  prepareWorkspace,
  resultsRoot,
  shortId,
  type Workspace,
} from './workspace.ts';

const scanInputs = z.object({
  config: z.record(z.string(), z.json()),
  /** The site list. */
  urls: z.string(),
  /** Lists of servers that get no HEAD requests, by file name. */
  noHead: z.record(z.string().regex(/^[\w-][\w.-]*$/), z.string()),
});

export interface ArchivedScan {
  scanId: string;
  manifest: FolderManifest;
}

/** Inputs and results of one owner's scans in a bucket, for machines that share no disk. */
export interface ScanArchive {
  /** Copies the inputs of a scan from the workspace. */
  saveInputs(scanId: string): Promise<void>;
  /** Writes the inputs into the workspace of this machine, unless they are there. */
  restoreInputs(scanId: string): Promise<void>;
  removeInputs(scanId: string): Promise<void>;
  /** Copies the results so far. Throws `SUPERSEDED` if a later attempt of the job has done so. */
  publish(scanId: string, job: { attempt: number; isFinal: boolean }): Promise<void>;
  /** Brings the results folder of this machine up to date, and returns it. Undefined if no results were published. */
  restoreResults(scanId: string): Promise<string | undefined>;
  /** Fetches the results so far, unless this machine has more of them. */
  restoreForResume(scanId: string): Promise<void>;
  addReports(scanId: string, resultsDir: string, files: readonly string[]): Promise<void>;
  list(): Promise<ArchivedScan[]>;
}

const SNAPSHOTS = 'accessibility/';
const CONCURRENT_READS = 16;

/** Undefined where all processes share the home folder, so that the workspace itself is the archive. */
export function createScanArchive(
  artifacts: ArtifactStore,
  owner: Owner,
  workspace: Workspace,
): ScanArchive | undefined {
  const snapshots = artifacts.snapshots(owner);
  if (!snapshots) return undefined;
  const snapshotName = (scanId: string) => `${SNAPSHOTS}${scanId}`;
  const inputsName = (scanId: string) => join(ownerFolder(owner), 'accessibility', 'inputs', `${scanId}.json`);

  /** Two workers may name folders of different scans alike. */
  async function resultsFolder(scanId: string, folder: string): Promise<string> {
    const known = await findResultsDir(workspace, scanId);
    if (known !== undefined) return known;
    const path = join(resultsRoot(workspace), folder);
    return `${existsSync(join(path, 'config.json')) ? `${path}_${shortId(scanId)}` : path}/`;
  }

  const archive: ScanArchive = {
    async saveInputs(scanId) {
      const config = z
        .record(z.string(), z.json())
        .parse(JSON.parse(await readFile(configPath(workspace, scanId), 'utf8')));
      const urls = await readFile(join(baseUrlsDir(workspace, scanId), 'urls.csv'), 'utf8');
      const noHead = await readCsvFiles(resolve(workspace.root, String(config['base_urls_nohead_path'] ?? '')));
      const data = Buffer.from(JSON.stringify({ config, urls, noHead }));
      await artifacts.write(owner, inputsName(scanId), data);
    },

    async restoreInputs(scanId) {
      await prepareWorkspace(workspace);
      if (existsSync(configPath(workspace, scanId))) return;
      const data = await artifacts.read(owner, inputsName(scanId));
      // The scan has ended, but its job has not: the results tell.
      if (!data) return;
      const { config, urls, noHead } = scanInputs.parse(JSON.parse(Buffer.from(data).toString('utf8')));
      await mkdir(baseUrlsDir(workspace, scanId), { recursive: true });
      await writeFile(join(baseUrlsDir(workspace, scanId), 'urls.csv'), urls);
      await mkdir(noHeadDir(workspace, scanId), { recursive: true });
      for (const [name, text] of Object.entries(noHead))
        await writeFile(join(noHeadDir(workspace, scanId), name), text);
      const own = { ...config, base_urls_nohead_path: `./base_urls/nohead/mcp_${shortId(scanId)}/` };
      await writeFile(configPath(workspace, scanId), JSON.stringify(own, null, 2));
    },

    removeInputs: (scanId) => artifacts.remove(owner, inputsName(scanId)),

    async publish(scanId, job) {
      const path = await findResultsDir(workspace, scanId);
      if (path === undefined) return;
      await snapshots.publish(snapshotName(scanId), { path, folder: basename(path), index: JOURNAL_FILE }, job);
    },

    async restoreResults(scanId) {
      const manifest = await snapshots.describe(snapshotName(scanId));
      if (!manifest) return undefined;
      const path = await resultsFolder(scanId, manifest.folder);
      await snapshots.restore(snapshotName(scanId), path);
      return path;
    },

    async restoreForResume(scanId) {
      const manifest = await snapshots.describe(snapshotName(scanId));
      const own = await findResultsDir(workspace, scanId);
      const ownSize = own === undefined ? -1 : await fileSizeOrZero(join(own, JOURNAL_FILE));
      if (ownSize < (manifest?.files[JOURNAL_FILE]?.size ?? 0)) await archive.restoreResults(scanId);
    },

    async addReports(scanId, resultsDir, files) {
      const names = files.map((file) => basename(file));
      await snapshots.add(snapshotName(scanId), resultsDir, names).catch((error: unknown) => {
        // Results from before the bucket was set are on this machine only.
        if (!(error instanceof Failure && error.code === 'NO_SNAPSHOT')) throw error;
      });
    },

    async list() {
      const names = await snapshots.list(SNAPSHOTS);
      const scans: ArchivedScan[] = [];
      const read = async () => {
        for (let name = names.pop(); name !== undefined; name = names.pop()) {
          const manifest = await snapshots.describe(name);
          if (manifest) scans.push({ scanId: name.slice(SNAPSHOTS.length), manifest });
        }
      };
      await Promise.all(Array.from({ length: CONCURRENT_READS }, read));
      return scans;
    },
  };
  return archive;
}

async function readCsvFiles(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[\w-][\w.-]*\.csv$/.test(name));
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')])),
  );
}

async function fileSizeOrZero(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}
