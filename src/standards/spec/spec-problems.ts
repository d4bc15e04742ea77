import type * as z from 'zod';
import { quote } from '../../platform/errors.ts';
import { isJsonObject } from '../../platform/json.ts';
import { findNearestName } from '../../platform/text/nearest-name.ts';
import type { SpecProblem, YamlSource } from './yaml-source.ts';

/** The suggestion for each field that is often wrong. */
const suggestions: Readonly<Record<string, string>> = {
  id: 'Write id: FEAT-0001, with a prefix for the kind of work and a number',
  title: 'Say in one line of 8 to 200 characters what changes for whom',
  risk_tier: 'Write risk_tier: 1 (money, auth, data loss), 2 (ordinary features) or 3 (low risk)',
  mode: 'Write mode: feature, refactor, fix, doc or chore',
  blast_radius: 'Write blast_radius: with modules: [what breaks if this breaks] and data_migration: false',
  operational_rollback_slo: 'Write how fast the change can be rolled back: 5m, 15m, 1h',
  scope: 'Write scope: with in: [paths that may change] and out: [paths that must not]',
  invariants: 'List what must stay true after any change',
  acceptance: 'List criteria with id: A1, given, when and then',
  non_functional: 'Write non_functional: with a11y, perf and security',
  contracts: 'List the contracts: type (openapi, graphql, proto, pact, json-schema) and path; an empty list in tier 3',
  change_budget: 'Write change_budget: with max_files and max_loc, or leave it out: the policy has one',
  waiver_ids: 'List the ids of waivers as caws_waiver_create gave them: WV-0001',
};

/** Turns issues of a schema into problems with positions. */
export function problemsFromIssues(
  issues: readonly z.core.$ZodIssue[],
  raw: unknown,
  source: YamlSource,
): SpecProblem[] {
  return issues.map((issue) => {
    const value = valueAt(raw, issue.path);
    const name = issue.path.map(String).join('.');
    const field = String(issue.path[0] ?? '');
    const suggestion = Object.hasOwn(suggestions, field) ? suggestions[field] : undefined;
    const message =
      issue.path.length === 0
        ? 'The file must be a map of fields'
        : value === undefined
          ? `Missing required field: ${name}`
          : `${name} ${issue.message}, got ${quote(value, 80)}`;
    return {
      severity: 'error',
      rule: value === undefined ? 'missing' : 'invalid',
      file: source.file,
      path: jsonPointer(issue.path),
      ...source.position(issue.path),
      message,
      ...(suggestion && { suggestion }),
    };
  });
}

/** Unknown keys are allowed, but one close to a known name is most likely a typing error. */
export function findMistypedKeys(raw: unknown, known: readonly string[], source: YamlSource): SpecProblem[] {
  if (!isJsonObject(raw)) return [];
  return Object.keys(raw)
    .filter((key) => !known.includes(key))
    .flatMap((key) => {
      const near = findNearestName(key, known);
      if (near === undefined || Object.hasOwn(raw, near)) return [];
      const message = `Unknown field: ${quote(key, 60).slice(1, -1)}`;
      return [createProblem(source, 'warning', 'unknown', [key], message, `Did you mean ${near}?`)];
    });
}

export function createProblem(
  source: YamlSource,
  severity: SpecProblem['severity'],
  rule: string,
  path: readonly PropertyKey[],
  message: string,
  suggestion?: string,
): SpecProblem {
  const where = { file: source.file, path: jsonPointer(path), ...source.position(path) };
  return { severity, rule, ...where, message, ...(suggestion && { suggestion }) };
}

/** Formats a problem as `specfile:3:5: error: message. suggestion`. */
export function formatProblem({ file, line, column, severity, message, suggestion }: SpecProblem): string {
  return `${file}:${line}:${column}: ${severity}: ${message}${suggestion ? `. ${suggestion}` : ''}`;
}

function valueAt(raw: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part) ? Reflect.get(value, part) : undefined,
    raw,
  );
}

function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
