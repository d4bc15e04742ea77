import { type Criterion, describeRequirement } from '../evaluation/criterion.ts';
import { type Evaluation, listUnknownGates } from '../evaluation/evaluate.ts';

const statusMarks: Record<Criterion['status'], string> = {
  passed: '✅ passed',
  failed: '❌ failed',
  unknown: '❔ unknown',
  waived: '⏳ waived',
  not_applicable: '➖',
};

/** Renders a summary for the page of a CI run. */
export function renderCiMarkdown(evaluation: Evaluation): string {
  const { overall_status, quality_score, spec, message, criteria, next_actions } = evaluation;
  const passed = listUnknownGates(criteria).length === 0 ? '✅ passed' : '✅ passed, as far as is known';
  const heading = overall_status === 'quality_passed' ? passed : '❌ not passed';
  return [
    `## Standards: ${heading}`,
    '',
    spec
      ? `**${escapeMarkdown(spec.id)}** ${escapeMarkdown(spec.title)} (tier ${spec.tier}, ${spec.mode}), score ${quality_score}`
      : 'The working spec is not valid.',
    '',
    escapeMarkdown(message),
    '',
    '| Criterion | Result | Measured | Needed | What |',
    '| --- | --- | --- | --- | --- |',
    ...criteria.map(criterionRow),
    ...(next_actions.length > 0
      ? ['', '### Next', '', ...next_actions.map((action, index) => `${index + 1}. ${escapeMarkdown(action)}`)]
      : []),
    ...evidenceLines(criteria),
    '',
  ].join('\n');
}

function criterionRow(criterion: Criterion): string {
  const { name, status, blocking, actual, feedback, waiver } = criterion;
  const result = `${statusMarks[status]}${status === 'failed' && !blocking ? ' (warning)' : ''}${waiver ? ` by ${waiver.id}` : ''}`;
  return `| ${name} | ${result} | ${actual ?? '–'} | ${describeRequirement(criterion) ?? '–'} | ${escapeMarkdown(feedback)} |`;
}

function evidenceLines(criteria: readonly Criterion[]): string[] {
  const sources = new Map(criteria.flatMap(({ evidence }) => evidence).map((source) => [source.path, source]));
  if (sources.size === 0) return [];
  const lines = [...sources.values()].map(
    ({ path, sha256, modified, state, attested, assurance }) =>
      `- ${escapeMarkdown(path)}, ${state}, ${attested === undefined ? '' : attested ? `attested (${assurance}), ` : 'unattested, '}written ${modified}, sha256 \`${sha256}\``,
  );
  return ['', '<details><summary>Evidence</summary>', '', ...lines, '', '</details>'];
}

/** Escapes names of files and tests, so that they never become markup. */
function escapeMarkdown(given: string): string {
  return given.replace(/[\r\n]+/g, ' ').replace(/[\\`*_[\]<>|#]/g, '\\$&');
}
