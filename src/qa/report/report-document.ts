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
  /** Basis of its expectations: specified or observed. */
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
  /** 0 to 100; null without data, then it is not counted. */
  value: z.number().nullable(),
  weight: z.number(),
  why: z.string(),
});

export const suiteHealth = z.object({ score: z.number().nullable(), parts: z.array(healthPart), formula: z.string() });
export type SuiteHealth = z.output<typeof suiteHealth>;

/** The results of a project at one moment: the only input of the renderers. */
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
  /** Id of the batch that the report covers; null for the current state of the project. */
  runBatchId: z.string().nullable(),
  numbers: z.object({
    tests: z.number(),
    /** Includes flaky tests. */
    passed: z.number(),
    failed: z.number(),
    /** Of those that passed. */
    flaky: z.number(),
    inconclusive: z.number(),
    notRun: z.number(),
    healed: z.number(),
    /** Passed among passed and failed, in percent; 0 without any. */
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
  /** Number of tests that are not listed. */
  leftOut: z.number(),
});
export type ReportDocument = z.output<typeof reportDocument>;
