import type * as z from 'zod';
import { Failure, quote } from '../platform/errors.ts';
import { LONGEST_PATH } from '../platform/files.ts';
import { nearest } from '../platform/nearest.ts';
import { escapedLength } from '../platform/untrusted-text.ts';

export interface ArgumentIssue {
  /** Where: `filePaths[2]`, or the name of an argument that is not known. */
  field: string;
  problem: string;
}

/** Twice the longest list that a tool takes. Checking so many costs less than 100 ms, whatever is wrong with them. */
export const MOST_ARGUMENT_VALUES = 20_000;
export const DEEPEST_ARGUMENTS = 64;
const MOST_EXPLAINED = 100;

/** Limits in characters. A schema may set a lower one. */
const LONGEST_KEY = 4_096;
const LONGEST_TEXT = 1_048_576;
/** All paths of a call together, as they are shown: results repeat them, with their invisible characters escaped. */
const MOST_PATH_TEXT = 1_048_576;

/** Top-level arguments that hold a path, or a list of paths, by their name: `lcovPath`, `files`, `workingDirectory`. */
const pathArgument = /(?:paths?|files?|filename|folders?|dirs?|director(?:y|ies)|^attestation)$/i;
/** A document has the limit of its tool, which has an error of its own, and that of a message. */
const documentArgument = /^contentBase64$/;

export function longestArgument(name: string): number {
  if (documentArgument.test(name)) return Number.POSITIVE_INFINITY;
  return pathArgument.test(name) ? LONGEST_PATH : LONGEST_TEXT;
}

interface Container {
  value: object;
  /** The top-level argument that it belongs to; undefined for the arguments themselves. */
  argument: string | undefined;
  field: string;
}

/**
 * Refuses arguments that would keep the server busy merely by their number, nesting or length, before anything looks at them
 * closely.
 */
export function refuseTooMuch(tool: string, args: unknown): void {
  let valuesLeft = MOST_ARGUMENT_VALUES;
  const checkText = textCheck(tool);
  let level: Container[] = isContainer(args) ? [{ value: args, argument: undefined, field: '' }] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST_ARGUMENTS) throw refused(tool, '', `they are nested more than ${DEEPEST_ARGUMENTS} deep`);
    const below: Container[] = [];
    for (const { value, argument, field } of level) {
      const keys = Object.keys(value);
      valuesLeft -= keys.length;
      if (valuesLeft < 0) throw refused(tool, '', `they hold more than ${MOST_ARGUMENT_VALUES} values`);
      for (const key of keys) {
        if (key.length > LONGEST_KEY)
          throw refused(tool, field, `a name may have at most ${LONGEST_KEY} characters, got ${key.length}`);
        const part: unknown = Reflect.get(value, key);
        const at = { argument: argument ?? key, field: partName(field, Array.isArray(value) ? Number(key) : key) };
        if (typeof part === 'string') checkText(part, at);
        if (isContainer(part)) below.push({ value: part, ...at });
      }
    }
    level = below;
  }
}

/** Refuses a text that is too long, and the path with which all paths of a call become too long. */
function textCheck(tool: string): (text: string, at: { argument: string; field: string }) => void {
  let pathTextLeft = MOST_PATH_TEXT;
  return (text, { argument, field }) => {
    const longest = longestArgument(argument);
    if (text.length > longest)
      throw refused(tool, field, `at most ${longest} characters are allowed, got ${text.length}`);
    if (longest !== LONGEST_PATH) return;
    pathTextLeft -= escapedLength(text);
    if (pathTextLeft >= 0) return;
    const problem = `all paths together may have at most ${MOST_PATH_TEXT} characters, and six for each invisible one`;
    throw refused(tool, argument, `${problem}; pass fewer paths in one call`);
  };
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function refused(tool: string, field: string, problem: string): Failure {
  const message = `Invalid arguments for ${tool}: ${field ? `${field}: ` : ''}${problem}.`;
  return new Failure('bad_input', 'INVALID_ARGUMENTS', message, { issues: [{ field, problem }] });
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
  return path.reduce<string>(partName, '');
}

function partName(whole: string, part: PropertyKey): string {
  if (typeof part === 'number') return `${whole}[${part}]`;
  return whole ? `${whole}.${String(part)}` : String(part);
}

function valueAt(args: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part) ? Reflect.get(value, part) : undefined,
    args,
  );
}
