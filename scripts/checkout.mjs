// The release build of a checkout: made when the sources have changed, and then started like the installed package. Plain
// JavaScript, because Node starts it without loading the code that removes types.
import { hash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const builds = join(root, 'node_modules/.cache/assay-builds');
const DAY_MS = 86_400_000;
const KEPT_FOR_MS = 7 * DAY_MS;
/** Files of the package beside the bundle. */
const COPIED = ['bin', 'package.json', 'skills'];
const SOURCES = [...COPIED, 'src', 'scripts/build.ts', 'scripts/build', 'node_modules/.package-lock.json'];

/**
 * Returns a folder with the release build of these sources, laid out as the published package. Builds are stored by
 * the paths, sizes and times of their sources and are never changed, so a server that runs keeps the build that it was
 * started with. Processes that start at once may both build; the first result is used by all.
 *
 * Throws an Error whose message names the next step.
 */
export async function findOrBuild() {
  if (!existsSync(join(root, 'node_modules/esbuild/package.json')))
    throw new Error(`the packages of this checkout are not installed. Run "npm ci" in ${root}`);
  const folder = join(builds, describeSources());
  const built = statSync(folder, { throwIfNoEntry: false });
  if (!built) await build(folder);
  else if (built.mtimeMs < Date.now() - DAY_MS) markAsUsed(folder);
  return folder;
}

function describeSources() {
  const described = [];
  const visit = (path) => {
    const { mtimeMs, size } = statSync(root + path);
    described.push(path, mtimeMs, size);
  };
  const visitFolder = (folder) => {
    for (const entry of readdirSync(root + folder, { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) visitFolder(path);
      else if (!entry.name.endsWith('.test.ts')) visit(path);
    }
  };
  for (const source of SOURCES) statSync(join(root, source)).isDirectory() ? visitFolder(source) : visit(source);
  return hash('sha256', described.join('\n')).slice(0, 16);
}

async function build(folder) {
  try {
    // Loaded on use: a start with a build does not need it.
    const { spawnSync } = await import('node:child_process');
    mkdirSync(builds, { recursive: true });
    removeOldBuilds();
    const fresh = mkdtempSync(join(builds, 'new-'));
    process.stderr.write('assay: building this checkout, because its sources have changed\n');
    // Only the protocol may write to stdout.
    const { status } = spawnSync(process.execPath, [join(root, 'scripts/build.ts'), join(fresh, 'dist')], {
      cwd: root,
      stdio: ['ignore', 2, 2],
    });
    if (status !== 0) {
      rmSync(fresh, { recursive: true });
      throw new Error(
        `the build of this checkout failed. Correct the errors above; "npm run build" in ${root} repeats it`,
      );
    }
    for (const name of COPIED) cpSync(join(root, name), join(fresh, name), { recursive: true });
    publish(fresh, folder);
  } catch (error) {
    if (!error.code) throw error;
    throw new Error(
      `cannot write the build to ${builds}: ${error.message}. Start assay once as a user who may write there`,
    );
  }
}

function publish(fresh, folder) {
  try {
    renameSync(fresh, folder);
  } catch (error) {
    // Another process has built the same sources in the meantime.
    if (!existsSync(folder)) throw error;
    rmSync(fresh, { recursive: true });
  }
}

/** A build of a long running server stays: its files are loaded on demand. */
function removeOldBuilds() {
  for (const name of readdirSync(builds)) {
    const old = join(builds, name);
    const { mtimeMs } = statSync(old, { throwIfNoEntry: false }) ?? {};
    if (mtimeMs < Date.now() - KEPT_FOR_MS) rmSync(old, { recursive: true, force: true });
  }
}

function markAsUsed(folder) {
  const now = new Date();
  utimesSync(folder, now, now);
}
