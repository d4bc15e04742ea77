import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { declaredNames, renamedExports, sourceFiles, trackedFiles } from '../support/source-code/declared-names.ts';

/** Words of docs/style.md that no name may have, with the word to use. */
const bannedWords: Record<string, string> = {
  discreet: 'redact',
  door: 'request guard',
  fault: 'defect, failure',
  faults: 'defects, failures',
  glance: 'snapshot, summary',
  held: 'locked, blocked',
  lasting: 'stable',
  mend: 'fix',
  mended: 'fixed',
  nobody: 'none, missing',
  offer: 'surface, served tools',
  pen: 'recorder',
  place: 'location, position, slot',
  places: 'locations, positions, slots',
  room: 'session, context, capacity',
  shelf: 'store, registry',
  somebody: 'user, caller, owner',
  stage: 'session, context',
  telling: 'assertion, expectation',
  told: 'reported, answered',
  whoever: 'user, caller, owner',
  wish: 'requirement, option',
  wishes: 'requirements, options',
  witnessed: 'observed',
};
const bannedPhrases = ['let-in', 'hold-in', 'hold-back', 'clear-away', 'go-on'];

/** Names that the field uses, or that stand in files which earlier versions wrote. */
const allowedNames = new Set([
  'src/qa/cases/values/number-scale.ts: decimalPlaces',
  'src/qa/scan/read/page-layout.ts: place',
  'src/qa/scan/read/page-layout.ts: stage',
  'test/standards/standards-provenance.test.ts: faults',
]);

const files = sourceFiles('src');
const otherFiles = ['test', 'bench', 'scripts'].flatMap((folder) => sourceFiles(folder));
const names = files.flatMap(declaredNames);
const modules = files.filter((file) => !file.endsWith('.test.ts'));

const toWords = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

function bannedIn(name: string): string | undefined {
  const words = toWords(name);
  const word = words.find((one) => Object.hasOwn(bannedWords, one));
  if (word) return `"${word}": use ${bannedWords[word]}`;
  const phrase = bannedPhrases.find((one) => `-${words.join('-')}-`.includes(`-${one}-`));
  return phrase && `"${phrase}"`;
}

test('uses no banned word of the style guide in a file name', () => {
  const found = [...files, ...otherFiles].flatMap((file) => {
    const banned = bannedIn(file.replace(/\.ts$/, ''));
    return banned ? [`${file}: ${banned}`] : [];
  });
  expect(found).toEqual([]);
});

test('uses no banned word of the style guide in a declared name', () => {
  const found = [...names, ...otherFiles.flatMap(declaredNames)].flatMap(({ name, file }) => {
    const banned = allowedNames.has(`${file}: ${name}`) ? undefined : bannedIn(name);
    return banned ? [`${file}: ${name}: ${banned}`] : [];
  });
  expect([...new Set(found)]).toEqual([]);
});

test('exports no name from two modules', () => {
  const exporters = new Map<string, Set<string>>();
  for (const { name, file, isExported } of names) {
    if (!isExported || !modules.includes(file)) continue;
    exporters.set(name, (exporters.get(name) ?? new Set()).add(file));
  }
  const clashes = [...exporters].filter(([, where]) => where.size > 1);
  expect(clashes.map(([name, where]) => `${name}: ${[...where].join(', ')}`)).toEqual([]);
});

test('exports nothing under a second name', () => {
  // The SDK gives the names of its replaced modules.
  const checked = [...files, ...otherFiles].filter((file) => file !== 'scripts/build/sdk-shims.ts');
  const found = checked.flatMap((file) => renamedExports(file, readSource(file)).map((rename) => `${file}: ${rename}`));
  expect(found).toEqual([]);
});

test('finds every export that gives a second name', () => {
  const source = [
    "export { a, b as c } from './a.ts';",
    "export type { D as E } from './d.ts';",
    "export * as all from './all.ts';",
    "export * from './all.ts';",
    'const f = 1;',
    "export { f as 'g h' };",
    'export const i = f;',
  ].join('\n');
  expect(renamedExports('a.ts', source)).toEqual(['b as c', 'D as E', '* as all', 'f as g h']);
});

test('keeps folders below 40 files', () => {
  const sizes = new Map<string, number>();
  // Vitest writes one snapshot per tool; a person opens one of them by its name.
  const written = trackedFiles('src', 'test', 'bench', 'scripts').filter((file) => !file.includes('/__snapshots__/'));
  for (const file of written) sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1);
  expect([...sizes].filter(([, count]) => count >= 40)).toEqual([]);
});

test('keeps files at 400 lines at most', () => {
  const lengths = [...files, ...otherFiles].map((file) => ({ file, lines: linesOf(file) }));
  expect(lengths.filter(({ lines }) => lines > 400)).toEqual([]);
});

const linesOf = (file: string): number => readSource(file).split('\n').length - 1;

function readSource(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}
