import type * as z from 'zod';
import { Failure, quote } from '../platform/errors.ts';
import { LONGEST_PATH } from '../platform/files/files.ts';
import { findNearestName } from '../platform/text/nearest-name.ts';
import { escapedLength } from '../platform/text/untrusted-text.ts';

export interface ArgumentIssue {
  /** Where: `filePaths[2]`, or the name of an argument that is not known. */
  field: string;
  problem: string;
}

/** Twice the longest list that a tool takes. Checking so many costs less than 100 ms, whatever is wrong with them. */
export const MAX_ARGUMENT_VALUES = 20_000;
export const MAX_ARGUMENT_DEPTH = 64;
const MAX_EXPLAINED_ISSUES = 100;

/** Limits in characters. A schema may set a lower one. */
const MAX_KEY_LENGTH = 4_096;
const MAX_TEXT_LENGTH = 1_048_576;
/** All paths of a call together, as they are shown: results repeat them, with their invisible characters escaped. */
const MAX_PATH_TEXT_LENGTH = 1_048_576;

/** Top-level arguments that hold a path, or a list of paths, by their name: `lcovPath`, `files`, `workingDirectory`. */
const pathArgument = /(?:paths?|files?|filename|folders?|dirs?|director(?:y|ies)|^attestation)$/i;
/** A document has the limit of its tool, which has an error of its own, and that of a message. */
const documentArgument = /^contentBase64$/;

export function maxArgumentLength(name: string): number {
  if (documentArgument.test(name)) return Number.POSITIVE_INFINITY;
  return pathArgument.test(name) ? LONGEST_PATH : MAX_TEXT_LENGTH;
}

interface ArgumentContainer {
  value: object;
  /** The top-level argument that it belongs to; undefined for the arguments themselves. */
  argument: string | undefined;
  field: string;
}

/**
 * Refuses arguments that would keep the server busy merely by their number, nesting or length, before anything looks at them
 * closely.
 */
export function checkArgumentSize(tool: string, args: unknown): void {
  let valuesLeft = MAX_ARGUMENT_VALUES;
  const checkText = createTextCheck(tool);
  let level: ArgumentContainer[] = isContainer(args) ? [{ value: args, argument: undefined, field: '' }] : [];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_ARGUMENT_DEPTH)
      throw argumentsRejected(tool, '', `they are nested more than ${MAX_ARGUMENT_DEPTH} deep`);
    const below: ArgumentContainer[] = [];
    for (const { value, argument, field } of level) {
      const keys = Object.keys(value);
      valuesLeft -= keys.length;
      if (valuesLeft < 0) throw argumentsRejected(tool, '', `they hold more than ${MAX_ARGUMENT_VALUES} values`);
      for (const key of keys) {
        if (key.length > MAX_KEY_LENGTH)
          throw argumentsRejected(
            tool,
            field,
            `a name may have at most ${MAX_KEY_LENGTH} characters, got ${key.length}`,
          );
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
function createTextCheck(tool: string): (text: string, at: { argument: string; field: string }) => void {
  let pathTextLeft = MAX_PATH_TEXT_LENGTH;
  return (text, { argument, field }) => {
    const longest = maxArgumentLength(argument);
    if (text.length > longest)
      throw argumentsRejected(tool, field, `at most ${longest} characters are allowed, got ${text.length}`);
    if (longest !== LONGEST_PATH) return;
    pathTextLeft -= escapedLength(text);
    if (pathTextLeft >= 0) return;
    const problem = `all paths together may have at most ${MAX_PATH_TEXT_LENGTH} characters, and six for each invisible one`;
    throw argumentsRejected(tool, argument, `${problem}; pass fewer paths in one call`);
  };
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function argumentsRejected(tool: string, field: string, problem: string): Failure {
  const message = `Invalid arguments for ${tool}: ${field ? `${field}: ` : ''}${problem}.`;
  return new Failure('bad_input', 'INVALID_ARGUMENTS', message, { issues: [{ field, problem }] });
}

/** Turns what is wrong with the arguments into sentences that name the field, the value and what is allowed. */
export function explainArgumentIssues(
  tool: string,
  known: readonly string[],
  issues: readonly z.core.$ZodIssue[],
  args: unknown,
): { message: string; issues: ArgumentIssue[] } {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) {
    const problem = `arguments must be an object, got ${quote(args)}`;
    return { message: `Invalid arguments for ${tool}: ${problem}.`, issues: [{ field: '', problem }] };
  }
  const explained = issues.slice(0, MAX_EXPLAINED_ISSUES).flatMap((issue) => explainIssue(issue, known, args));
  const shown = explained.slice(0, 8).map(({ field, problem }) => (field ? `${field}: ${problem}` : problem));
  const more = Math.max(explained.length, issues.length) - shown.length;
  if (more > 0) shown.push(`and ${more} more`);
  return { message: `Invalid arguments for ${tool}: ${shown.join('; ')}.`, issues: explained };
}

function explainIssue(issue: z.core.$ZodIssue, known: readonly string[], args: object): ArgumentIssue[] {
  if (issue.code === 'unrecognized_keys') {
    const inside = fieldName(issue.path);
    return issue.keys.slice(0, MAX_EXPLAINED_ISSUES).map((key) => {
      const near = inside ? undefined : findNearestName(key, known);
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
