import { quote } from '../../platform/errors.ts';

/** Recognition rules of other formats: a prefix or a pattern in the first bytes, and the description. */
const foreignFormats: readonly (readonly [string | RegExp, string])[] = [
  ['\x1f', 'it is gzip-compressed; unpack it first'],
  ['PK\x03\x04', 'it is a ZIP archive; unpack it first'],
  [/^(?:<!doctype html|<html)/i, 'it is an HTML page'],
  [/<coverage\b[^>]*\bclover=|<coverage\b[^>]*\bgenerated=/, 'it is a Clover XML report'],
  ['<?xml', 'it is XML'],
  ['SQLite format 3', 'it is a SQLite database (coverage.py writes LCOV with "coverage lcov")'],
  [/^[{[]/, 'it is JSON'],
  [/^(?:TN|DA|LF|LH|FN\w*|BR\w*|VER):|^end_of_record/, 'it has LCOV records, but none names a source file'],
];

/** Describes the format of a text that is not LCOV, from its first bytes. */
export function describeForeignFormat(sample: string): string | undefined {
  return foreignFormats.find(([sign]) => (typeof sign === 'string' ? sample.startsWith(sign) : sign.test(sample)))?.[1];
}

/** Quotes the first line of a text for a message. */
export function quoteFirstLine(sample: string): string {
  return quote(sample.split('\n', 1)[0]?.trim() ?? '', 80);
}
