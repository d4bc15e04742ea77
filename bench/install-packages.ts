/** Packages that only a bench needs. Each folder of them has its own lockfile; they are installed on first use and never published. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { runNpm } from '../scripts/programs.mjs';

/** Installs the packages of a folder, unless that is done: `what` names them for the user. */
export function installPackages(folder: string, what: string): void {
  const installed = join(folder, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs)
    return;
  process.stderr.write(`Installing ${what} …\n`);
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  if (runNpm(['ci', '--prefix', folder, ...flags]).status !== 0) throw new Error(`npm ci failed in ${folder}`);
}
