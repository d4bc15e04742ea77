import { searchStopWords, searchWordEnding } from './search-words.ts';

/** What a tool is found by. */
export interface SearchableTool {
  name: string;
  title: string;
  description: string;
}

interface IndexedTool {
  name: string;
  counts: ReadonlyMap<string, number>;
  length: number;
}

/** The usual constants of Okapi BM25: saturation of repeated words, and weight of the length of a text. */
const K1 = 1.2;
const B = 0.75;

/**
 * Ranks tools by a query in plain English with Okapi BM25 over name, title and description. The search returns the names of
 * tools that share a word with the query, best first.
 * @example createToolSearch(tools)('which lines are untested?') // ['get_uncovered_lines', …]
 */
export function createToolSearch(tools: readonly SearchableTool[]): (query: string) => string[] {
  const indexed = tools.map(indexTool);
  const meanLength = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(1, indexed.length);
  const toolsWith = new Map<string, number>();
  for (const { counts } of indexed)
    for (const word of counts.keys()) toolsWith.set(word, (toolsWith.get(word) ?? 0) + 1);

  const rarity = (word: string) => {
    const holding = toolsWith.get(word) ?? 0;
    return Math.log(1 + (indexed.length - holding + 0.5) / (holding + 0.5));
  };
  const weight = (word: string, { counts, length }: IndexedTool) => {
    const count = counts.get(word) ?? 0;
    return (rarity(word) * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / meanLength));
  };
  return (query) => {
    const words = searchWords(query);
    return indexed
      .map((tool) => ({ name: tool.name, score: words.reduce((sum, word) => sum + weight(word, tool), 0) }))
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .map(({ name }) => name);
  };
}

function indexTool({ name, title, description }: SearchableTool): IndexedTool {
  const words = searchWords(`${name.replaceAll('_', ' ')} ${title} ${description}`);
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return { name, counts, length: words.length };
}

/** Lower-case words with a light English stemmer: "cases" matches "case", and "generated" matches "generate". */
function searchWords(text: string): string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? [])
    .filter((word) => !searchStopWords.has(word))
    .map((word) => word.replace(searchWordEnding, ''));
}
