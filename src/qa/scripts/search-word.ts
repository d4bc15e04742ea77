import { Failure } from '../../platform/errors.ts';
import type { CasePlan } from '../cases/model.ts';
import { NOWHERE } from '../cases/search.ts';
import { WORD_OF_THE_PAGE } from '../cases/values.ts';
import type { UseCaseEvidence } from '../scan/evidence.ts';
import type { Pen } from './author.ts';
import { match, matchClickable } from './match.ts';
import { type Observation, observe } from './observe.ts';
import { placeOf } from './write-steps.ts';

const MOST_WORDS = 8;

export function needsWord({ values }: CasePlan): boolean {
  return Object.values(values).some((value) => value.includes(WORD_OF_THE_PAGE));
}

/** A word that the search of the site really finds: one after the other is tried, beside one that is nowhere. */
export async function wordWithHits(pen: Pen, plan: CasePlan, evidence: UseCaseEvidence): Promise<string> {
  const words = wordsOf(pen.draft.points.at(-1)?.seen).slice(0, MOST_WORDS);
  const nothing = new Set(await linesFor(pen, plan, evidence, NOWHERE));
  for (const word of words) {
    const lines = await linesFor(pen, plan, evidence, word);
    if (!lines.some((line) => !nothing.has(line))) continue;
    await pen.page().goto(plan.entry);
    return word;
  }
  const tried = words.map((word) => `“${word}”`).join(', ');
  throw new Failure('site_failed', 'NO_HITS', `The search finds none of the words that its own page uses: ${tried}.`);
}

/** What the page says once it was searched for, with a word that is nowhere in the place of the one that was entered. */
async function linesFor(pen: Pen, plan: CasePlan, { form }: UseCaseEvidence, word: string): Promise<string[]> {
  await pen.page().goto(plan.entry);
  const reading = await pen.read();
  const field = form?.fields.find(({ key }) => plan.values[key]?.includes(WORD_OF_THE_PAGE));
  const control = field && match(reading, field);
  if (!control) return [];
  const on = placeOf(control);
  await pen.tryOut({ do: 'fill', on, value: word });
  const button = form?.submit && matchClickable(reading, form.submit);
  if (button) await pen.tryOut({ do: 'click', on: placeOf(button), times: 1 });
  else if (form?.method !== 'script') await pen.tryOut({ do: 'press', on, key: 'Enter' });
  const { lines } = await observe(pen.page(), false);
  return lines.map(({ text }) => text.toLowerCase().replaceAll(word.toLowerCase(), NOWHERE));
}

const tooUsual =
  /^(search|find|home|page|welcome|with|your|from|this|that|skip|content|results?|about|more|here|have)$/i;

/** The words of its links and headings, the most frequent first: what is on offer is likely to be named there. */
function wordsOf(seen: Observation | undefined): string[] {
  const texts = [
    ...(seen?.names ?? []),
    ...(seen?.lines ?? []).flatMap(({ text, heading }) => (heading ? [text] : [])),
  ];
  const words = texts.flatMap((text) => text.match(/\p{L}{4,}/gu) ?? []).filter((word) => !tooUsual.test(word));
  const counted = [...Map.groupBy(words, (word) => word.toLowerCase())];
  return counted.toSorted(([, a], [, b]) => b.length - a.length).map(([word]) => word);
}
