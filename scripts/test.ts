/**
 * Everything that must hold before a change lands. `npm test -- lint types` runs only the named steps; any other argument
 * is a test file or a folder: `npm test -- lint src/coverage` runs the lint step and the tests below that folder.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, runStep, say } from './steps.ts';

const vitest = ['vitest', 'run'];
const report = ['--reporter=default', '--reporter=junit', '--outputFile.junit=reports/junit.xml'];
const steps: Record<string, string[]> = {
  lint: ['biome', 'ci', '--error-on-warnings', ...(process.env['NO_COLOR'] ? ['--colors=off'] : []), '.'],
  types: ['tsc', '--project', '.'],
  'dead-code': ['knip'],
  docs: ['node', 'scripts/docs.ts', '--check'],
  tests: [...vitest, ...report],
  standards: ['node', 'bin/assay.js', 'ci', 'standards', '--no-run'],
  conformance: ['node', 'scripts/conformance.ts'],
};

const wanted = process.argv.slice(2);
const paths = wanted.filter((name) => !(name in steps));
const unknown = paths.filter((path) => !existsSync(join(root, path)));
if (unknown.length > 0) {
  const known = `The steps are: ${Object.keys(steps).join(', ')}.`;
  say(`${unknown.join(', ')} is neither a step nor a file or folder of this repository. ${known}`);
  process.exit(2);
}
// The report is evidence about all tests, so a part of them does not replace it. A part runs beside other work, so
// it takes no more workers than there are cores.
if (paths.length > 0) steps['tests'] = [...vitest, '--maxWorkers=100%', ...paths];
const failed: string[] = [];
const isChosen = (name: string) =>
  wanted.length === 0 || wanted.includes(name) || (name === 'tests' && paths.length > 0);
const chosen = Object.entries(steps).filter(([name]) => isChosen(name));
for (const [name, command] of chosen) {
  say(`\n▶ ${name}: ${command.join(' ')}`);
  if ((await runStep(command)) !== 0) failed.push(name);
}
if (failed.length > 0) say(`\nFailed: ${failed.join(', ')}`);
say(`\nsteps: ${chosen.length - failed.length} passed, ${failed.length} failed`);
process.exit(failed.length > 0 ? 1 : 0);
