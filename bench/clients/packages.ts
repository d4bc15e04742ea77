/** The packages of bench/clients, which are installed on first use and never published. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { installedCommand } from '../../scripts/programs.mjs';
import { installPackages } from '../install-packages.ts';

const folder = import.meta.dirname;

export const installClients = (): void => installPackages(folder, 'the clients (bench/clients)');

/** The file of a program, for Node. */
export const clientProgram = (name: string) => installedCommand(folder, name);

/** URL of a module, for an import. */
export function clientModule(name: string): string {
  const { resolve } = createRequire(`${folder}/package.json`);
  return pathToFileURL(resolve(name)).href;
}
