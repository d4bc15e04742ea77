import { describe, expect, test } from 'vitest';
import { createCoverageStore, type ReportScanner } from '../store/coverage-store.ts';
import { formatLinesByPath, formatTotalsByPath } from '../test-support/lcov-test-support.ts';
import { createCoberturaReader } from './cobertura.ts';
import { createGoProfileScanner } from './go-profile.ts';
import { createIstanbulScanner } from './istanbul.ts';
import { detectReportFormat } from './report-format.ts';
import { createXmlScanner } from './xml-scanner.ts';

const store = () => createCoverageStore(['branches', 'functions']);

function scan(scanner: ReportScanner, text: string, chunkSize = text.length): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkSize) scanner.feed(bytes.subarray(at, at + chunkSize));
  scanner.end();
}

const scanCobertura = (into: ReturnType<typeof store>, text: string) =>
  scan(createXmlScanner('Cobertura', 'coverage', createCoberturaReader(into)), text);

const cobertura = (inside: string) =>
  `<coverage><packages><package><classes><class name="A" filename="a.py">${inside}</class></classes></package></packages></coverage>`;

test.each([
  ['<?xml version="1.0"?>\n<!DOCTYPE coverage SYSTEM "x.dtd">\n<coverage line-rate="1">', 'Cobertura'],
  ['<?xml version="1.0"?><!-- <report name="x"> --><coverage>', 'Cobertura'],
  ['<coverage generated="1" clover="3.2.0">', 'LCOV'],
  [
    '<?xml version="1.0"?><!DOCTYPE report PUBLIC "-//JACOCO//DTD Report 1.1//EN" "report.dtd"><report name="a">',
    'JaCoCo',
  ],
  ['<report><a/></report>', 'LCOV'],
  ['mode: atomic\nexample.com/a/b.go:1.1,2.2 1 0\n', 'Go'],
  ['\uFEFF {"/a.js":{"path":"/a.js","statementMap":{}}}', 'Istanbul'],
  ['{"total":{}}', 'LCOV'],
  ['TN:\nSF:mode: set\nDA:1,1\n', 'LCOV'],
])('detects the format of %j as %s', (sample, format) => {
  expect(detectReportFormat(sample)).toBe(format);
});

describe('Cobertura', () => {
  test('counts the branches and methods of a class', () => {
    const into = store();
    scanCobertura(
      into,
      cobertura(
        '<methods><method name="f" signature="()"><lines><line number="2" hits="3"/></lines></method>' +
          '<method name="g" signature="()"><lines><line number="4" hits="0"/></lines></method></methods>' +
          '<lines><line number="2" hits="3" condition-coverage="50% (1/2)"/><line number="4" hits="0"/></lines>',
      ),
    );
    expect(formatLinesByPath(into)).toEqual({ 'a.py': '2+ 4-' });
    expect(formatTotalsByPath(into, 'branches')).toEqual({ 'a.py': '1/2' });
    expect(formatTotalsByPath(into, 'functions')).toEqual({ 'a.py': '1/2' });
  });

  test.each([
    ['entities', `<!DOCTYPE coverage [<!ENTITY a "aaaa">]>${cobertura('')}`, 'entities of its own'],
    ['a missing end', cobertura('<lines>').slice(0, -10), 'ends before </coverage>'],
    ['deep nesting', cobertura('<a>'.repeat(100) + '</a>'.repeat(100)), 'nested tags'],
    [
      'too many branches',
      cobertura('<lines><line number="1" hits="1" condition-coverage="0% (0/99999999)"/></lines>'),
      'more than 10000 branches on one line',
    ],
  ])('rejects %s', (_, text, reason) => {
    expect(() => scanCobertura(store(), text)).toThrow(reason);
  });

  test('rejects a report above the size limit while it arrives', () => {
    const scanner = createXmlScanner('Cobertura', 'coverage', createCoberturaReader(store()));
    const chunk = Buffer.alloc(1024 * 1024, 0x20);
    expect(() => {
      for (let sent = 0; sent < 40; sent++) scanner.feed(chunk);
    }).toThrow('bytes of XML');
  });
});

describe('Go cover profile', () => {
  const scanGo = (text: string, chunkSize?: number) => {
    const into = store();
    scan(createGoProfileScanner(into, [{ path: 'm', folder: 'lib' }]), text, chunkSize);
    return into;
  };

  test('merges repeated and overlapping blocks, in chunks of any size', () => {
    const text = 'mode: set\nm/ä.go:1.5,3.2 2 0\nm/ä.go:1.5,3.2 2 1\nm/ä.go:30.1,34.2 1 0\nother/b.go:1.1,1.9 0 0\n';
    for (const size of [1, 7, 1000])
      expect(formatLinesByPath(scanGo(text, size))).toEqual({
        'lib/ä.go': '1+ 2+ 3+ 30- 31- 32- 33- 34-',
        'other/b.go': '',
      });
  });

  test('skips a line that is no block', () => {
    expect(formatLinesByPath(scanGo('mode: set\nm/a.go:x\nm/a.go:2.1,1.1 1 1\nm/a.go:1.1,1.5 1 1'))).toEqual({
      'lib/a.go': '1+',
    });
  });

  test('rejects a block that claims millions of lines', () => {
    expect(() => scanGo('mode: set\nm/a.go:1.1,2000000000.1 1 1\n')).toThrow('more than 65536 lines in one block');
  });
});

describe('Istanbul JSON', () => {
  const text = JSON.stringify({
    '/a "{.js': {
      path: '/a "{.js',
      statementMap: { 0: { start: { line: 1 } }, 1: { start: { line: 1 } }, 2: { start: { line: 40 } } },
      s: { 0: 0, 1: 2, 2: 0 },
      fnMap: { 0: { name: '}', decl: { start: { line: 1 } } } },
      f: { 0: 1 },
      branchMap: { 0: { loc: { start: { line: 1 } } } },
      b: { 0: [0, 1, 1] },
    },
    __proto__: {},
    '/b.js': { path: '/b.js', statementMap: {}, s: {} },
  });

  test.each([1, 13, 100_000])('reads it in chunks of %i bytes', (size) => {
    const into = store();
    scan(createIstanbulScanner(into), text, size);
    expect(formatLinesByPath(into)).toEqual({ '/a "{.js': '1+ 40-', '/b.js': '' });
    expect(formatTotalsByPath(into, 'branches')).toMatchObject({ '/a "{.js': '2/3' });
    expect(formatTotalsByPath(into, 'functions')).toMatchObject({ '/a "{.js': '1/1' });
  });

  test('rejects a report without its end', () => {
    expect(() => scan(createIstanbulScanner(store()), text.slice(0, -2))).toThrow('ends inside an object');
  });
});
