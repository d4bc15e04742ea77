import type { Failure, FailureKind } from '../platform/errors.ts';
import { nextStepOf } from '../platform/next-steps.ts';

/** The error types of the specification for failures of the platform. */
const specifiedErrorTypes: Record<string, string> = {
  BROWSER_MISSING: 'browser_error',
  BROWSER_BROKEN: 'browser_error',
  BAD_URL: 'invalid_url',
  ADDRESS_NOT_ALLOWED: 'invalid_url',
  DNS: 'navigation_failed',
};

/** The recommendation for an execution that failed before it opened a page. */
const recommendations: Partial<Record<FailureKind, string>> = {
  configuration: 'The same call fails again until the configuration is fixed. The user data can stay as it is.',
  not_found: 'The same call fails again until a wizard with this id exists.',
  unavailable: 'The wizard is not the cause, so it need not be discovered again.',
  internal: 'The call and the wizard are not the cause. Report the error to the operator of this server.',
};

/**
 * The error structure of the specification. `details` of the failure become further keys, and may set another `status`, such as
 * `missing_data`.
 */
export function presentWizardError(
  failure: Failure,
  tool: string,
): {
  text: string;
  structured: Record<string, unknown>;
} {
  const { kind, code, message, details } = failure;
  const { hint: _, issues: __, status = 'error', ...more } = details;
  const specific = typeof more['corrective_action'] === 'string' ? more['corrective_action'] : undefined;
  const action = specific ?? nextStepOf(failure) ?? 'Correct the call as the error says, then try again.';
  const structured = {
    status,
    ...(status === 'error' && { error_type: specifiedErrorTypes[code] ?? code.toLowerCase() }),
    ...(status !== 'missing_data' && { error: message, technical_details: code, screenshot: null }),
    corrective_action: action,
    ...(tool === 'federalrunner_execute_wizard' && {
      recommendation: recommendations[kind] ?? 'The same call fails again until it is corrected.',
    }),
    ...more,
    timestamp: new Date().toISOString(),
  };
  return { text: JSON.stringify(structured), structured };
}
