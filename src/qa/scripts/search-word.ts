import { Failure } from '../../platform/errors.ts';
import type { CasePlan } from '../cases/model.ts';
import { NOWHERE } from '../cases/search.ts';
import { WORD_OF_THE_PAGE } from '../cases/values.ts';
import type { UseCaseEvidence } from '../scan/evidence.ts';
import { match, matchClickable, ownPart } from './match.ts';
import { type Observation, observe } from './observe.ts';
import type { Pen } from './pen.ts';
import { placeOf } from './write-steps.ts';

const WORDS_A_PAGE = 6;
const MOST_PAGES = 4;

export function needsWord({ values }: CasePlan): boolean {
  return Object.values(values).some((value) => value.includes(WORD_OF_THE_PAGE));
}

/**
 * A word that the search of the site really finds: one after the other is tried, beside one that is nowhere. They come from
 * the page itself, then from those that it links to.
 */
export async function wordWithHits(pen: Pen, plan: CasePlan, evidence: UseCaseEvidence): Promise<string> {
  const nothing = await linesFor(pen, plan, evidence, NOWHERE);
  const tried = new Set<string>();
  for (const url of [plan.entry, ...(await pagesBeside(pen, plan.entry))]) {
    await pen.page().goto(url);
    const words = wordsOf(await observe(pen.page(), false)).filter((word) => !tried.has(word));
    for (const word of words.slice(0, WORDS_A_PAGE)) {
      tried.add(word);
      if (!saysMore(await linesFor(pen, plan, evidence, word), nothing, word)) continue;
      await pen.page().goto(plan.entry);
      return word;
    }
  }
  const words = [...tried].map((word) => `“${word}”`).join(', ');
  throw new Failure('site_failed', 'NO_HITS', `The search finds none of the words that the site uses: ${words}.`);
}

async function pagesBeside(pen: Pen, entry: string): Promise<string[]> {
  await pen.page().goto(entry);
  const { controls } = await pen.read();
  const urls = controls
    .filter(({ href, visible, name }) => href !== null && visible && !leadsOut.test(`${name} ${href}`))
    .flatMap(({ href }) => URL.parse(href ?? '', entry) ?? [])
    .filter(({ origin, pathname }) => origin === new URL(entry).origin && pathname !== new URL(entry).pathname);
  return [...new Set(urls.map(({ href }) => href))].slice(0, MOST_PAGES);
}

const leadsOut = /log.?out|sign.?out|delete|remove|log.?in|sign.?(in|up)|\.(pdf|csv|zip)\b/i;

/** The page repeats what was searched for, and its menu may name it too: neither is a hit. */
export function saysMore(lines: readonly string[], nothing: readonly string[], word: string): boolean {
  const plain = (line: string) => line.toLowerCase().replaceAll(word.toLowerCase(), NOWHERE);
  const known = new Set(nothing.map(plain));
  return lines.some((line) => !known.has(plain(line)));
}

/** What the page says once it was searched for. */
async function linesFor(pen: Pen, plan: CasePlan, { form }: UseCaseEvidence, word: string): Promise<string[]> {
  await pen.page().goto(plan.entry);
  const page = await pen.read();
  const reading = form ? ownPart(page, form) : page;
  const field = form?.fields.find(({ key }) => plan.values[key]?.includes(WORD_OF_THE_PAGE));
  const control = field && match(reading, field);
  if (!control) return [];
  const on = placeOf(control);
  await pen.tryOut({ do: 'fill', on, value: word });
  const button = form?.submit && matchClickable(reading, form.submit);
  if (button) await pen.tryOut({ do: 'click', on: placeOf(button), times: 1 });
  else if (form?.method !== 'script') await pen.tryOut({ do: 'press', on, key: 'Enter' });
  const { lines } = await observe(pen.page(), false);
  return lines.map(({ text }) => text);
}

const tooUsual =
  /^(search|find|home|page|welcome|with|your|from|this|that|skip|content|results?|about|more|here|have)$/i;

/** Half of the words that are tried on a page come from what it lists, if it lists anything. */
const FROM_THE_LIST = 3;
const FIRST_ITEMS = 6;

/**
 * What is on offer is likely to be named in what the page lists, then in its links and headings; the most frequent words first.
 */
export function wordsOf({ names, lines, items }: Pick<Observation, 'names' | 'lines' | 'items'>): string[] {
  const listed = byFrequency(items.slice(0, FIRST_ITEMS)).slice(0, FROM_THE_LIST);
  const others = byFrequency([...names, ...lines.flatMap(({ text, heading }) => (heading ? [text] : []))]);
  return [...new Set([...listed, ...others])];
}

function byFrequency(texts: readonly string[]): string[] {
  const words = texts.flatMap((text) => text.match(/\p{L}{4,}/gu) ?? []).filter((word) => !tooUsual.test(word));
  const counted = [...Map.groupBy(words, (word) => word.toLowerCase())];
  return counted.toSorted(([, a], [, b]) => b.length - a.length).map(([word]) => word);
}
