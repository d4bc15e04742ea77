/** `npm run bench -- <name> [flags]` runs one measurement; without a name it lists all. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, runStep, say } from './steps.ts';

const names = readdirSync(join(root, 'bench'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'peers')
  .map(({ name }) => name);
const [name, ...flags] = process.argv.slice(2);
if (name === undefined || !names.includes(name)) {
  say(`Usage: npm run bench -- <name> [flags]. Measurements: ${names.join(', ')}.`);
  process.exit(2);
}
process.exit(await runStep(['node', `bench/${name}/run.ts`, ...flags]));
