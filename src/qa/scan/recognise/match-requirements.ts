import type { RecordedPage } from '../read/page-features.ts';
import type { UseCaseClass } from '../use-case-classes.ts';
import {
  clauseBoundary,
  requirementStopWords,
  requirementWordEnding,
  requirementWords,
} from '../words/requirement-words.ts';
import type { RecognisedUseCase } from './recognise-use-cases.ts';

/** A requirement of a document, or a clause of the description or the project. */
export interface ScanRequirement {
  text: string;
  requirementId: string | null;
  ref: string | null;
}

export interface RequirementGap extends ScanRequirement {
  reason: string;
}

const MATCHED_FROM = 0.5;

/** Splits free texts into requirements. */
export function splitRequirements(texts: readonly (string | null | undefined)[]): ScanRequirement[] {
  const clauses = texts.flatMap((text) => (text ?? '').split(clauseBoundary)).map((clause) => clause.trim());
  return [...new Set(clauses.filter((clause) => contentWords(clause).length > 0))].map((text) => ({
    ...{ text: text.slice(0, 300), requirementId: null, ref: null },
  }));
}

/** Returns a test whether words, such as those of a link, match a requirement. */
export function requirementFilter(requirements: readonly ScanRequirement[]): (words: string) => boolean {
  const wanted = new Set(requirements.flatMap(({ text }) => contentWords(text)));
  return (words) => contentWords(words.replaceAll(/[/_.-]+/g, ' ')).some((word) => wanted.has(word));
}

export interface RequirementMatches {
  /** How well each use case matches a requirement, 0 to 1. */
  interest: Map<RecognisedUseCase, number>;
  /** Ids of the requirements that each use case covers. */
  answers: Map<RecognisedUseCase, string[]>;
  gaps: RequirementGap[];
}

/**
 * Matches use cases with requirements and returns the gaps. `incompleteReason` says why the scan did not see the
 * whole site.
 */
export function matchRequirements(
  found: readonly RecognisedUseCase[],
  requirements: readonly ScanRequirement[],
  pages: readonly RecordedPage[],
  cutShort?: string,
): RequirementMatches {
  const interest = new Map<RecognisedUseCase, number>();
  const answers = new Map<RecognisedUseCase, string[]>();
  const gaps: RequirementGap[] = [];
  const vocabulary = new Set(pages.flatMap(pageWords));
  const known = found.map((one) => ({ one, words: new Set(contentWords(useCaseWords(one))) }));
  for (const requirement of requirements) {
    const own = contentWords(requirement.text);
    const classes = classesNamedIn(requirement.text);
    let best = 0;
    for (const { one, words } of known) {
      const shared = own.filter((word) => words.has(word)).length / Math.max(1, own.length);
      const score = Math.min(1, (classes.includes(one.class) ? 0.6 : 0) + shared * 0.7);
      best = Math.max(best, score);
      if (score < MATCHED_FROM) continue;
      interest.set(one, Math.max(interest.get(one) ?? 0, score));
      if (requirement.requirementId) answers.set(one, [...(answers.get(one) ?? []), requirement.requirementId]);
    }
    const reason = best >= MATCHED_FROM ? undefined : gapReason(requirement, own, classes, found, vocabulary);
    const doubt = cutShort ? ` The scan did not see the whole site: ${cutShort}.` : '';
    if (reason) gaps.push({ ...requirement, reason: reason + doubt });
  }
  return { interest, answers, gaps };
}

function gapReason(
  requirement: ScanRequirement,
  own: readonly string[],
  classes: readonly UseCaseClass[],
  found: readonly RecognisedUseCase[],
  vocabulary: ReadonlySet<string>,
): string | undefined {
  const missing = classes.filter((name) => !found.some((one) => one.class === name));
  if (missing.length > 0) return `No page provides it: ${missing.join(', ')} was not found.`;
  const isMentioned = own.some((word) => vocabulary.has(word));
  if (!isMentioned) return 'No scanned page mentions it.';
  // A requirement of a document needs a use case; a clause of the description only needs to be mentioned.
  return requirement.requirementId ? 'Pages mention it, but no use case covers it.' : undefined;
}

function classesNamedIn(text: string): UseCaseClass[] {
  return requirementWords.flatMap(({ class: name, words }) => (words.test(text) ? [name] : []));
}

function useCaseWords({ title, description, form, pages: [page] }: RecognisedUseCase): string {
  const fields = form?.fields.map(({ label }) => label).join(' ') ?? '';
  return [title, description, fields, page?.state.heading, page?.state.template.replaceAll(/[/-]/g, ' ')].join(' ');
}

function pageWords({ state, reading, setting }: RecordedPage): string[] {
  const names = reading.controls.map(({ name }) => name);
  const headings = reading.headings.map(({ text }) => text);
  return contentWords([state.title, ...headings, ...names, ...setting.links.map(({ text }) => text)].join(' '));
}

/** Stems of the words that carry meaning. */
function contentWords(text: string): string[] {
  const all = text.toLowerCase().match(/[\p{L}][\p{L}\d-]{2,}/gu) ?? [];
  return [...new Set(all.filter((word) => !requirementStopWords.has(word)).map(stem))];
}

function stem(word: string): string {
  return word.replace(requirementWordEnding, '').replace(/(.{3,}?)(.)\2$/, '$1$2');
}
