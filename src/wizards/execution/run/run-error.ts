import { browserEndedMessage } from '../../../platform/browser/browser-messages.ts';
import { Failure, quote } from '../../../platform/errors.ts';
import { wizardFileName } from '../../files/wizard-id.ts';
import type { MissingField } from '../../validation/answers.ts';

/** The execution error types of the specification. */
export type RunErrorType = 'navigation_failed' | 'selector_not_found' | 'timeout' | 'browser_error';

/** What an error means for the wizard, and what to do next. */
interface ErrorAdvice {
  recommendation: string;
  corrective_action: string;
}

const advice: Record<RunErrorType, ErrorAdvice> = {
  navigation_failed: {
    recommendation: 'The site may be down, or the form may have changed. The screenshot shows the current page.',
    corrective_action:
      'Try again. If it fails again and the form has changed, discover it again with federalscout_start_discovery.',
  },
  selector_not_found: {
    recommendation: 'Wizard structure may need to be re-discovered',
    corrective_action:
      'Call federalscout_check_wizard: it reports what has changed since the discovery, and proposes edits to the file.',
  },
  timeout: {
    recommendation: 'The site may be slow, or the form may have changed. The screenshot shows the last page.',
    corrective_action: 'Try again with a larger timeout_seconds.',
  },
  browser_error: {
    recommendation: 'The browser failed, not the wizard, so it need not be discovered again.',
    corrective_action: 'Try again: the next call starts another browser.',
  },
};

export function runError(
  type: RunErrorType,
  message: string,
  more: Record<string, unknown> = {},
  cause?: unknown,
): Failure {
  const kind = type === 'browser_error' ? 'unavailable' : 'site_failed';
  return new Failure(kind, type, message, { ...advice[type], ...more }, { cause });
}

/** A form that is submitted twice may apply, order or pay twice. */
export const MAY_BE_SENT = 'The form may have been submitted. Run it again only if the site has no record of it.';
export const CHECK_SITE_FIRST = 'Check the screenshot and the site before you do anything else.';

/** The same failure without the advice to try again, for a form that may have been submitted. */
export function markAsMaybeSent(failure: Failure): Failure {
  const { kind, code, message, details } = failure;
  const recommendation = details['recommendation'];
  if (typeof recommendation === 'string' && recommendation.startsWith(MAY_BE_SENT)) return failure;
  const complaints = Array.isArray(details['validation_errors']) ? details['validation_errors'] : [];
  const said = complaints.map(({ field, message: text }: SiteComplaint) => `${field}: ${quote(text, 200)}`).join('; ');
  const corrective_action = said ? `${CHECK_SITE_FIRST} The site rejected: ${said}` : CHECK_SITE_FIRST;
  const more = { ...details, recommendation: MAY_BE_SENT, corrective_action };
  return new Failure(kind, code, message, more, { cause: failure.cause });
}

export interface SiteComplaint {
  field: string;
  message: string;
  provided_value: unknown;
}

/** The site rejected values; the messages are its own words. */
export function siteValidationError(page: number, complaints: readonly SiteComplaint[]): Failure {
  const said = complaints.map(({ field, message }) => `${field}: ${quote(message, 200)}`).join('; ');
  return new Failure('bad_input', 'validation_error', `Form validation failed on page ${page}`, {
    status: 'validation_error',
    validation_errors: complaints,
    corrective_action: `Correct what the site rejects, then try again: ${said}`,
    recommendation: 'Correct the user data. If it is correct, check the screenshot: the form may have changed.',
  });
}

/** User data that is invalid before any page is opened, in the same structure. */
export function userDataError(complaints: readonly (SiteComplaint & { page: number })[]): Failure {
  const pages = [...new Set(complaints.map(({ page }) => page))].join(', ');
  const said = complaints.map(({ field, message }) => `${field} ${message}`).join('; ');
  return new Failure('bad_input', 'validation_error', `User data is not valid for page ${pages}: ${said}`, {
    status: 'validation_error',
    page_number: complaints[0]?.page ?? 1,
    validation_errors: complaints.map(({ page: _, ...complaint }) => complaint),
    corrective_action: `Correct the user data and try again: ${said}`,
    recommendation: 'Call federalrunner_validate_user_data with the corrected data first.',
  });
}

/** Missing fields together with invalid ones, so that both are corrected at once. */
export function missingDataError(
  wizardId: string,
  missing: readonly MissingField[],
  wrong: readonly (SiteComplaint & { page: number })[],
): Failure {
  const add = `Add to user_data: ${missing.map(({ field_id }) => field_id).join(', ')}`;
  const correct = wrong.map(({ field, message }) => `${field} ${message}`).join('; ');
  return new Failure('bad_input', 'missing_data', 'Please provide the missing required information', {
    status: 'missing_data',
    wizard_id: wizardFileName(wizardId),
    missing_fields: missing,
    message: 'Please provide the missing required information',
    ...(wrong.length > 0 && { validation_errors: wrong.map(({ page: _, ...complaint }) => complaint) }),
    corrective_action: correct ? `${add}. Correct: ${correct}` : add,
    recommendation: 'Call federalrunner_get_wizard_info for the meaning of each field.',
  });
}

/** Converts any thrown value into a failure of an execution. */
export function toRunError(error: unknown): Failure {
  if (error instanceof Failure) return fromPageFailure(error);
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
  if (browserEndedMessage.test(message))
    return runError('browser_error', 'The browser or its page ended while the form was being filled in.', {}, error);
  if (error instanceof Error && error.name === 'TimeoutError')
    return runError('timeout', 'The page did not respond in time.', {}, error);
  return runError('browser_error', 'The browser failed with an unexpected error.', {}, error);
}

const errorTypesByCode: Record<string, RunErrorType> = {
  timeout: 'timeout',
  navigation_failed: 'navigation_failed',
  browser_error: 'browser_error',
  browser_missing: 'browser_error',
  browser_broken: 'browser_error',
  browser_gone: 'browser_error',
  site_timeout: 'timeout',
};

/** A failure to find or set a control is a problem of the wizard structure. */
function fromPageFailure(failure: Failure): Failure {
  const { code, details } = failure;
  if (typeof details['recommendation'] === 'string' || details['status'] !== undefined) return failure;
  if (failure.kind === 'configuration' || code === 'CANCELLED') return failure;
  const site = code.startsWith('SITE_') ? 'navigation_failed' : 'selector_not_found';
  const type = errorTypesByCode[code.toLowerCase()] ?? site;
  return runError(type, failure.message, { technical_details: code }, failure);
}
