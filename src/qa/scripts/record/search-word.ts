import { Failure } from '../../../platform/errors.ts';
import type { CasePlan } from '../../cases/case-plan.ts';
import { NO_HIT_TEXT } from '../../cases/derive/search-cases.ts';
import { PAGE_WORD_TOKEN } from '../../cases/values/field-values.ts';
import type { UseCaseEvidence } from '../../scan/use-case-evidence.ts';
import { pageVocabulary } from '../page-vocabulary.ts';
import { toElementTarget } from './field-steps.ts';
import { limitToForm, matchCaseField, matchClickable } from './match-controls.ts';
import { observePage, type PageObservation } from './page-observation.ts';
import type { ScriptRecorder } from './script-recorder.ts';

const MAX_WORDS_PER_PAGE = 6;
const MAX_PAGES = 4;

export function needsSearchWord({ values }: CasePlan): boolean {
  return Object.values(values).some((value) => value.includes(PAGE_WORD_TOKEN));
}

/**
 * Finds a word with hits in the search of the site. Tries words of the page and then of the pages that it links to, and
 * compares each with a word that occurs nowhere.
 */
export async function findWordWithHits(
  recorder: ScriptRecorder,
  plan: CasePlan,
  evidence: UseCaseEvidence,
): Promise<string> {
  const nothing = await searchFor(recorder, plan, evidence, NO_HIT_TEXT);
  const tried = new Set<string>();
  for (const url of [plan.entry, ...(await listLinkedPages(recorder, plan.entry))]) {
    await recorder.page().goto(url);
    const words = searchWordCandidates(await observePage(recorder.page(), false)).filter((word) => !tried.has(word));
    for (const word of words.slice(0, MAX_WORDS_PER_PAGE)) {
      tried.add(word);
      if (!hasMoreResults(await searchFor(recorder, plan, evidence, word), nothing, word)) continue;
      await recorder.page().goto(plan.entry);
      return word;
    }
  }
  const words = [...tried].map((word) => `“${word}”`).join(', ');
  throw new Failure('site_failed', 'NO_HITS', `The search finds none of the words that the site uses: ${words}.`);
}

async function listLinkedPages(recorder: ScriptRecorder, entry: string): Promise<string[]> {
  await recorder.page().goto(entry);
  const { controls } = await recorder.read();
  const urls = controls
    .filter(
      ({ href, visible, name }) => href !== null && visible && !pageVocabulary.excludedLink.test(`${name} ${href}`),
    )
    .flatMap(({ href }) => URL.parse(href ?? '', entry) ?? [])
    .filter(({ origin, pathname }) => origin === new URL(entry).origin && pathname !== new URL(entry).pathname);
  return [...new Set(urls.map(({ href }) => href))].slice(0, MAX_PAGES);
}

/** The page repeats the search text, and its menu may contain it too: neither is a hit. */
export function hasMoreResults(lines: readonly string[], nothing: readonly string[], word: string): boolean {
  const plain = (line: string) => line.toLowerCase().replaceAll(word.toLowerCase(), NO_HIT_TEXT);
  const known = new Set(nothing.map(plain));
  return lines.some((line) => !known.has(plain(line)));
}

/** The text of the page after the search. */
async function searchFor(
  recorder: ScriptRecorder,
  plan: CasePlan,
  { form }: UseCaseEvidence,
  word: string,
): Promise<string[]> {
  await recorder.page().goto(plan.entry);
  const page = await recorder.read();
  const reading = form ? limitToForm(page, form) : page;
  const field = form?.fields.find(({ key }) => plan.values[key]?.includes(PAGE_WORD_TOKEN));
  const control = field && matchCaseField(reading, field);
  if (!control) return [];
  const on = toElementTarget(control);
  await recorder.performUnrecorded({ do: 'fill', on, value: word });
  const button = form?.submit && matchClickable(reading, form.submit);
  if (button) await recorder.performUnrecorded({ do: 'click', on: toElementTarget(button), times: 1 });
  else if (form?.method !== 'script') await recorder.performUnrecorded({ do: 'press', on, key: 'Enter' });
  const { lines } = await observePage(recorder.page(), false);
  return lines.map(({ text }) => text);
}

/** Half of the tried words come from the entries that a page lists, if there are any. */
const FROM_THE_LIST = 3;
const FIRST_ITEMS = 6;

/**
 * The offered things are probably named in the entries of the page, then in its links and headings; the most frequent
 * words come first.
 */
export function searchWordCandidates({
  names,
  lines,
  items,
}: Pick<PageObservation, 'names' | 'lines' | 'items'>): string[] {
  const listed = byFrequency(items.slice(0, FIRST_ITEMS)).slice(0, FROM_THE_LIST);
  const others = byFrequency([...names, ...lines.flatMap(({ text, heading }) => (heading ? [text] : []))]);
  return [...new Set([...listed, ...others])];
}

function byFrequency(texts: readonly string[]): string[] {
  const words = texts
    .flatMap((text) => text.match(/\p{L}{4,}/gu) ?? [])
    .filter((word) => !pageVocabulary.commonWord.test(word));
  const counted = [...Map.groupBy(words, (word) => word.toLowerCase())];
  return counted.toSorted(([, a], [, b]) => b.length - a.length).map(([word]) => word);
}
