import { impacts } from '../results/finding.ts';
import type { PageOutcomes } from '../results/outcomes.ts';
import { untestedBy } from '../results/untested.ts';
import type { Numbers, Verdict } from './model.ts';
import { count } from './words.ts';

const words = {
  critical: 'Critical faults',
  serious: 'Serious faults',
  moderate: 'Moderate faults',
  minor: 'Minor faults',
  unknown: 'Other findings',
} as const;

const meanings = {
  critical: 'Some people cannot use parts of this site',
  serious: 'Some people will struggle with parts of this site',
  moderate: 'Some people will find parts of this site harder than they need to be',
  minor: 'Small faults that annoy rather than hinder',
  unknown: 'No fault of known impact on people, but findings of other checks',
} as const;

type Judged = Pick<PageOutcomes, 'missed' | 'partial' | 'untested'>;

/** The scan in one sentence, and one more where it did not come to its end. */
export function judge(numbers: Numbers, judged: Judged, cutShort?: string): Verdict {
  const verdict = judgeWhole(numbers, judged);
  if (cutShort === undefined) return verdict;
  const sentence = `${verdict.sentence} ${cutShort}`;
  return verdict.level === 'clean' ? { level: 'unknown', word: notFullyTested, sentence } : { ...verdict, sentence };
}

const notFullyTested = 'Not fully tested';

function judgeWhole(numbers: Numbers, { missed, partial, untested }: Judged): Verdict {
  const scanned = numbers.pages.scanned;
  const { people } = numbers;
  const forPeople = impacts.find((impact) => people.issues_by_impact[impact] > 0);
  const worst = forPeople ?? (numbers.issues > 0 ? 'unknown' : undefined);
  if (scanned === 0 && forPeople === undefined) {
    const reason = missed[0];
    const why = reason ? ` ${count(reason.pages, 'page')}: ${reason.reason}.` : ' No page was found.';
    return { level: 'not_scanned', word: 'Nothing scanned', sentence: `No page could be scanned.${why}` };
  }
  const lack = partial.find(({ what }) => untestedBy(what))?.what;
  if (worst === undefined && lack !== undefined) {
    const sentence = `No faults found, but ${untested.pages} of ${count(scanned, 'page')} could not be tested in full: ${lack}.`;
    return { level: 'unknown', word: notFullyTested, sentence };
  }
  if (worst === undefined) {
    const sentence = `No faults found on ${count(scanned, 'page')}. Automatic checks see only a part: also test with people.`;
    return { level: 'clean', word: 'No faults found', sentence };
  }
  const { templates, pages_with_issues: affected } = forPeople === undefined ? numbers : people;
  const where =
    affected >= scanned
      ? `${scanned === 1 ? 'the' : 'all'} ${count(scanned, 'page')}`
      : `${affected.toLocaleString('en')} of ${count(scanned, 'page')}`;
  const others = numbers.templates - templates;
  const beside = others > 0 ? ` ${count(others, 'other finding')} beside that.` : '';
  const lacking = untested.pages > 0 ? ` ${count(untested.pages, 'page')} could not be tested in full.` : '';
  const sentence = `${meanings[worst]}: ${count(templates, 'thing')} to fix, on ${where}.${beside}${lacking}`;
  return { level: worst, word: words[worst], sentence };
}
