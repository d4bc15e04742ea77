import * as z from 'zod';
import { untrusted } from '../../../platform/text/untrusted-schema.ts';
import { withDetailFields } from '../../../tool/detail-schema.ts';
import { readScriptDetails } from '../../artifacts/script-details.ts';
import { artifactUri } from '../../runs/run-artifacts.ts';
import { testVerdicts } from '../../runs/run-kinds.ts';
import { scriptStates } from '../../scripts/model/script-states.ts';
import type { QaTestCase, TestScript } from '../../store/qa-store.ts';
import { isoTime } from './run-shapes.ts';

export const testCaseId = z.string().min(1).max(100).describe('Test case id, from qa_test_case_list');
export const testScriptId = z.string().min(1).max(100).describe('Test script id, from qa_test_script_list');
export const baseUrl = z
  .string()
  .max(2000)
  .describe('Origin to test instead of the site of the project, e.g. http://localhost:3000');

/** The fields that a test case has in lists too. */
const testCaseShape = {
  testCaseId: z.string(),
  id: z.string(),
  projectId: z.string(),
  useCaseId: z.string(),
  title: untrusted(z.string(), { max: 300 }),
  goal: untrusted(z.string(), { max: 2_000 }),
  expectedResult: untrusted(z.string(), { max: 2_000 }),
  oracle: z
    .string()
    .describe('Source of the expected result: specified by the site or a requirement, or observed on the page'),
  status: z.string(),
  priority: z.string(),
  category: z.string(),
  tags: untrusted(z.array(z.string()), { max: 200 }),
  url: untrusted(z.string(), { max: 2_000 }),
  source: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
};

/** A test case in a list. */
export const listedTestCase = z.object(
  withDetailFields(testCaseShape, [
    ...(['id', 'projectId', 'goal', 'expectedResult', 'tags', 'url', 'source', 'createdAt', 'updatedAt'] as const),
  ]),
);

export function presentTestCase(testCase: QaTestCase) {
  const {
    id,
    projectId,
    useCaseId,
    title,
    goal,
    expectedResult,
    oracle,
    status,
    priority,
    category,
    tags,
    url,
    source,
  } = testCase;
  return {
    testCaseId: id,
    ...{ id, projectId, useCaseId, title, goal, expectedResult, oracle, status, priority, category, tags, url, source },
    createdAt: isoTime(testCase.createdAt),
    updatedAt: isoTime(testCase.updatedAt),
  };
}

/** Output shape of one test case with all fields. */
export const wholeTestCaseShape = {
  ...testCaseShape,
  description: untrusted(z.string(), { max: 10_000 }),
  precondition: untrusted(z.string(), { max: 5_000 }).optional(),
  instructions: untrusted(z.string(), { max: 20_000 }).optional(),
  steps: untrusted(z.json(), { max: Number.POSITIVE_INFINITY }),
  data: untrusted(z.json(), { max: Number.POSITIVE_INFINITY }),
  testScriptId: z.string().optional(),
};

export function presentWholeTestCase(testCase: QaTestCase, script?: TestScript) {
  const { description, precondition, instructions, steps, data } = testCase;
  return {
    ...presentTestCase(testCase),
    ...{ description, steps, data },
    ...(precondition !== null && { precondition }),
    ...(instructions !== null && { instructions }),
    ...(script && { testScriptId: script.id }),
  };
}

/** The fields that a script has in lists too. */
export const testScriptShape = {
  testScriptId: z.string(),
  id: z.string(),
  projectId: z.string(),
  useCaseId: z.string(),
  testCaseId: z.string(),
  name: untrusted(z.string(), { max: 300 }),
  url: untrusted(z.string(), { max: 2_000 }),
  status: z.enum(scriptStates),
  version: z.number(),
  source: z.string(),
  stepCount: z.number(),
  secrets: z.array(z.string()).describe('Names of the secrets that the script uses'),
  durationMs: z.number(),
  latestVerdict: z.enum(testVerdicts).optional(),
  latestFailureClass: z.string().optional(),
  lastRunAt: z.string().optional(),
  failure: z
    .object({ kind: z.string(), reason: untrusted(z.string(), { max: 2_000 }), screenshotUrl: z.string().optional() })
    .optional()
    .describe('Why the script did not become active'),
  createdAt: z.string(),
  updatedAt: z.string(),
};

/** A script in a list. */
export const listedTestScript = z.object(
  withDetailFields(testScriptShape, [
    ...(['id', 'projectId', 'url', 'version', 'source', 'secrets', 'durationMs', 'createdAt', 'updatedAt'] as const),
  ]),
);

export function presentTestScript(script: TestScript) {
  const { id, projectId, useCaseId, testCaseId: caseId, name, url, version, source, secrets, durationMs } = script;
  const { latest, failure } = readScriptDetails(script);
  return {
    testScriptId: id,
    ...{ id, projectId, useCaseId, name, url, version, source, secrets, durationMs },
    testCaseId: caseId,
    status: scriptStates.find((known) => known === script.status) ?? ('failed' as const),
    stepCount: Array.isArray(script.steps) ? script.steps.length : 0,
    ...(latest && { latestVerdict: latest.verdict, lastRunAt: isoTime(latest.at) }),
    ...(latest?.failureClass && { latestFailureClass: latest.failureClass }),
    ...(failure && {
      failure: {
        kind: failure.kind,
        reason: failure.reason,
        ...(failure.screenshot && { screenshotUrl: artifactUri({ id: failure.screenshot }) }),
      },
    }),
    createdAt: isoTime(script.createdAt),
    updatedAt: isoTime(script.updatedAt),
  };
}
