/** The packages of bench/clients, which are installed on first use and never published. */
import { execFileSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = import.meta.dirname;

export function installClients(): void {
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return;
  process.stderr.write('Installing the clients (bench/clients) …\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['ci', '--prefix', folder, ...flags], { stdio: 'inherit' });
}

export const clientProgram = (name: string) => realpathSync(join(folder, 'node_modules/.bin', name));

/** URL of a module, for an import. */
export function clientModule(name: string): string {
  const { resolve } = createRequire(join(folder, 'package.json'));
  return pathToFileURL(resolve(name)).href;
}
