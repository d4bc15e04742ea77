/** The packages of bench/clients, which are installed on first use and never published. */
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installedCommand, runNpm } from '../../scripts/programs.mjs';

const folder = import.meta.dirname;

export function installClients(): void {
  const installed = join(folder, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs)
    return;
  process.stderr.write('Installing the clients (bench/clients) …\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  if (runNpm(['ci', '--prefix', folder, ...flags]).status !== 0) throw new Error(`npm ci failed in ${folder}`);
}

/** The file of a program, for Node. */
export const clientProgram = (name: string) => installedCommand(folder, name);

/** URL of a module, for an import. */
export function clientModule(name: string): string {
  const { resolve } = createRequire(join(folder, 'package.json'));
  return pathToFileURL(resolve(name)).href;
}
