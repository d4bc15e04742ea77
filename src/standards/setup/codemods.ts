import type { NewFile } from './write-project-files.ts';

/** The common part of the scripts: finds files, prints changes, writes with `--apply`. Copied into each, so that each runs alone. */
const runner = String.raw`
const args = process.argv.slice(2);
const apply = args.includes('--apply');
const roots = args.filter((argument) => !argument.startsWith('--'));
const skipped = new Set(['node_modules', 'dist', 'build', 'coverage', 'vendor', 'codemods']);

function* sources(path) {
  const stats = fs.lstatSync(path);
  if (stats.isFile()) {
    if (/\.(?:[cm]?[jt]s|[jt]sx)$/.test(path)) yield path;
  } else if (stats.isDirectory()) {
    for (const name of fs.readdirSync(path).sort())
      if (!name.startsWith('.') && !skipped.has(name)) yield* sources(join(path, name));
  }
}

let changed = 0;
for (const root of roots.length > 0 ? roots : ['.']) {
  for (const file of sources(root)) {
    const before = fs.readFileSync(file, 'utf8');
    const after = transform(before, file);
    if (after === before) continue;
    changed++;
    console.log((apply ? 'changed ' : 'would change ') + file);
    if (apply) fs.writeFileSync(file, after);
  }
}
console.log(changed + (changed === 1 ? ' file' : ' files') + (apply ? ' changed' : ' to change; --apply writes'));
`;

const nodeProtocol = String.raw`#!/usr/bin/env node
// Names Node's own modules as such: import 'fs' becomes import 'node:fs', so that no package can stand in for them.
// Usage: node codemods/node-protocol.mjs [--apply] [folder or file …]
import fs from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';

const names = builtinModules.filter((name) => !name.startsWith('_') && !name.startsWith('node:'));
const specifier = new RegExp('(\\bfrom\\s*|\\bimport\\s*\\(?\\s*|\\brequire\\s*\\(\\s*)([\'"])(' + names.join('|') + ')\\2', 'g');
const transform = (text) => text.replace(specifier, '$1$2node:$3$2');
`;

const unfocus = String.raw`#!/usr/bin/env node
// Takes .only off tests: a focused test keeps all others from running, and a report of one test looks like success.
// Usage: node codemods/unfocus-tests.mjs [--apply] [folder or file …]
import fs from 'node:fs';
import { join } from 'node:path';

const isTest = /(?:^|[\\/])(?:tests?|__tests__|spec)[\\/]|[._-](?:test|spec)\.[^.]+$/;
const transform = (text, file) =>
  isTest.test(file)
    ? text
        .replace(/(?<![\w$.])((?:test|it|describe|suite|context)(?:\.(?:concurrent|sequential))*)\.only(?=\s*[(.\x60])/g, '$1')
        .replace(/(?<![\w$.])f(it|describe)(?=\s*\()/g, '$1')
    : text;
`;

const nameCriteria = String.raw`#!/usr/bin/env node
// Puts the id of an acceptance criterion before the names of the tests that prove it, which is how the gates find them.
// Usage: node codemods/name-criteria.mjs --criterion=A1 --tests="prints the usage" [--apply] [folder or file …]
import fs from 'node:fs';
import { join } from 'node:path';

const option = (name) => process.argv.find((argument) => argument.startsWith('--' + name + '='))?.slice(name.length + 3);
const criterion = option('criterion') ?? '';
const wanted = option('tests') ?? '';
if (!/^A\d+$/.test(criterion) || wanted === '') {
  console.error('Give --criterion=A1 and --tests="part of the name of the tests"');
  process.exit(2);
}
const title = /(?<![\w$.])((?:test|it)(?:\.\w+)*\s*\(\s*)(['"\x60])((?:\\.|(?!\2)[^\\\n])*)\2/g;
const transform = (text) =>
  text.replace(title, (whole, start, quote, name) =>
    name.includes(wanted) && !new RegExp('\\b' + criterion + '\\b').test(name) ? start + quote + criterion + ': ' + name + quote : whole,
  );
`;

/** Scripts that change sources. Each runs alone under Node and only prints its changes unless `--apply` is given. */
export const codemods: NewFile[] = [
  { path: 'codemods/node-protocol.mjs', content: nodeProtocol + runner, mode: 0o755 },
  { path: 'codemods/unfocus-tests.mjs', content: unfocus + runner, mode: 0o755 },
  { path: 'codemods/name-criteria.mjs', content: nameCriteria + runner, mode: 0o755 },
];
