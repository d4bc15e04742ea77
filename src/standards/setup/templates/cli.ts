import { acceptanceCriterion, formatJson, type ProjectTemplate, testScripts } from './template.ts';

export const cli: ProjectTemplate = {
  spec: {
    risk_tier: 3,
    blast_radius: { modules: ['command line'], data_migration: false },
    operational_rollback_slo: '1d',
    change_budget: { max_files: 15, max_loc: 600 },
    scope: {
      in: ['bin/', 'src/', 'lib/', 'test/', 'package.json', '.gitignore', 'codemods/', '.github/'],
      out: ['node_modules/', 'dist/'],
    },
    invariants: [
      'The exit code is 0 on success, 1 when the work failed and 2 when the call was wrong',
      'Results go to the standard output, everything else to the standard error',
      'A flag that was released keeps its meaning',
    ],
    acceptance: [
      acceptanceCriterion(
        'A1',
        'a user at a terminal',
        'the command is run with --help',
        'the usage is printed and the exit code is 0',
      ),
      acceptanceCriterion(
        'A2',
        'a user at a terminal',
        'the command is run with a flag it does not know',
        'the flag is named on the standard error and the exit code is 2',
      ),
    ],
    non_functional: {
      a11y: ['Colour never carries a meaning alone, and NO_COLOR is respected'],
      perf: { start_ms: 200 },
      security: ['No argument reaches a shell'],
    },
    contracts: [],
  },
  contracts: {},
  starter: (name) => ({
    'package.json': formatJson({
      name,
      version: '0.1.0',
      type: 'module',
      bin: { [name]: `bin/${name}.js` },
      files: ['bin', 'src'],
      scripts: testScripts,
    }),
    [`bin/${name}.js`]: `#!/usr/bin/env node
import { run } from '../src/run.js';

process.exitCode = run(process.argv.slice(2), process);
`,
    'src/run.js': `const usage = 'Usage: ${name} [--help] [name …]\\n\\nGreets every name.\\n';

/** Does what the arguments say, and gives the exit code. */
export function run(args, { stdout, stderr }) {
  const unknown = args.find((argument) => argument.startsWith('-') && argument !== '--help');
  if (unknown !== undefined) {
    stderr.write(\`Unknown flag \${unknown}\\n\\n\${usage}\`);
    return 2;
  }
  stdout.write(args.includes('--help') ? usage : args.map((name) => \`Hello, \${name}\\n\`).join(''));
  return 0;
}
`,
    'test/run.test.js': `import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../src/run.js';

function outcome(...args) {
  const said = { out: '', err: '' };
  const code = run(args, { stdout: { write: (text) => (said.out += text) }, stderr: { write: (text) => (said.err += text) } });
  return { code, ...said };
}

test('A1: --help prints the usage', () => {
  const { code, out } = outcome('--help');
  assert.equal(code, 0);
  assert.match(out, /^Usage: /);
});

test('A2: an unknown flag is named, and the call was wrong', () => {
  const { code, out, err } = outcome('--nonsense');
  assert.deepEqual({ code, out }, { code: 2, out: '' });
  assert.match(err, /--nonsense/);
});

test('greets', () => {
  assert.equal(outcome('Ada', 'Alan').out, 'Hello, Ada\\nHello, Alan\\n');
});

test('the program ends with the exit code', () => {
  const program = fileURLToPath(new URL('../bin/${name}.js', import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, [program, 'Ada'], { encoding: 'utf8' });
  assert.deepEqual({ status, stdout }, { status: 0, stdout: 'Hello, Ada\\n' });
  assert.equal(spawnSync(process.execPath, [program, '--nonsense']).status, 2);
});
`,
  }),
};
