import type { CoverageEvidence } from '../evidence/coverage-evidence.ts';
import type { MutationEvidence } from '../evidence/mutation-evidence.ts';
import type { TestEvidence } from '../evidence/test-evidence.ts';
import { quoteIfUnsafe } from '../spec/project-file.ts';
import type { WorkingSpec } from '../spec/working-spec.ts';
import type { GateMeasurement } from './criterion.ts';
import type { ProjectEvidence } from './project-evidence.ts';

const MAX_DETAILS = 20;

export function measureTestGate({ cases, reason, sources }: TestEvidence): GateMeasurement {
  const unit = 'failed tests';
  const evidence = sources;
  const unknown = (why: string, action: string): GateMeasurement => ({
    status: 'unknown',
    score: 0,
    actual: null,
    threshold: 0,
    unit,
    feedback: `Not known: ${why}`,
    evidence,
    action,
  });
  if (!cases) return unknown(reason, `Run the tests and keep their report: ${reason}`);
  const failed = cases.filter(({ status }) => status === 'failed');
  const passed = cases.filter(({ status }) => status === 'passed').length;
  const ran = passed + failed.length;
  if (ran === 0) return unknown('the report holds no test that ran', 'Run the tests: the report holds none that ran');
  const skipped = cases.length - ran;
  const names = failed.map(({ name, file }) =>
    file ? `${quoteIfUnsafe(file)}: ${quoteIfUnsafe(name)}` : quoteIfUnsafe(name),
  );
  return {
    status: failed.length === 0 ? 'passed' : 'failed',
    score: passed / ran,
    actual: failed.length,
    threshold: 0,
    unit,
    feedback: `${passed} passed, ${failed.length} failed, ${skipped} skipped`,
    details: names.slice(0, MAX_DETAILS),
    evidence,
    ...(names[0] && {
      action: `Fix ${failed.length === 1 ? 'the failing test' : `${failed.length} failing tests`}: ${names.slice(0, 3).join('; ')}`,
    }),
  };
}

export function measureAcceptanceGate(
  { acceptance: criteria, mode }: WorkingSpec,
  { acceptance: found, tests: report }: ProjectEvidence,
): GateMeasurement {
  const unit = 'criteria with a passing test';
  const threshold = criteria.length;
  const evidence = report.sources;
  if (criteria.length === 0) {
    const needed = mode !== 'doc' && mode !== 'chore';
    return {
      status: needed ? 'unknown' : 'not_applicable',
      score: 0,
      actual: null,
      threshold: null,
      unit,
      feedback: 'The spec has no acceptance criteria',
      ...(needed && { action: 'Add acceptance criteria to the spec, with a test for each' }),
    };
  }
  if (!found) {
    const action = `Name the criterion in the tests (${criteria.map(({ id }) => id).join(', ')}), run them and keep the report`;
    return {
      status: 'unknown',
      score: 0,
      actual: null,
      threshold,
      unit,
      feedback: `Not known: ${report.reason}`,
      evidence,
      action,
    };
  }
  const unproven = found.filter(({ status }) => status !== 'passed');
  const statusTexts = {
    failed: 'its test fails',
    skipped: 'its tests are skipped',
    untested: 'no test names it',
    unproven: 'its test proves nothing',
    passed: '',
  };
  const lines = unproven.map(({ id, status, names, problem = status === 'failed' ? names[0] : undefined }) =>
    problem === undefined ? `${id}: ${statusTexts[status]}` : `${id}: ${statusTexts[status]} (${problem})`,
  );
  const passed = found.length - unproven.length;
  return {
    status: unproven.length === 0 ? 'passed' : 'failed',
    score: passed / found.length,
    actual: passed,
    threshold,
    unit,
    feedback:
      unproven.length === 0 ? found.map(({ id, tests: count }) => `${id} (${count})`).join(', ') : lines.join('; '),
    details: lines,
    evidence,
    ...(lines[0] && { action: `Prove the acceptance criteria: ${lines.join('; ')}` }),
  };
}

export function measureCoverageGate(
  { measured, reason, sources }: CoverageEvidence,
  threshold: number,
): GateMeasurement {
  if (!measured) return unknownCoverage(reason, sources, threshold);
  const { percent, measure, found, hit, other, worst } = measured;
  const passed = percent >= threshold;
  const comparison = other
    ? `, and ${other.hit} of ${other.found} ${other.measure}; the lower share counts`
    : '; the report has no branches';
  return {
    status: passed ? 'passed' : 'failed',
    score: passed ? 1 : percent / threshold,
    actual: percent,
    threshold,
    unit: `% of ${measure}`,
    feedback: `${hit} of ${found} ${measure} ran${comparison}`,
    details: passed ? [] : worst,
    evidence: sources,
    ...(!passed && {
      action: `Raise the coverage of ${measure} from ${percent} % to ${threshold} %: ${worst.slice(0, 3).join('; ')}`,
    }),
  };
}

export function measurePatchGate({ measured, reason, sources }: CoverageEvidence, threshold: number): GateMeasurement {
  const unit = '% of changed lines';
  if (!measured) return { ...unknownCoverage(reason, sources, threshold), unit };
  if (!measured.patch)
    return {
      status: 'unknown',
      score: 0,
      actual: null,
      threshold,
      unit,
      feedback: 'Not known: the changed lines cannot be determined',
      evidence: sources,
    };
  const { percent, found, hit, uncovered, withoutData } = measured.patch;
  const unloadedFiles = withoutData.map((path) => `${quoteIfUnsafe(path)}: no test loads it`);
  if (percent === null && unloadedFiles.length === 0) {
    return {
      status: 'not_applicable',
      score: 0,
      actual: null,
      threshold,
      unit,
      feedback: 'No changed line can run',
      evidence: sources,
    };
  }
  const passed = (percent ?? 0) >= threshold && unloadedFiles.length === 0;
  const lines = [
    ...uncovered.map(({ path, lines: where }) => `${quoteIfUnsafe(path)}:${where} did not run`),
    ...unloadedFiles,
  ];
  return {
    status: passed ? 'passed' : 'failed',
    score: passed ? 1 : Math.min((percent ?? 0) / threshold, unloadedFiles.length > 0 ? 0.9 : 1),
    actual: percent,
    threshold,
    unit,
    feedback: `${hit} of ${found} changed lines that can run did${unloadedFiles.length > 0 ? `; ${unloadedFiles.length === 1 ? '1 changed file is' : `${unloadedFiles.length} changed files are`} not in the report` : ''}`,
    details: lines.slice(0, MAX_DETAILS),
    evidence: sources,
    ...(!passed && { action: `Test the changed lines: ${lines.slice(0, 3).join('; ')}` }),
  };
}

function unknownCoverage(reason: string, evidence: CoverageEvidence['sources'], threshold: number): GateMeasurement {
  const action = `Measure the coverage: ${reason}`;
  return {
    status: 'unknown',
    score: 0,
    actual: null,
    threshold,
    unit: '% of branches and of lines',
    feedback: `Not known: ${reason}`,
    evidence,
    action,
  };
}

export function measureMutationGate(
  { measured, reason, sources }: MutationEvidence,
  threshold: number,
): GateMeasurement {
  const unit = '% of mutants';
  if (!measured) {
    return {
      status: 'unknown',
      score: 0,
      actual: null,
      threshold,
      unit,
      feedback: `Not known: ${reason}`,
      evidence: sources,
      action: `Measure the mutation score: ${reason}`,
    };
  }
  const { percent, detected, valid, survivors } = measured;
  const passed = percent >= threshold;
  return {
    status: passed ? 'passed' : 'failed',
    score: passed ? 1 : percent / threshold,
    actual: percent,
    threshold,
    unit,
    feedback: `${detected} of ${valid} mutants detected`,
    details: passed ? [] : survivors,
    evidence: sources,
    ...(!passed && { action: `Detect more mutants: ${survivors.slice(0, 3).join('; ')}` }),
  };
}
