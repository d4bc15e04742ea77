/** Finds the known name that is closest to a mistyped one, if any is close enough. */
export function findNearestName(name: string, known: readonly string[]): string | undefined {
  const scored = known
    .map((candidate) => ({ candidate, distance: editDistance(simplify(name), simplify(candidate)) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 4)))
    .sort((a, b) => a.distance - b.distance);
  return scored[0]?.candidate;
}

const simplify = (name: string) => name.slice(0, 64).toLowerCase().replaceAll(/[-_]/g, '');

/** Counts insertions, deletions, substitutions and swaps of neighbouring letters. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const other = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : other;
      next.push(Math.min(other, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
