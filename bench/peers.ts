/** Programs that Assay is compared with. They are installed into bench/peers on first use and never published. */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'peers');

export function installPeers(): void {
  const installed = join(folder, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs)
    return;
  process.stderr.write('Installing the programs to compare with (bench/peers) …\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['ci', '--prefix', folder, ...flags], { stdio: 'inherit' });
}

export const peerProgram = (name: string) => join(folder, 'node_modules/.bin', name);

/** Path of a module in bench/peers, for an import. */
export const peerModule = (name: string) => createRequire(join(folder, 'package.json')).resolve(name);
