import type * as z from 'zod';
import { Failure, quote } from '../platform/errors.ts';
import { nearest } from '../platform/nearest.ts';

export interface ArgumentIssue {
  /** Where: `filePaths[2]`, or the name of an argument that is not known. */
  field: string;
  problem: string;
}

const MOST_VALUES = 50_000;
const DEEPEST = 64;
const MOST_EXPLAINED = 100;

/**
 * Refuses arguments that would keep the server busy merely by their number or nesting, before anything looks at them
 * closely.
 */
export function refuseTooMuch(tool: string, args: unknown): void {
  let left = MOST_VALUES;
  let level: unknown[] = [args];
  for (let depth = 0; level.length > 0; depth++) {
    const below: unknown[] = [];
    for (const value of level) {
      const inside = typeof value === 'object' && value !== null ? Object.values(value) : [];
      left -= inside.length;
      if (left < 0 || depth > DEEPEST) {
        const limit = left < 0 ? `hold more than ${MOST_VALUES} values` : `are nested more than ${DEEPEST} deep`;
        throw new Failure('bad_input', 'INVALID_ARGUMENTS', `Invalid arguments for ${tool}: they ${limit}.`);
      }
      for (const part of inside) if (typeof part === 'object' && part !== null) below.push(part);
    }
    level = below;
  }
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
  const explained = issues.slice(0, MOST_EXPLAINED).flatMap((issue) => explain(issue, known, args));
  const shown = explained.slice(0, 8).map(({ field, problem }) => (field ? `${field}: ${problem}` : problem));
  const more = Math.max(explained.length, issues.length) - shown.length;
  if (more > 0) shown.push(`and ${more} more`);
  return { message: `Invalid arguments for ${tool}: ${shown.join('; ')}.`, issues: explained };
}

function explain(issue: z.core.$ZodIssue, known: readonly string[], args: object): ArgumentIssue[] {
  if (issue.code === 'unrecognized_keys') {
    const inside = fieldName(issue.path);
    return issue.keys.slice(0, MOST_EXPLAINED).map((key) => {
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
