/** Everything that must hold before a change lands. `npm test -- lint types` runs only the named steps. */
import { launchBrowser } from '../src/platform/browser/launch.ts';
import { Failure } from '../src/platform/errors.ts';
import { testHome } from '../test/sites/workspace.ts';
import { runStep, say } from './steps.ts';

const steps: Record<string, string[]> = {
  lint: ['biome', 'ci', '--error-on-warnings', ...(process.env['NO_COLOR'] ? ['--colors=off'] : []), '.'],
  types: ['tsc', '--project', '.'],
  'dead-code': ['knip'],
  docs: [process.execPath, 'scripts/docs.ts', '--check'],
  tests: ['vitest', 'run', '--reporter=default', '--reporter=junit', '--outputFile.junit=reports/junit.xml'],
  standards: [process.execPath, 'bin/assay.js', 'ci', 'standards'],
  conformance: [process.execPath, 'scripts/conformance.ts'],
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in steps));
if (unknown.length > 0) {
  say(`There is no step ${unknown.join(', ')}. There are: ${Object.keys(steps).join(', ')}.`);
  process.exit(2);
}
const failed: string[] = [];
const chosen = Object.entries(steps).filter(([name]) => wanted.length === 0 || wanted.includes(name));
for (const [name, command] of chosen) {
  say(`\n▶ ${name}: ${command.map((part) => (part === process.execPath ? 'node' : part)).join(' ')}`);
  if ((name === 'tests' && !(await hasBrowser())) || (await runStep(command)) !== 0) failed.push(name);
}
if (failed.length > 0) say(`\nFailed: ${failed.join(', ')}`);
say(`\nsteps: ${chosen.length - failed.length} passed, ${failed.length} failed`);
process.exit(failed.length > 0 ? 1 : 0);

/** Without a browser half of the tests fail, each in words of its own. One line is better. */
async function hasBrowser(): Promise<boolean> {
  try {
    await (await launchBrowser({ home: testHome })).close();
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    say(`The tests need a browser. ${error.message}`);
    return false;
  }
}
