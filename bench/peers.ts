/** Programs that Assay is compared with. They are installed into bench/peers on first use and never published. */
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installedCommand, runNpm } from '../scripts/programs.mjs';

const folder = join(import.meta.dirname, 'peers');

export function installPeers(): void {
  const installed = join(folder, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs)
    return;
  process.stderr.write('Installing the programs to compare with (bench/peers) …\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  if (runNpm(['ci', '--prefix', folder, ...flags]).status !== 0) throw new Error(`npm ci failed in ${folder}`);
}

/** The file of a program, for Node. */
export const peerProgram = (name: string) => installedCommand(folder, name);

/** Path of a module in bench/peers, for an import. */
export const peerModule = (name: string) => createRequire(join(folder, 'package.json')).resolve(name);
