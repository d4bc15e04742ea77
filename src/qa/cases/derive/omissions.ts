import type { DerivedCase, UseCaseInput } from '../case-plan.ts';
import { hasOnlyShortLivedValues, hasSuggestions, realOptions } from '../values/field-values.ts';
import { currentLimits } from '../values/moving-limits.ts';
import { countPairs } from '../values/pairwise.ts';
import { usableControls } from './action-cases.ts';
import { combinableChoices, MOST_CHOICES, MOST_FIELDS } from './field-cases.ts';

/** A scan submits nothing, so it does not see later pages. */
const LATER_PAGES =
  'Pages after the first are not known yet: script generation adds the cases of the pages that it reaches.';

/** Lists what could be tested but is not, so that a reader does not assume a test. */
export function listOmissions(
  { evidence, seen, laterSeen }: Pick<UseCaseInput, 'evidence' | 'seen' | 'laterSeen'>,
  cases: readonly DerivedCase[],
): string[] {
  if (cases.length === 0) return [];
  const pages = [evidence.form, ...(evidence.laterPages ?? [])];
  const ofPages = pages.flatMap((form, page) => {
    const own = cases.filter(({ plan }) => plan.page === page);
    const there = { ...evidence, form };
    const left = [...omissionsOnPage(there, own), ...dateTimeOmissions(there, page === 0 ? seen : laterSeen)];
    return page === 0 ? left : left.map((line) => `Page ${page + 1}: ${line}`);
  });
  const used = cases.filter(({ plan }) => plan.kind === 'action' && plan.control !== null);
  const all = usableControls({ evidence }, { entry: evidence.entryUrl });
  const isCut = used.length > 0 && used.length < all.length;
  return [
    ...ofPages,
    ...(cases.some(({ plan }) => plan.goesOn) && !evidence.laterPages ? [LATER_PAGES] : []),
    ...(isCut ? [`${all.length - used.length} of ${all.length} controls are not used.`] : []),
  ];
}

function omissionsOnPage(evidence: UseCaseInput['evidence'], cases: readonly DerivedCase[]): string[] {
  const fields = fillableFields(evidence).length;
  const ofFields =
    fields > MOST_FIELDS ? [`${fields - MOST_FIELDS} of ${fields} fields have no cases of their own.`] : [];
  const ofOptions = cases.some(({ plan }) => plan.kind === 'pairs') ? optionOmissions(evidence, cases) : [];
  return [...ofFields, ...ofOptions];
}

function dateTimeOmissions(evidence: UseCaseInput['evidence'], seen: Date | undefined): string[] {
  return fillableFields(evidence).flatMap((field) => {
    const { label, required } = field;
    if (hasOnlyShortLivedValues(field, seen))
      return required
        ? [`${label}: valid values expire soon, so only rejected values are tried.`]
        : [`${label}: valid values expire soon, so it keeps its initial value.`];
    const { minMoves, maxMoves } = currentLimits(field, seen);
    return minMoves || maxMoves
      ? [`${label}: its limits move with the date, so values at the limits are not tried.`]
      : [];
  });
}

function fillableFields({ form }: UseCaseInput['evidence']) {
  return form?.fields.filter(({ readOnly, hidden }) => !readOnly && !hidden) ?? [];
}

function optionOmissions(evidence: UseCaseInput['evidence'], cases: readonly DerivedCase[]): string[] {
  const fields = fillableFields(evidence);
  const choices = combinableChoices(fields);
  const combined = choices.slice(0, MOST_CHOICES);
  const { all, untried } = countPairs(
    combined,
    cases.map(({ plan }) => plan.values),
  );
  const shortened = fields.flatMap((field) => {
    const options = realOptions(field).length;
    const tried = combinableChoices([field])[0]?.values.length ?? options;
    const isShort = tried < options && (field.options.length > 0 || hasSuggestions(field));
    return isShort ? [`${field.label}: ${tried} of ${options} options are tried.`] : [];
  });
  const alone = choices.length - combined.length;
  return [
    ...(alone > 0 ? [`${alone} of ${choices.length} choices are not combined with others.`] : []),
    ...(untried > 0 ? [`${untried} of ${all} pairs of options are not tried.`] : []),
    ...shortened,
  ];
}
