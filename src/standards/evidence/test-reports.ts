import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Parser } from 'tap-parser';
import * as z from 'zod';
import { parseXml, type XmlElement, xmlAttribute, xmlChildren } from '../../platform/text/xml.ts';
import type { FoundReport } from './report-files.ts';

export interface TestReportCase {
  /** Full name: suites and title. */
  name: string;
  /** The file of the test, if the report names it. */
  file: string | undefined;
  status: 'passed' | 'failed' | 'skipped';
  seconds: number | undefined;
}

/** Reports are read whole, so their size is limited. */
const MAX_BYTES = 32 * 1024 * 1024;
const MAX_TESTS = 500_000;
const TIMES_WITHIN_BYTES = 64 * 1024;

/** Reads one test report of a known kind. Throws an `Error` with a readable message if it cannot be parsed. */
export async function readTestReport(root: string, report: FoundReport): Promise<TestReportCase[]> {
  if (report.bytes > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
  const text = (await readFile(join(root, report.path), 'utf8')).replace(/^\uFEFF/, '');
  const cases =
    report.kind === 'junit' ? parseJunit(text) : report.kind === 'jest' ? parseJest(text) : await parseTap(text);
  if (cases.length > MAX_TESTS) throw new Error(`it holds more than ${MAX_TESTS} tests`);
  return cases.map((test) => ({ ...test, file: test.file && relativeToRoot(root, test.file) }));
}

/** The times at which a report says that its tests started; from its beginning, where tools write them. */
export async function readTestTimes(root: string, { path, kind }: FoundReport): Promise<string[]> {
  if (kind === 'tap') return [];
  const chunk = Buffer.alloc(TIMES_WITHIN_BYTES);
  await using file = await open(join(root, path), 'r').catch(() => undefined);
  const { bytesRead } = (await file?.read(chunk, 0, chunk.length, 0)) ?? { bytesRead: 0 };
  const text = chunk.toString('utf8', 0, bytesRead);
  if (kind === 'junit')
    return [...text.matchAll(/<testsuite\b[^>]*\btimestamp="([^"]{10,40})"/g)].map(([, time = '']) => time);
  return [...text.matchAll(/"startTime":\s*(\d{12,14})\b/g)].map(([, ms]) => new Date(Number(ms)).toISOString());
}

/** Makes absolute paths inside the project relative. */
function relativeToRoot(root: string, file: string): string {
  return file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
}

/** Parses JUnit XML of pytest, surefire, gotestsum, nextest and vitest; suites may be nested. */
export function parseJunit(text: string): TestReportCase[] {
  const document = parseXml(text);
  const cases: TestReportCase[] = [];
  const visit = (suite: XmlElement, names: readonly string[]) => {
    for (const inner of xmlChildren(suite, 'testsuite')) visit(inner, [...names, xmlAttribute(inner, 'name') ?? '']);
    for (const test of xmlChildren(suite, 'testcase')) {
      const failed =
        ['failure', 'error'].some((name) => Object.hasOwn(test, name)) || xmlAttribute(test, 'status') === 'failed';
      const seconds = Number(xmlAttribute(test, 'time') ?? Number.NaN);
      const parts = [...names, xmlAttribute(test, 'classname') ?? '', xmlAttribute(test, 'name') ?? ''];
      cases.push({
        name: parts.filter((part, index) => part !== '' && part !== parts[index - 1]).join(' > '),
        file: xmlAttribute(test, 'file') ?? xmlAttribute(suite, 'file'),
        status: failed ? 'failed' : Object.hasOwn(test, 'skipped') ? 'skipped' : 'passed',
        seconds: Number.isFinite(seconds) ? seconds : undefined,
      });
    }
  };
  visit({ testsuite: xmlChildren(document, 'testsuite') }, []);
  for (const suites of xmlChildren(document, 'testsuites')) visit(suites, []);
  return cases;
}

const jestReportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string().optional(),
      testFilePath: z.string().optional(),
      status: z.string().optional(),
      message: z.string().nullish(),
      assertionResults: z
        .array(
          z.object({
            title: z.string().default(''),
            fullName: z.string().optional(),
            ancestorTitles: z.array(z.string()).default([]),
            status: z.string(),
            duration: z.number().nullish(),
          }),
        )
        .default([]),
    }),
  ),
});

/** Parses the JSON of Vitest and Jest. A file that failed before its first test counts as one failed test. */
export function parseJest(text: string): TestReportCase[] {
  const parsed = jestReportSchema.safeParse(JSON.parse(text));
  if (!parsed.success) throw new Error('it is not a Vitest or Jest report');
  return parsed.data.testResults.flatMap(({ name, testFilePath, status, assertionResults }) => {
    const file = name ?? testFilePath;
    const cases = assertionResults.map<TestReportCase>((test) => ({
      name: test.fullName ?? [...test.ancestorTitles, test.title].join(' '),
      file,
      status: test.status === 'passed' || test.status === 'failed' ? test.status : 'skipped',
      seconds: typeof test.duration === 'number' ? test.duration / 1000 : undefined,
    }));
    const failedBeforeTests = status === 'failed' && cases.every((test) => test.status !== 'failed');
    return failedBeforeTests
      ? [...cases, { name: file ?? 'a test file', file, status: 'failed', seconds: undefined }]
      : cases;
  });
}

/** Parses TAP with subtests. A test point that only summarises its subtest is left out; a violated plan is a failure. */
export async function parseTap(text: string): Promise<TestReportCase[]> {
  const { Parser: TapParser } = await import('tap-parser');
  const cases: TestReportCase[] = [];
  const listen = (tap: Parser, names: readonly string[]) => {
    const withChildren = new Set<string>();
    tap.on('child', (child: Parser) => {
      withChildren.add(child.name);
      listen(child, [...names, child.name]);
    });
    tap.on('assert', (point: { ok: boolean; name: string; skip?: unknown; todo?: unknown; time?: number | null }) => {
      if (withChildren.delete(point.name)) return;
      cases.push({
        name: [...names, point.name].filter((part) => part !== '').join(' > '),
        file: undefined,
        status: point.skip || point.todo ? 'skipped' : point.ok ? 'passed' : 'failed',
        seconds: typeof point.time === 'number' ? point.time / 1000 : undefined,
      });
    });
  };
  const tap = new TapParser();
  listen(tap, []);
  tap.end(text);
  const hasFailure = cases.some(({ status }) => status === 'failed');
  if (!tap.ok && !hasFailure)
    cases.push({ name: 'the test run did not match its plan', file: undefined, status: 'failed', seconds: undefined });
  return cases;
}
