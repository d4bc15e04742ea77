import type { Failure, FailureKind } from '../platform/errors.ts';
import { isJsonObject } from '../platform/json.ts';
import { nextStepOf } from '../platform/next-steps.ts';
import { qaNextSteps } from './next-steps.ts';

type ErrorCode = 'UNAUTHORIZED' | 'FORBIDDEN' | 'NOT_FOUND' | 'INVALID_ARGUMENT' | 'UPSTREAM_ERROR' | 'INTERNAL_ERROR';

/** Error codes by failure kind. */
const errorByKind: Record<FailureKind, ErrorCode> = {
  bad_input: 'INVALID_ARGUMENT',
  not_found: 'NOT_FOUND',
  conflict: 'INVALID_ARGUMENT',
  site_failed: 'UPSTREAM_ERROR',
  unavailable: 'UPSTREAM_ERROR',
  configuration: 'UPSTREAM_ERROR',
  internal: 'INTERNAL_ERROR',
};

/** Error codes for failure codes that are more specific than their kind. */
const errorByCode: Record<string, ErrorCode> = {
  UNAUTHORIZED: 'UNAUTHORIZED',
  FORBIDDEN: 'FORBIDDEN',
  ADDRESS_NOT_ALLOWED: 'FORBIDDEN',
  PATH_NOT_ALLOWED: 'FORBIDDEN',
};

/** Arguments whose values are removed from error messages. */
const PRIVATE_FIELDS = ['value', 'webhookSecret'];

/** Creates `{error, message, details}` as the specification states. */
export function presentQaError(failure: Failure) {
  const { kind, code } = failure;
  const error = errorByCode[code] ?? errorByKind[kind];
  const { message, details } = code === 'INVALID_ARGUMENTS' ? withoutPrivateValues(failure) : failure;
  const hint = nextStepOf(failure, qaNextSteps);
  const structured = {
    error,
    message,
    details: { ...(code !== error && { reason: code }), ...details, ...(hint !== undefined && { hint }) },
  };
  return { text: JSON.stringify(structured), structured };
}

/** Removes private values, because the message of invalid arguments quotes them. */
function withoutPrivateValues({ message, details }: Failure): Pick<Failure, 'message' | 'details'> {
  const issues = Array.isArray(details['issues']) ? details['issues'].filter(isJsonObject) : [];
  const isPrivate = (field: unknown) => PRIVATE_FIELDS.includes(String(field).split(/[.[]/)[0] ?? '');
  const clean = issues.map(({ field, problem }) => ({
    field: String(field),
    problem: isPrivate(field) ? String(problem).replace(/, got .*$/s, '') : String(problem),
  }));
  const fields = clean.map(({ field }) => field);
  const problems = clean.slice(0, 8).map(({ field, problem }) => (field ? `${field}: ${problem}` : problem));
  return {
    message: issues.some(({ field }) => isPrivate(field)) ? `Invalid arguments: ${problems.join('; ')}.` : message,
    details: { ...(fields[0] && { field: fields[0] }), issues: clean },
  };
}
