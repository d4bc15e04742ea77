import type { RecordedPage } from '../read/page-features.ts';
import type { UseCaseClass } from '../use-case-classes.ts';
import type { RecognisedUseCase } from './recognise-use-cases.ts';

/** Something that somebody asked for: a requirement of a document, or a clause of the project's own words. */
export interface ScanRequirement {
  text: string;
  requirementId: string | null;
  ref: string | null;
}

export interface RequirementGap extends ScanRequirement {
  reason: string;
}

/** How people ask for what a class is. */
const requirementWords: readonly (readonly [UseCaseClass, RegExp])[] = [
  ['login', /\b(log(s|ged|ging)? ?in|sign(s|ed|ing)? ?in|authenticat\w+|credentials)\b/i],
  ['logout', /\b(log(s|ged|ging)? ?out|sign(s|ed|ing)? ?out)\b/i],
  ['sign-up', /\b(sign(s|ing)? ?up|registers?|registration|creat\w+ (an? |their |new )?accounts?)\b/i],
  ['reset-password', /\b(forg[eo]t\w*|reset\w*|recover\w*)\b.*\bpasswords?\b|\bpassword reset\b/i],
  ['change-password', /\bchang\w+ (the |their |a )?passwords?\b/i],
  ['search', /\b(search\w*|find(s|ing)? (a |an |the )?(product|page|customer|office)s?|look(s|ing)? up)\b/i],
  ['filter', /\b(filter\w*|narrow\w*|facets?)\b/i],
  ['sort', /\bsort(s|ed|ing)?\b/i],
  ['pagination', /\b(paginat\w+|paging|next page|pages? through)\b/i],
  ['add-to-cart', /\b(add\w*|put\w*)\b.*\b(cart|basket|bag)\b/i],
  ['cart', /\b(cart|basket)\b/i],
  ['voucher', /\b(vouchers?|coupons?|promo\w*|discount codes?)\b/i],
  ['checkout', /\b(check ?out|purchas\w+|plac\w+ (an )?orders?|payments?)\b/i],
  ['create', /\b(create|creates|creating|add(s|ing)? (a |an |new )|invite)\b/i],
  ['edit', /\b(edit\w*|modif\w+|update(s|d)? (a |an |the )?(record|customer|entry|user|role)s?)\b/i],
  ['delete', /\b(delet\w+|remov\w+)\b/i],
  ['upload', /\b(upload\w*|import\w*)\b/i],
  ['download', /\b(download\w*|export\w*)\b/i],
  ['settings', /\b(settings|preferences|profiles?)\b/i],
  ['contact', /\b(contact( form| us)?|enquir\w+|inquir\w+|send\w* (a )?messages?)\b/i],
  ['newsletter', /\b(newsletters?|subscri\w+)\b/i],
  ['feedback', /\b(feedback|reviews?|ratings?)\b/i],
  ['booking', /\b((?<!\b(guest|visitors['’]?|address|phone|photo) )book(s|ing)?|appointments?|reserv\w+)\b/i],
  ['track', /\b(track\w*|status of)\b/i],
  ['calculator', /\b(calculat\w+|estimat\w+)\b/i],
  ['wizard', /\b(wizards?|multi-?step|step by step|appl(y|ies|ying) for|application form)\b/i],
  ['language', /\b(languages?|translat\w+|locali[sz]\w+)\b/i],
  ['consent', /\bcookies?\b/i],
  ['faq', /\b(faqs?|frequent\w* .*questions?)\b/i],
  ['dashboard', /\b(dashboards?|key figures|overview)\b/i],
  ['navigation', /\b(navigat\w+|main menu)\b/i],
];

/** Words that say nothing about what is asked for. */
const stopWords = new Set(
  'the a an and or of to in on for with from by as is are be can may must shall should will would user users visitor customer customers site website page pages test tests testing check verify validate discover find explore flow flows all main every each this that it its their they when then given after before e-commerce ecommerce app application system feature features function functions functionality work works working please look see into including such not have has get gets make makes want wants able'.split(
    ' ',
  ),
);

const MATCHED_FROM = 0.5;

/** The project's own words, cut where one wish ends and the next begins. */
export function splitRequirements(texts: readonly (string | null | undefined)[]): ScanRequirement[] {
  const clauses = texts
    .flatMap((text) => (text ?? '').split(/[,;.\n•]|\band\b|\bund\b/i))
    .map((clause) => clause.trim());
  return [...new Set(clauses.filter((clause) => contentWords(clause).length > 0))].map((text) => ({
    ...{ text: text.slice(0, 300), requirementId: null, ref: null },
  }));
}

/** Whether words, as those of a link, speak of something that was asked for. */
export function requirementFilter(wishes: readonly ScanRequirement[]): (words: string) => boolean {
  const wanted = new Set(wishes.flatMap(({ text }) => contentWords(text)));
  return (words) => contentWords(words.replaceAll(/[/_.-]+/g, ' ')).some((word) => wanted.has(word));
}

export interface RequirementMatches {
  /** How much each use case was asked for, 0 to 1. */
  interest: Map<RecognisedUseCase, number>;
  /** Ids of the requirements that each use case answers. */
  answers: Map<RecognisedUseCase, string[]>;
  gaps: RequirementGap[];
}

/** Which use cases answer which wishes, and which wishes nothing answers. `cutShort`: why not all of the site was seen. */
export function matchRequirements(
  found: readonly RecognisedUseCase[],
  wishes: readonly ScanRequirement[],
  pages: readonly RecordedPage[],
  cutShort?: string,
): RequirementMatches {
  const interest = new Map<RecognisedUseCase, number>();
  const answers = new Map<RecognisedUseCase, string[]>();
  const gaps: RequirementGap[] = [];
  const vocabulary = new Set(pages.flatMap(pageWords));
  const known = found.map((one) => ({ one, words: new Set(contentWords(useCaseWords(one))) }));
  for (const wish of wishes) {
    const own = contentWords(wish.text);
    const classes = classesNamedIn(wish.text);
    let best = 0;
    for (const { one, words } of known) {
      const shared = own.filter((word) => words.has(word)).length / Math.max(1, own.length);
      const score = Math.min(1, (classes.includes(one.class) ? 0.6 : 0) + shared * 0.7);
      best = Math.max(best, score);
      if (score < MATCHED_FROM) continue;
      interest.set(one, Math.max(interest.get(one) ?? 0, score));
      if (wish.requirementId) answers.set(one, [...(answers.get(one) ?? []), wish.requirementId]);
    }
    const reason = best >= MATCHED_FROM ? undefined : gapReason(wish, own, classes, found, vocabulary);
    const doubt = cutShort ? ` The scan did not see the whole site: ${cutShort}.` : '';
    if (reason) gaps.push({ ...wish, reason: reason + doubt });
  }
  return { interest, answers, gaps };
}

function gapReason(
  wish: ScanRequirement,
  own: readonly string[],
  classes: readonly UseCaseClass[],
  found: readonly RecognisedUseCase[],
  vocabulary: ReadonlySet<string>,
): string | undefined {
  const missing = classes.filter((name) => !found.some((one) => one.class === name));
  if (missing.length > 0) return `No page offers it: ${missing.join(', ')} was not found.`;
  const isMentioned = own.some((word) => vocabulary.has(word));
  if (!isMentioned) return 'No page that was seen mentions it.';
  // A document's requirement wants a use case; a word of the description only wants to be met.
  return wish.requirementId ? 'Pages mention it, but no use case answers it.' : undefined;
}

function classesNamedIn(text: string): UseCaseClass[] {
  return requirementWords.flatMap(([name, pattern]) => (pattern.test(text) ? [name] : []));
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

/** Words that say something, without their endings. */
function contentWords(text: string): string[] {
  const all = text.toLowerCase().match(/[\p{L}][\p{L}\d-]{2,}/gu) ?? [];
  return [...new Set(all.filter((word) => !stopWords.has(word)).map(stem))];
}

function stem(word: string): string {
  return word.replace(/(ing|ings|ed|es|s)$/, '').replace(/(.{3,}?)(.)\2$/, '$1$2');
}
