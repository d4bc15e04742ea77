import type * as z from 'zod';
import { quote } from '../platform/errors.ts';

export interface ArgumentIssue {
  /** Where: `filePaths[2]`, or the name of an argument that is not known. */
  field: string;
  problem: string;
}

/** Turns what is wrong with the arguments into sentences that name the field, the value and what is allowed. */
export function explainArguments(
  tool: string,
  known: readonly string[],
  issues: readonly z.core.$ZodIssue[],
  args: unknown,
): { message: string; issues: ArgumentIssue[] } {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    const problem = `arguments must be an object, got ${quote(args)}`;
    return { message: `Invalid arguments for ${tool}: ${problem}.`, issues: [{ field: '', problem }] };
  }
  const explained = issues.flatMap((issue) => explain(issue, known, args));
  const shown = explained.slice(0, 8).map(({ field, problem }) => (field ? `${field}: ${problem}` : problem));
  if (explained.length > shown.length) shown.push(`and ${explained.length - shown.length} more`);
  return { message: `Invalid arguments for ${tool}: ${shown.join('; ')}.`, issues: explained };
}

function explain(issue: z.core.$ZodIssue, known: readonly string[], args: object): ArgumentIssue[] {
  if (issue.code === 'unrecognized_keys') {
    const inside = fieldName(issue.path);
    return issue.keys.map((key) => {
      const near = inside ? undefined : nearest(key, known);
      const hint = near
        ? `did you mean "${near}"?`
        : inside
          ? ''
          : known.length > 0
            ? `known: ${known.join(', ')}`
            : 'it takes none';
      return {
        field: inside ? `${inside}.${key}` : quote(key, 60).slice(1, -1),
        problem: `unknown argument${hint ? ` (${hint})` : ''}`,
      };
    });
  }
  const field = fieldName(issue.path);
  const value = valueAt(args, issue.path);
  const wanted = issue.message.replace(/^Invalid input: /, '').replace(/, received \w+$/, '');
  if (value === undefined) return [{ field, problem: `missing (${wanted})` }];
  return [{ field, problem: `${wanted}, got ${quote(value)}` }];
}

function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (name, part) => (typeof part === 'number' ? `${name}[${part}]` : name ? `${name}.${String(part)}` : String(part)),
    '',
  );
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part) ? Reflect.get(value, part) : undefined,
    args,
  );
}

/** The known name that a mistyped one most likely means, if one is close enough. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const scored = known
    .map((candidate) => ({ candidate, distance: editDistance(simplify(name), simplify(candidate)) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 4)))
    .sort((a, b) => a.distance - b.distance);
  return scored[0]?.candidate;
}

const simplify = (name: string) => name.slice(0, 64).toLowerCase().replaceAll(/[-_]/g, '');

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
