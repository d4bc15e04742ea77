import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { describeCatalog } from '../src/tool/catalog.ts';

interface Sentence {
  sentence: string;
  tool: string;
  /** Tools that answer the sentence equally well. */
  also?: string[];
}

/**
 * Words without meaning for a search. Hosts do not match them: the query that a model writes has none, and search
 * libraries remove them (Lucene, NLTK and bm25s ship such a list for English).
 */
const stopWords = new Set(
  `a about again all also am an and any are as at be been before being both but by can could did do does doing down each
  few for from had has have having he her here hers him his how i if in into is it its itself just me more most my myself
  no nor not now of off on once only or other our ours out over own same she should so some such than that the their
  theirs them then there these they this those through to too under until up very was we were what when where which while
  who whom why will with would you your yours s t d ll m re ve don`.split(/\s+/),
);

/** Lower-case words with a light English stemmer: "cases" matches "case", and "generated" matches "generate". */
const words = (text: string) =>
  (text.toLowerCase().match(/[a-z0-9]+/g) ?? [])
    .filter((word) => !stopWords.has(word))
    .map((word) => word.replace(/(?<=\w{3})(?:ing|ed|es|e|s)$/, ''));

/** Okapi BM25 with the usual constants, over name, title and description: what hosts with tool search do. */
function createSearch(documents: ReadonlyMap<string, string>): (sentence: string) => string[] {
  const [K1, B] = [1.2, 0.75];
  const terms = new Map([...documents].map(([name, text]) => [name, words(text)]));
  const mean = [...terms.values()].reduce((sum, { length }) => sum + length, 0) / terms.size;
  const rarity = (word: string) => {
    const holding = [...terms.values()].filter((known) => known.includes(word)).length;
    return Math.log(1 + (terms.size - holding + 0.5) / (holding + 0.5));
  };
  return (sentence) => {
    const weigh = (word: string, known: readonly string[]) => {
      const count = known.filter((term) => term === word).length;
      return (rarity(word) * count * (K1 + 1)) / (count + K1 * (1 - B + (B * known.length) / mean));
    };
    const score = (known: readonly string[]) => words(sentence).reduce((sum, word) => sum + weigh(word, known), 0);
    return [...terms]
      .map(([name, known]) => ({ name, score: score(known) }))
      .toSorted((a, b) => b.score - a.score)
      .map(({ name }) => name);
  };
}

test.each(['own', 'blind'])('finds the right tool for user sentences, %s set', async (set) => {
  const catalog = await describeCatalog();
  const tools = catalog.toolsets.flatMap((toolset) => toolset.tools);
  const find = createSearch(
    new Map(
      tools.map(({ name, title, description }) => [name, `${name.replaceAll('_', ' ')} ${title} ${description}`]),
    ),
  );
  const file = new URL(`search/${set}-sentences.json`, import.meta.url);
  const sentences: Sentence[] = JSON.parse(await readFile(file, 'utf8'));
  expect(sentences).toHaveLength(60);
  const ranks = sentences.map(({ sentence, tool, also = [] }) => ({
    sentence,
    tool,
    rank: find(sentence).findIndex((name) => name === tool || also.includes(name)) + 1,
  }));
  const within = (rank: number) => ranks.filter((found) => found.rank <= rank).length / ranks.length;
  const missed = ranks.filter(({ rank }) => rank > 1).map(({ sentence, tool, rank }) => `${rank} ${tool}: ${sentence}`);
  expect(within(1), missed.join('\n')).toBeGreaterThanOrEqual(0.7);
  expect(within(3), missed.join('\n')).toBeGreaterThanOrEqual(0.9);
});
