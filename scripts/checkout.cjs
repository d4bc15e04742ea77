// Finds the release build of a checkout. Plain CommonJS, because Node loads it faster than modules and types,
// and small, because it runs at every start. What builds is in build-checkout.mjs.
const { readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '../');
const builds = `${root}node_modules/.cache/assay-builds`;
const DAY_MS = 86_400_000;

/**
 * Returns a folder with the release build of these sources, laid out as the published package. Builds are never changed,
 * so a server that runs keeps the build that it was started with.
 *
 * Throws an Error whose message names the next step.
 */
exports.findOrBuild = async function findOrBuild() {
  return findBuild() ?? (await import('./build-checkout.mjs')).findOrBuild(root, builds, stampOf);
};

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
