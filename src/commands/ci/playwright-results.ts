import * as z from 'zod';
import { cleanText } from '../../platform/text/untrusted-text.ts';
import type { CiAnnotation } from './ci-output.ts';
import type { SuiteCounts } from './suite-verdict.ts';

const failure = z.looseObject({ message: z.string().optional() });
const result = z.looseObject({ errors: z.array(failure).default([]) });
const test = z.looseObject({
  status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']),
  projectName: z.string().default(''),
  results: z.array(result),
});
const spec = z.looseObject({ title: z.string(), tests: z.array(test) });
const suite = z.looseObject({
  specs: z.array(spec).default([]),
  get suites() {
    return z.array(suite).default([]);
  },
});
type Suite = z.output<typeof suite>;
/** The parts of the output of Playwright's JSON reporter that are read here. */
const report = z.looseObject({ suites: z.array(suite), errors: z.array(failure).default([]) });

export interface PlaywrightResults {
  counts: SuiteCounts;
  notes: CiAnnotation[];
  /** False on errors outside tests: an unreadable file, a failed set-up. */
  isWhole: boolean;
}

/** Reads the results of a Playwright run. Returns undefined when they are missing or unreadable. */
export function readPlaywrightResults(text: string): PlaywrightResults | undefined {
  const parsed = report.safeParse(json(text));
  if (!parsed.success) return undefined;
  const tests = parsed.data.suites.flatMap(specsIn).flatMap(({ title, tests: all }) =>
    all.map(({ status, projectName, results }) => ({
      name: projectName === '' ? title : `${title} (${projectName})`,
      status,
      wasRun: results.length > 0,
      said: results.flatMap(({ errors }) => errors.flatMap(({ message }) => message ?? [])),
    })),
  );
  const bad = tests.filter(({ status }) => status === 'unexpected');
  const flaky = tests.filter(({ status }) => status === 'flaky');
  // A test without a browser tells nothing about the site.
  const unknown = bad.filter(({ said }) => said.some((message) => message.includes('browserType.launch')));
  const note = (
    level: CiAnnotation['level'],
    verdict: string,
    { name, said }: (typeof tests)[number],
  ): CiAnnotation => ({
    level,
    title: `${verdict}: ${name}`,
    message: cleanText(said[0] ?? 'no reason given'),
  });
  return {
    counts: {
      passed: tests.filter(({ status }) => status === 'expected').length + flaky.length,
      failed: bad.length - unknown.length,
      // A test that is skipped by its author has a result; a test that never started has none.
      cancelled: tests.filter(({ status, wasRun }) => status === 'skipped' && !wasRun).length,
      flaky: flaky.length,
      inconclusive: unknown.length,
    },
    notes: [
      ...bad.map((one) => note('error', unknown.includes(one) ? 'inconclusive' : 'failed', one)),
      ...flaky.map((one) => note('warning', 'flaky', one)),
      ...parsed.data.errors.map(({ message = 'no reason given' }) => ({
        level: 'error' as const,
        title: 'outside the tests',
        message: cleanText(message),
      })),
    ],
    isWhole: parsed.data.errors.length === 0,
  };
}

function specsIn({ specs, suites }: Suite): Suite['specs'] {
  return [...specs, ...suites.flatMap(specsIn)];
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
