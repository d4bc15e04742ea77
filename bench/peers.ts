/** Programs that Assay is compared with. They are installed into bench/peers on first use and never published. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installedCommand } from '../scripts/programs.mjs';
import { installPackages } from './install-packages.ts';

const folder = join(import.meta.dirname, 'peers');

export const installPeers = (): void => installPackages(folder, 'the programs to compare with (bench/peers)');

/** The file of a program, for Node. */
export const peerProgram = (name: string) => installedCommand(folder, name);

/** Path of a module in bench/peers, for an import. */
export const peerModule = (name: string) => createRequire(join(folder, 'package.json')).resolve(name);
