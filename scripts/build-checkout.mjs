// The release build of a checkout: made when the sources have changed, and then started like the installed package.
import { spawnSync } from 'node:child_process';
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
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

const DAY_MS = 86_400_000;
const KEPT_FOR_MS = 7 * DAY_MS;
/** Files of the package other than the bundle. */
const COPIED = ['bin', 'package.json', 'skills'];
const SOURCES = [...COPIED, 'src', 'scripts/build.ts', 'scripts/build', 'node_modules/.package-lock.json'];

/**
 * Returns the build of the sources, from an earlier start or made now. Builds are stored by the paths, sizes and times of their
 * sources. Processes that start at once may both build; the first result is used by all.
 */
export function findOrBuild(root, builds, stampOf) {
  if (!existsSync(join(root, 'node_modules/esbuild/package.json')))
    throw new Error(`the packages of this checkout are not installed. Run "npm ci" in ${root}`);
  const { paths, name } = describeSources(root);
  // Taken before the build, so that an edit during the build leads to another one.
  const stamp = stampOf(paths);
  const folder = join(builds, name);
  const built = statSync(folder, { throwIfNoEntry: false });
  if (!built) makeBuild(root, builds, folder);
  else if (built.mtimeMs < Date.now() - DAY_MS) markAsUsed(folder);
  rememberBuild(builds, [name, stamp, ...paths]);
  return folder;
}

/** Folders and files of the sources without unit tests, and a name for their state. */
function describeSources(root) {
  const paths = [];
  const described = [];
  const visit = (path) => {
    const stats = statSync(join(root, path));
    paths.push(path);
    if (stats.isDirectory())
      for (const entry of readdirSync(join(root, path)).toSorted()) {
        if (!entry.endsWith('.test.ts')) visit(`${path}/${entry}`);
      }
    else described.push(path, stats.mtimeMs, stats.size);
  };
  SOURCES.forEach(visit);
  return { paths, name: hash('sha256', described.join('\n')).slice(0, 16) };
}

/** Without the right to write, each start looks for its build again. */
function rememberBuild(builds, lines) {
  const aside = join(builds, `latest-${process.pid}`);
  try {
    writeFileSync(aside, lines.join('\n'));
    renameSync(aside, join(builds, 'latest'));
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS'].includes(error.code)) throw error;
  }
}

function makeBuild(root, builds, folder) {
  try {
    mkdirSync(builds, { recursive: true });
    removeOldBuilds(builds);
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
function removeOldBuilds(builds) {
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
