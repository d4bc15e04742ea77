import { readFileSync } from 'node:fs';
import { XMLParser } from 'fast-xml-parser';
import type { Result } from '../assay.ts';

/** The test cases in a file of JUnit XML. */
export function testCasesIn(file: string): Result[] {
  const xml = new XMLParser({ ignoreAttributes: false, isArray: (name) => /^test(suite|case)$/.test(name) });
  return xml.parse(readFileSync(file, 'utf8')).testsuites.testsuite.flatMap(({ testcase }: Result) => testcase);
}
