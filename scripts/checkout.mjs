// Finds the release build of a checkout. Plain JavaScript, because Node starts it without loading the code that removes
// types, and small, because it runs at every start; what builds is in build-checkout.mjs.
import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const builds = `${root}node_modules/.cache/assay-builds`;
const DAY_MS = 86_400_000;

/**
 * Returns a folder with the release build of these sources, laid out as the published package. Builds are never changed,
 * so a server that runs keeps the build that it was started with.
 *
 * Throws an Error whose message names the next step.
 */
export async function findOrBuild() {
  return findBuild() ?? (await import('./build-checkout.mjs')).findOrBuild(root, builds, stampOf);
}

/**
 * The build that was used last, if its sources are unchanged. The file `latest` has the name of the build, the stamp of its
 * sources, and their paths. Folders are among them, so new and removed files are noticed.
 */
function findBuild() {
  try {
    const [name, stamp, ...paths] = readFileSync(`${builds}/latest`, 'utf8').split('\n');
    if (stampOf(paths) !== Number(stamp)) return undefined;
    const folder = `${builds}/${name}`;
    // A build that is not marked as used for a week is removed.
    return statSync(folder).mtimeMs > Date.now() - DAY_MS ? folder : undefined;
  } catch (error) {
    if (error.code) return undefined;
    throw error;
  }
}

/** A number that changes with the time or size of any of the files. A sum, because a hash costs as much as the start. */
function stampOf(paths) {
  let stamp = 0;
  for (const path of paths) {
    const { mtimeMs, size } = statSync(root + path);
    stamp += mtimeMs + size;
  }
  return stamp;
}
