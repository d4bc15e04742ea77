import { issueImpacts } from '../results/audit-finding.ts';
import type { OutcomeSummary } from '../results/page-outcomes.ts';
import { parseUntestedCheck } from '../results/untested-checks.ts';
import { formatCount } from './count-text.ts';
import type { ReportNumbers, ScanVerdict } from './report-model.ts';

const headings = {
  critical: 'Critical issues',
  serious: 'Serious issues',
  moderate: 'Moderate issues',
  minor: 'Minor issues',
  unknown: 'Other findings',
} as const;

const consequences = {
  critical: 'Some people cannot use parts of this site',
  serious: 'Some people will struggle with parts of this site',
  moderate: 'Parts of this site are harder to use than necessary for some people',
  minor: 'Only minor issues, which rarely prevent the use of this site',
  unknown: 'No issues with a known impact on people, but findings of other checks',
} as const;

type VerdictEvidence = Pick<OutcomeSummary, 'missed' | 'partial' | 'untested'>;

/** Summarizes the scan in a sentence, with a second one when the scan did not finish. */
export function judgeScan(numbers: ReportNumbers, judged: VerdictEvidence, cutShort?: string): ScanVerdict {
  const verdict = judgeCompleteScan(numbers, judged);
  if (cutShort === undefined) return verdict;
  const sentence = `${verdict.sentence} ${cutShort}`;
  return verdict.level === 'clean' ? { level: 'unknown', word: NOT_FULLY_TESTED, sentence } : { ...verdict, sentence };
}

const NOT_FULLY_TESTED = 'Not fully tested';

function judgeCompleteScan(numbers: ReportNumbers, { missed, partial, untested }: VerdictEvidence): ScanVerdict {
  const scanned = numbers.pages.scanned;
  const { people } = numbers;
  const forPeople = issueImpacts.find((impact) => people.issues_by_impact[impact] > 0);
  const worst = forPeople ?? (numbers.issues > 0 ? 'unknown' : undefined);
  if (scanned === 0 && forPeople === undefined) {
    const reason = missed[0];
    const why = reason ? ` ${formatCount(reason.pages, 'page')}: ${reason.reason}.` : ' No page was found.';
    return { level: 'not_scanned', word: 'Nothing scanned', sentence: `No page could be scanned.${why}` };
  }
  const untestedExample = partial.find(({ what }) => parseUntestedCheck(what))?.what;
  if (worst === undefined && untestedExample !== undefined) {
    const sentence = `No issues found, but ${untested.pages} of ${formatCount(scanned, 'page')} could not be fully tested: ${untestedExample}.`;
    return { level: 'unknown', word: NOT_FULLY_TESTED, sentence };
  }
  if (worst === undefined) {
    const sentence = `No issues found on ${formatCount(scanned, 'page')}. Automated checks find only some issues: also test with people.`;
    return { level: 'clean', word: 'No issues found', sentence };
  }
  const { templates, pages_with_issues: affected } = forPeople === undefined ? numbers : people;
  const where =
    affected >= scanned
      ? `${scanned === 1 ? 'the' : 'all'} ${formatCount(scanned, 'page')}`
      : `${affected.toLocaleString('en')} of ${formatCount(scanned, 'page')}`;
  const others = numbers.templates - templates;
  const beside = others > 0 ? ` ${formatCount(others, 'other finding')}.` : '';
  const untestedNote = untested.pages > 0 ? ` ${formatCount(untested.pages, 'page')} could not be fully tested.` : '';
  const sentence = `${consequences[worst]}: ${formatCount(templates, 'thing')} to fix, on ${where}.${beside}${untestedNote}`;
  return { level: worst, word: headings[worst], sentence };
}
