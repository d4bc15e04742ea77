import { describe, expect, it } from 'vitest';
import { coverageLimits } from '../store/report-limits.ts';
import { formatLinesByPath, formatTotalsByPath, lcovRecord, scanLcov } from '../test-support/lcov-test-support.ts';
import { maxLineLength } from './lcov-records.ts';

describe('lines of a source file', () => {
  it.each([
    ['DA records without LF and LH', 'SF:a\nDA:1,1\nDA:2,0\nDA:3,1\nDA:4,1\nend_of_record\n', '3/4'],
    ['LF and LH that contradict DA', 'SF:a\nDA:1,1\nDA:2,0\nDA:3,0\nDA:4,0\nLF:10\nLH:9\nend_of_record\n', '1/4'],
    ['LF and LH before DA', 'SF:a\nLF:10\nLH:9\nDA:1,1\nend_of_record\n', '1/1'],
    ['LF and LH alone', 'SF:a\nLF:4\nLH:3\nend_of_record\n', '3/4'],
    ['LH before LF, alone', 'SF:a\nLH:3\nLF:4\nend_of_record\n', '3/4'],
    ['more LH than LF', 'SF:a\nLF:2\nLH:5\nend_of_record\n', '2/2'],
    ['LF of nothing', 'SF:a\nLF:0\nLH:0\nend_of_record\n', '0/0'],
    ['the largest LF of several records', 'SF:a\nLF:4\nLH:1\nend_of_record\nSF:a\nLF:2\nLH:2\nend_of_record\n', '2/4'],
    ['LF of one record, DA of another', 'SF:a\nLF:9\nLH:9\nend_of_record\nSF:a\nDA:1,0\nend_of_record\n', '0/1'],
    ['nothing about its lines', 'SF:a\nend_of_record\n', '0/0'],
    ['a line twice in a record', 'SF:a\nDA:1,0\nDA:1,3\nDA:1,0\nend_of_record\n', '1/1'],
    ['the same file twice', 'SF:a\nDA:1,1\nDA:2,0\nend_of_record\nSF:a\nDA:1,0\nDA:2,1\nend_of_record\n', '2/2'],
    ['no end_of_record at the end', 'TN:\nSF:a\nDA:1,1\nDA:2,0', '1/2'],
    ['records in an unusual order', 'SF:a\nLH:1\nDA:5,0\nLF:2\nBRDA:1,0,0,1\nDA:2,1\nend_of_record\n', '1/2'],
    ['Windows line ends', 'TN:\r\nSF:a\r\nDA:1,1\r\nDA:2,0\r\nLF:9\r\nend_of_record\r\n', '1/2'],
    ['a byte order mark', '\uFEFFSF:a\nDA:1,1\nend_of_record\n', '1/1'],
    ['leading blanks', '  SF:a\n\tDA:1,1\n  DA:2,0\n end_of_record\n', '1/2'],
    ['trailing blanks', 'SF:a  \nDA:1,1  \nDA:2,0\t\nend_of_record  \n', '1/2'],
    ['comments', '# made by hand\nSF:a\n#DA:9,0\nDA:1,1\nend_of_record\n', '1/1'],
    ['KF in the place of SF', 'KF:a\nDA:1,1\nDA:2,0\nend_of_record\n', '1/2'],
    ['unknown records', 'SF:a\nVER:1\nXX:1,2\nMCDC:1,2,t,1,0,DA:7,0\nDA:1,1\nend_of_record\n', '1/1'],
    ['lines of no file', 'DA:1,0\nSF:a\nDA:1,1\nend_of_record\nDA:2,0\nLF:99\n', '1/1'],
    ['a file without a name', 'SF:a\nDA:1,1\nSF:\nDA:2,0\nend_of_record\n', '1/1'],
  ])('%s', (_, text, expected) => {
    expect(formatTotalsByPath(scanLcov(text))).toEqual({ a: expected });
  });

  it.each([
    ['1', '1+'],
    ['0', '1-'],
    ['000', '1-'],
    ['007', '1+'],
    ['18446744073709551615', '1+'],
    [`${'0'.repeat(100)}1`, '1+'],
    ['1e+19', '1+'],
    ['1E5', '1+'],
    ['0e5', '1-'],
    ['0.5', '1+'],
    ['.5', '1+'],
    ['0.0', '1-'],
    ['+3', '1+'],
    ['-1', '1-'],
    ['-9223372036854775808', '1-'],
    [' 2 ', '1+'],
    ['1,aGVsbG8gd29ybGQ', '1+'],
    ['0,1', '1-'],
    ['1,', '1+'],
    ['1,a,b', '1+'],
  ])('take a count of %j', (count, expected) => {
    expect(formatLinesByPath(scanLcov(`SF:a\nDA:1,${count}\nend_of_record\n`))).toEqual({ a: expected });
  });

  it.each([
    'DA:1',
    'DA:1,',
    'DA:1,,1',
    'DA:,1',
    'DA:1,undefined',
    'DA:1,null',
    'DA:1,=',
    'DA:1,-',
    'DA:1,NaN',
    'DA:1,Infinity',
    'DA:1,0x10',
    'DA:1,1 2',
    'DA:1,1e',
    'DA:1,1e+',
    'DA:1,1.2.3',
    'DA:0,1',
    'DA:-1,1',
    'DA:1.5,1',
    'DA:1e3,1',
    'DA:x,1',
    'DA:4294967297,1',
    'DA:99999999999999999999,1',
    'DA 1,1',
    'da:1,1',
    'DA:1,\r',
    'DA:1,1\rDA:2,1',
  ])('skip %j', (bad) => {
    expect(formatLinesByPath(scanLcov(`SF:a\nDA:7,1\n${bad}\nDA:8,0\nend_of_record\n`))).toEqual({ a: '7+ 8-' });
  });

  it('may have any numbers', () => {
    const text = 'SF:a\nDA:2147483646,1\nDA:31,1\nDA:32,0\nDA:1,0\nDA:1000000,1\nDA:255,1\nDA:256,1\nend_of_record\n';
    expect(formatLinesByPath(scanLcov(text))).toEqual({ a: '1- 31+ 32- 255+ 256+ 1000000+ 2147483646+' });
  });
});

describe('source paths', () => {
  it('keep commas, colons, blanks and backslashes', () => {
    const text = lcovRecord('C:\\my, code\\a b.js', 1) + lcovRecord('webpack:///./src/b.js', 0);
    expect(formatTotalsByPath(scanLcov(text))).toEqual({
      'C:\\my, code\\a b.js': '1/1',
      'webpack:///./src/b.js': '0/1',
    });
  });

  it.each([
    ['./src/a.js', 'src/a.js'],
    ['src//a.js', 'src/a.js'],
    ['src\\a.js', 'src/a.js'],
    ['src/lib/../a.js', 'src/a.js'],
    ['c:\\src\\a.js', 'C:/src/a.js'],
  ])('%s is the same file as %s', (one, other) => {
    expect(formatTotalsByPath(scanLcov(lcovRecord(one, 1, 0) + lcovRecord(other, 0, 1)))).toEqual({ [one]: '2/2' });
  });

  it('may be JavaScript property names', () => {
    const text = lcovRecord('__proto__', 1, 0) + lcovRecord('constructor', 1) + lcovRecord('toString', 0);
    expect(Object.entries(formatTotalsByPath(scanLcov(text)))).toEqual([
      ['__proto__', '1/2'],
      ['constructor', '1/1'],
      ['toString', '0/1'],
    ]);
  });

  it('may contain invalid UTF-8', () => {
    const text = Buffer.concat([Buffer.from('SF:caf'), Buffer.from([0xe9]), Buffer.from('.js\nDA:1,1\n')]);
    expect(formatTotalsByPath(scanLcov(text))).toEqual({ 'caf\uFFFD.js': '1/1' });
  });
});

describe('a line that is longer than any record', () => {
  const long = 'x'.repeat(maxLineLength);

  it.each([
    ['junk', `SF:a\nDA:1,1\n${long}y\nDA:2,0\n`, { a: '1+ 2-' }],
    ['a line with a checksum', `SF:a\nDA:1,1\nDA:3,1,${long}\nDA:2,0\n`, { a: '1+ 2-' }],
    ['a source file, which takes its lines along', `SF:a\nDA:1,1\nSF:${long}\nDA:2,0\n`, { a: '1+' }],
    ['the last line', `SF:a\nDA:1,1\n${long}${long}`, { a: '1+' }],
  ])('is skipped: %s', (_, text, expected) => {
    expect(formatLinesByPath(scanLcov(text))).toEqual(expected);
    const bytes = Buffer.from(text);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 1000) }, (_, at) =>
      bytes.subarray(at * 1000, at * 1000 + 1000),
    );
    expect(formatLinesByPath(scanLcov(chunks))).toEqual(expected);
  });

  it('is used up to the limit', () => {
    const line = 'DA:2,1,';
    expect(formatLinesByPath(scanLcov(`SF:a\n${line}${'x'.repeat(maxLineLength - line.length)}\n`))).toEqual({
      a: '2+',
    });
  });
});

describe('a path that is too long', () => {
  it('is skipped with its lines', () => {
    const path = 'ü'.repeat(coverageLimits.pathBytes / 2);
    const store = scanLcov(`SF:a\nDA:1,1\nSF:${path}\nDA:2,1\nSF:${path}x\nDA:3,1\nend_of_record\nSF:a\nDA:4,0\n`);
    expect(Object.values(formatLinesByPath(store))).toEqual(['1+ 4-', '2+']);
  });
});

describe('texts without coverage', () => {
  it.each([
    ['nothing', ''],
    ['blanks', ' \n\t\r\n\n'],
    ['comments', '# nothing ran\n  # really\n'],
    ['a byte order mark', '\uFEFF'],
    ['a source file without a name', 'SF:\nend_of_record\n'],
  ])('%s: no files', (_, text) => {
    expect(scanLcov(text).paths).toEqual([]);
  });

  it.each([
    ['plain text', 'hello\nworld\n', 'no SF record found; it begins with "hello"'],
    ['HTML', '<!DOCTYPE html>\n<html>', 'no SF record found; it is an HTML page and begins with "<!DOCTYPE html>"'],
    ['Clover', '<?xml version="1.0"?>\n<coverage generated="1" clover="3.2.0">', 'it is a Clover XML report'],
    ['other XML', '<?xml version="1.0"?><testsuites/>', 'it is XML'],
    ['JSON', '{"total":{}}', 'it is JSON'],
    ['LCOV without a source file', 'TN:\nDA:1,1\nend_of_record\n', 'it has LCOV records, but none names a source file'],
    ['LCOV that begins with a line', 'DA:1,1\n', 'it has LCOV records, but none names a source file'],
    ['gzip', new Uint8Array([0x1f, 0x8b, 8, 0, 0, 10, 0, 0]), 'it is gzip-compressed; unpack it first'],
    ['zeros', new Uint8Array(100), 'it contains NUL bytes'],
    ['a NUL byte at the start of a line', 'SF:a\nDA:1,1\n\0\0\0', 'it contains NUL bytes'],
    ['UTF-16', Buffer.from('\uFEFFSF:a\nDA:1,1\n', 'utf16le'), 'the text is UTF-16; write the report as UTF-8'],
    ['UTF-16 without a mark', Buffer.from('SF:a\nDA:1,1\n', 'utf16le'), 'it contains NUL bytes'],
  ])('%s: fails with the reason', (_, text, reason) => {
    expect(() => scanLcov(text)).toThrow(expect.objectContaining({ code: 'LCOV_PARSE', kind: 'bad_input' }));
    expect(() => scanLcov(text)).toThrow(`Failed to parse LCOV file: `);
    expect(() => scanLcov(text)).toThrow(reason);
  });

  it('are quoted safely', () => {
    expect(() => scanLcov(`\u001b[31m${'boo '.repeat(10_000)}`)).toThrow(
      /begins with "\\u001b\[31mboo .{60,80}… \(\d+ characters\); LCOV, Cobertura XML, .+ can be read$/,
    );
  });
});
