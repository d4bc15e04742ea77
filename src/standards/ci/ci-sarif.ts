import { buildSarifLog, type SarifLevel } from '../../platform/reports/sarif.ts';
import { type Criterion, describeRequirement } from '../evaluation/criterion.ts';
import type { Evaluation } from '../evaluation/evaluate.ts';

/** Renders SARIF 2.1.0 with one result per location where a criterion is not met. */
export function renderCiSarif({ criteria, overall_status, quality_score, spec, problems }: Evaluation): string {
  const specFile = spec?.file ?? problems[0]?.file ?? '.caws/working-spec.yaml';
  const unmet = criteria.filter(({ status }) => status !== 'passed' && status !== 'not_applicable');
  return buildSarifLog({
    id: `standards/${spec?.id ?? 'invalid'}/`,
    rules: criteria.map(criterionRule),
    results: [
      ...problems.map((problem) => ({
        ruleId: 'spec_completeness',
        ruleIndex: criteria.findIndex(({ id }) => id === 'spec_completeness'),
        level: problem.severity,
        message: { text: [problem.message, problem.suggestion].filter((part) => part !== undefined).join('. ') },
        locations: [sarifLocation(problem.file, problem.line, problem.column)],
      })),
      ...unmet
        .filter(({ id }) => id !== 'spec_completeness')
        .flatMap((criterion) => criterionResults(criterion, criteria.indexOf(criterion), specFile)),
    ],
    succeeded: true,
    properties: { overall_status, quality_score },
  });
}

function criterionRule(criterion: Criterion) {
  const { id, name } = criterion;
  const requirement = describeRequirement(criterion);
  const text = requirement === undefined ? name : `${name}: ${requirement}`;
  return { id, name, shortDescription: { text: name }, fullDescription: { text }, help: { text } };
}

/** A detail may start with its location; without one the result is located at the spec. */
function criterionResults(criterion: Criterion, ruleIndex: number, specFile: string) {
  const { id, details, feedback, status, name } = criterion;
  const level: SarifLevel = status === 'waived' ? 'note' : criterion.blocking ? 'error' : 'warning';
  const suppressions =
    status === 'waived'
      ? [
          {
            kind: 'external',
            status: 'accepted',
            justification: `${criterion.waiver?.id} until ${criterion.waiver?.expires_at}`,
          },
        ]
      : undefined;
  const lines = details.length === 0 ? [feedback] : details;
  return lines.map((line) => ({
    ruleId: id,
    ruleIndex,
    level,
    kind: 'fail',
    message: { text: `${name}: ${line}` },
    locations: [locationInDetail(line) ?? sarifLocation(specFile)],
    ...(suppressions && { suppressions }),
  }));
}

/** `src/a.ts:12: …`, `src/a.ts:12-15,20`, `src/a.ts: …` */
function locationInDetail(detail: string) {
  const [, path, line] = /^([^\s:"]*[./][^\s:"]*):\s?(\d+)?/.exec(detail) ?? [];
  return path === undefined ? undefined : sarifLocation(path, line === undefined ? undefined : Number(line));
}

function sarifLocation(path: string, line?: number, column?: number) {
  return {
    physicalLocation: {
      artifactLocation: { uri: path.split('/').map(encodeURIComponent).join('/') },
      region: { startLine: line ?? 1, ...(column !== undefined && { startColumn: column }) },
    },
  };
}
