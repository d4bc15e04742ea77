/** Problems of a wizard that concern several of its fields. Each is reported at the position of one field. */

interface ConditionalField {
  field_id: string;
  visible_when?: { field: string } | { field: string }[] | undefined;
}

interface Problem {
  path: (string | number)[];
  message: string;
}

export function findFieldProblems(pages: readonly { fields: readonly ConditionalField[] }[]): Problem[] {
  const positions = pages.flatMap(({ fields }, page) =>
    fields.map((field, index) => ({ field, path: ['pages', page, 'fields', index] })),
  );
  const first = new Map<string, (typeof positions)[number]>();
  const problems: Problem[] = [];
  for (const position of positions) {
    const { field, path } = position;
    const other = first.get(field.field_id);
    if (!other) first.set(field.field_id, position);
    else {
      const message = `${field.field_id} is already the id of ${formatPath(other.path)}; give each field its own id`;
      problems.push({ path: [...path, 'field_id'], message });
    }
  }
  const conditions = (id: string) => [first.get(id)?.field.visible_when ?? []].flat().map(({ field }) => field);
  for (const { field, path } of first.values()) {
    const cycle = findCycle(field.field_id, conditions);
    if (cycle)
      problems.push({
        path: [...path, 'visible_when'],
        message: `depends on itself (${cycle.join(' → ')}); remove one of these conditions`,
      });
  }
  return problems;
}

/** The shortest way from an id back to itself. */
function findCycle(start: string, next: (id: string) => readonly string[]): string[] | undefined {
  const ways: string[][] = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const id of next(way.at(-1) ?? '')) {
      if (id === start) return [...way, id];
      if (!seen.has(id)) ways.push([...way, id]);
      seen.add(id);
    }
  }
  return undefined;
}

function formatPath(path: readonly (string | number)[]): string {
  return path.map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${part}`)).join('');
}
