import { type Criterion, needed } from '../evaluation/criterion.ts';
import { type Evaluation, unknownGates } from '../evaluation/evaluate.ts';

const marks: Record<Criterion['status'], string> = {
  passed: '✅ passed',
  failed: '❌ failed',
  unknown: '❔ unknown',
  waived: '⏳ waived',
  not_applicable: '➖',
};

/** A summary for people, as the pages of CI servers show it. */
export function renderMarkdown(evaluation: Evaluation): string {
  const { overall_status, quality_score, spec, message, criteria, next_actions } = evaluation;
  const passed = unknownGates(criteria).length === 0 ? '✅ passed' : '✅ passed, as far as is known';
  const heading = overall_status === 'quality_passed' ? passed : '❌ not passed';
  return [
    `## Standards: ${heading}`,
    '',
    spec
      ? `**${text(spec.id)}** ${text(spec.title)} (tier ${spec.tier}, ${spec.mode}), score ${quality_score}`
      : 'The working spec is not valid.',
    '',
    text(message),
    '',
    '| Criterion | Result | Measured | Needed | What |',
    '| --- | --- | --- | --- | --- |',
    ...criteria.map(row),
    ...(next_actions.length > 0
      ? ['', '### Next', '', ...next_actions.map((action, index) => `${index + 1}. ${text(action)}`)]
      : []),
    ...evidenceLines(criteria),
    '',
  ].join('\n');
}

function row(criterion: Criterion): string {
  const { name, status, blocking, actual, feedback, waiver } = criterion;
  const result = `${marks[status]}${status === 'failed' && !blocking ? ' (warning)' : ''}${waiver ? ` by ${waiver.id}` : ''}`;
  return `| ${name} | ${result} | ${actual ?? '–'} | ${needed(criterion) ?? '–'} | ${text(feedback)} |`;
}

function evidenceLines(criteria: readonly Criterion[]): string[] {
  const sources = new Map(criteria.flatMap(({ evidence }) => evidence).map((source) => [source.path, source]));
  if (sources.size === 0) return [];
  const lines = [...sources.values()].map(
    ({ path, sha256, modified, state }) => `- ${text(path)}, ${state}, written ${modified}, sha256 \`${sha256}\``,
  );
  return ['', '<details><summary>Evidence</summary>', '', ...lines, '', '</details>'];
}

/** Names of files and tests are text, whatever they look like. */
function text(given: string): string {
  return given.replace(/[\r\n]+/g, ' ').replace(/[\\`*_[\]<>|#]/g, '\\$&');
}
