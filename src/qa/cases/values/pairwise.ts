export interface PairwiseChoice {
  key: string;
  values: readonly string[];
}

/**
 * Rows in which every two values of different choices occur together at least once. That is far fewer rows than all
 * combinations, and most defects of options show when two of them occur together. Greedy and deterministic.
 */
export function pairwiseRows(
  choices: readonly PairwiseChoice[],
  most = Number.POSITIVE_INFINITY,
): Record<string, string>[] {
  const [only] = choices;
  if (choices.length < 2) return (only?.values ?? []).slice(0, most).map((value) => ({ [only?.key ?? '']: value }));
  const open = new Set(allPairs(choices));
  const rows: Record<string, string>[] = [];
  while (open.size > 0 && rows.length < most) {
    const row = nextRow(choices, open);
    for (const pair of pairsOf(choices, row)) open.delete(pair);
    rows.push(row);
  }
  return rows;
}

/** Number of pairs, and of those that no row contains. */
export function countPairs(choices: readonly PairwiseChoice[], rows: readonly Record<string, string>[]) {
  const open = new Set(allPairs(choices));
  const all = open.size;
  for (const row of rows) for (const pair of pairsOf(choices, row)) open.delete(pair);
  return { all, untried: open.size };
}

/** Starts with an uncovered pair, then picks for each choice the value that covers most pairs. */
function nextRow(choices: readonly PairwiseChoice[], open: ReadonlySet<string>): Record<string, string> {
  const [first] = open;
  const row: Record<string, string> = Object.fromEntries(JSON.parse(first ?? '[]'));
  for (const { key, values } of choices) {
    if (key in row) continue;
    let best = { value: values[0] ?? '', closes: -1 };
    for (const value of values) {
      const closes = pairsWith(row, key, value).filter((pair) => open.has(pair)).length;
      if (closes > best.closes) best = { value, closes };
    }
    row[key] = best.value;
  }
  return row;
}

function allPairs(choices: readonly PairwiseChoice[]): string[] {
  return choices.flatMap((one, i) =>
    choices
      .slice(i + 1)
      .flatMap((other) => one.values.flatMap((a) => other.values.map((b) => pairKey([one.key, a], [other.key, b])))),
  );
}

function pairsOf(choices: readonly PairwiseChoice[], row: Record<string, string>): string[] {
  return choices.flatMap((one, i) =>
    choices.slice(i + 1).map((other) => pairKey([one.key, row[one.key] ?? ''], [other.key, row[other.key] ?? ''])),
  );
}

function pairsWith(row: Record<string, string>, key: string, value: string): string[] {
  return Object.entries(row).flatMap(([other, taken]) => [
    pairKey([other, taken], [key, value]),
    pairKey([key, value], [other, taken]),
  ]);
}

function pairKey(one: [string, string], other: [string, string]): string {
  return JSON.stringify([one, other]);
}
