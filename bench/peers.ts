/** The programs that Assay is measured against, in a folder of their own: installed on first use, never shipped. */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'peers');

export function installPeers(): void {
  const installed = join(folder, 'node_modules/.package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(folder, 'package-lock.json')).mtimeMs)
    return;
  process.stderr.write('Installing the programs to compare with …\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['ci', '--prefix', folder, ...flags], { stdio: 'inherit' });
}

export const peerProgram = (name: string) => join(folder, 'node_modules/.bin', name);

/** Where a package of theirs is, for an import. */
export const peerModule = (name: string) => createRequire(join(folder, 'package.json')).resolve(name);
