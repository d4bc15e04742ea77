import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { describeCatalog } from '../../src/tool/catalog.ts';
import { createToolSearch } from '../../src/tool/tool-search.ts';

interface Sentence {
  sentence: string;
  tool: string;
  /** Tools that answer the sentence equally well. */
  also?: string[];
}

test.each(['own', 'blind'])('finds the right tool for user sentences, %s set', async (set) => {
  const catalog = await describeCatalog();
  const tools = catalog.toolsets.flatMap((toolset) => toolset.tools);
  const find = createToolSearch(tools);
  const file = new URL(`search/${set}-sentences.json`, import.meta.url);
  const sentences: Sentence[] = JSON.parse(await readFile(file, 'utf8'));
  expect(sentences).toHaveLength(60);
  const ranks = sentences.map(({ sentence, tool, also = [] }) => ({
    sentence,
    tool,
    rank: rankOf(find(sentence), [tool, ...also]),
  }));
  const within = (rank: number) => ranks.filter((found) => found.rank <= rank).length / ranks.length;
  const missed = ranks.filter(({ rank }) => rank > 1).map(({ sentence, tool, rank }) => `${rank} ${tool}: ${sentence}`);
  expect(within(1), missed.join('\n')).toBeGreaterThanOrEqual(0.7);
  expect(within(3), missed.join('\n')).toBeGreaterThanOrEqual(0.9);
});

function rankOf(found: readonly string[], wanted: readonly string[]): number {
  const index = found.findIndex((name) => wanted.includes(name));
  return index === -1 ? Number.POSITIVE_INFINITY : index + 1;
}
