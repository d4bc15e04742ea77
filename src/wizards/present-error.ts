import type { Failure, FailureKind } from '../platform/errors.ts';

/** Where a failure of the platform has a word in the specification. */
const specifiedErrorTypes: Record<string, string> = {
  BROWSER_MISSING: 'browser_error',
  BROWSER_BROKEN: 'browser_error',
  BAD_URL: 'invalid_url',
  ADDRESS_NOT_ALLOWED: 'invalid_url',
  DNS: 'navigation_failed',
};

/** What an execution comes to that failed before there was a page, where the failure itself does not say. */
const recommendations: Partial<Record<FailureKind, string>> = {
  configuration: 'The same call fails the same way until that is done; the user data can stay as it is.',
  not_found: 'The same call fails the same way until there is such a wizard.',
  unavailable: 'The wizard is not the cause: there is nothing to discover again.',
  internal: 'Nothing is wrong with the call or the wizard: tell whoever runs this server.',
};

/**
 * The specification's error structure. `details` of the failure are its further keys, and may say another `status`, such as
 * `missing_data`. Pictures stay out of the text: they are attached.
 */
export function presentWizardError(
  { kind, code, message, details }: Failure,
  tool: string,
): {
  text: string;
  structured: Record<string, unknown>;
} {
  const { hint: _, issues: __, status = 'error', ...more } = details;
  const told = typeof more['corrective_action'] === 'string' ? more['corrective_action'] : undefined;
  const action = told ?? 'Correct the call as the error says, and try again.';
  const structured = {
    status,
    ...(status === 'error' && { error_type: specifiedErrorTypes[code] ?? code.toLowerCase() }),
    ...(status !== 'missing_data' && { error: message, technical_details: code, screenshot: null }),
    corrective_action: action,
    ...(tool === 'federalrunner_execute_wizard' && {
      recommendation: recommendations[kind] ?? 'The same call fails the same way until it is corrected.',
    }),
    ...more,
    timestamp: new Date().toISOString(),
  };
  return { text: JSON.stringify(withoutScreenshot(structured)), structured };
}

function withoutScreenshot(data: Record<string, unknown>): Record<string, unknown> {
  return typeof data['screenshot'] === 'string' ? { ...data, screenshot: '(attached as an image)' } : data;
}
