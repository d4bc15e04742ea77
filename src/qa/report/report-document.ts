import * as z from 'zod';
import { passedByOracleShape } from '../artifacts/passed-by-oracle.ts';
import { testVerdicts } from '../runs/run-kinds.ts';

/** A step of the latest run of a test. */
const reportedStep = z.object({
  action: z.string(),
  description: z.string(),
  status: z.string(),
  healed: z.boolean(),
  error: z.string().nullable(),
  durationMs: z.number(),
  /** Id of its picture among the artifacts. */
  picture: z.string().nullable(),
});

const reportedTest = z.object({
  testCaseId: z.string(),
  testScriptId: z.string().nullable(),
  title: z.string(),
  useCaseId: z.string(),
  useCase: z.string(),
  category: z.string(),
  priority: z.string(),
  /** What its expectation rests on. */
  oracle: z.string(),
  expected: z.string(),
  verdict: z.enum([...testVerdicts, 'not_run', 'no_script']),
  failureClass: z.string().nullable(),
  error: z.string().nullable(),
  healed: z.number(),
  durationMs: z.number().nullable(),
  runAt: z.string().nullable(),
  runId: z.string().nullable(),
  /** The verdicts of its last runs, the oldest first. */
  history: z.array(z.string()),
  steps: z.array(reportedStep),
  consoleErrors: z.array(z.string()),
  failedRequests: z.array(z.string()),
});
export type ReportedTest = z.output<typeof reportedTest>;

const healthPart = z.object({
  name: z.enum(['passRate', 'stability', 'requirementCoverage', 'freshness']),
  /** From 0 to 100; null where there is nothing to judge by, and then it does not count. */
  value: z.number().nullable(),
  weight: z.number(),
  why: z.string(),
});

export const suiteHealth = z.object({ score: z.number().nullable(), parts: z.array(healthPart), formula: z.string() });
export type SuiteHealth = z.output<typeof suiteHealth>;

/** The results of a project at one moment. Every renderer starts from this, and from nothing else. */
export const reportDocument = z.object({
  schema: z.literal('assay.qa-report'),
  version: z.literal(1),
  reportId: z.string(),
  generatedAt: z.string(),
  project: z.object({
    id: z.string(),
    name: z.string(),
    url: z.string().nullable(),
    description: z.string().nullable(),
  }),
  /** Where it is about one batch of replays, and not about the project as it stands. */
  runBatchId: z.string().nullable(),
  numbers: z.object({
    tests: z.number(),
    /** The flaky ones too. */
    passed: z.number(),
    failed: z.number(),
    /** Of those that passed. */
    flaky: z.number(),
    inconclusive: z.number(),
    notRun: z.number(),
    healed: z.number(),
    /** Of those that passed and those that failed; zero where there are none. */
    passRate: z.number(),
    passedByOracle: passedByOracleShape,
    durationMs: z.number(),
  }),
  health: suiteHealth,
  requirements: z.object({
    total: z.number(),
    covered: z.number(),
    gaps: z.array(z.object({ ref: z.string().nullable(), text: z.string(), reason: z.string() })),
  }),
  tests: z.array(reportedTest),
  /** How many more tests there are. */
  leftOut: z.number(),
});
export type ReportDocument = z.output<typeof reportDocument>;
