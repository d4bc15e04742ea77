import { Failure } from '../../../platform/errors.ts';

/** The kinds of error that discovery tells: those of the specification, and those that it leaves open. */
type DiscoveryErrorType =
  | 'invalid_url'
  | 'navigation_failed'
  | 'timeout'
  | 'element_not_found'
  | 'not_clickable'
  | 'invalid_session'
  | 'session_expired'
  | 'too_many_sessions'
  | 'browser_error'
  | 'invalid_page_metadata'
  | 'no_pages_discovered'
  | 'schema_validation_error';

const correctiveActions: Record<DiscoveryErrorType, string> = {
  invalid_url: 'Give a whole address that begins with http:// or https://.',
  navigation_failed: 'Check the address in a browser of your own; if the site is up, try again.',
  timeout: 'Try again; if it happens again, the site is too slow or waits for something else.',
  element_not_found: 'Use the selector that is suggested, or call federalscout_get_page_info to see what there is.',
  not_clickable: 'Look at the screenshot: deal with what is in the way first, or use the selector that is suggested.',
  invalid_session: 'Call federalscout_start_discovery, and use the session_id that it returns.',
  session_expired: 'Call federalscout_start_discovery again; the pages that were saved are in the partial file.',
  too_many_sessions: 'Complete a discovery that is open, or wait until one expires.',
  browser_error: 'Call federalscout_start_discovery again; the pages that were saved are in the partial file.',
  invalid_page_metadata:
    'Correct the places that are named; federalscout_get_page_info proposes metadata ready to save.',
  no_pages_discovered: 'Save at least one page with federalscout_save_page_metadata first.',
  schema_validation_error: 'Save the pages that are named again, corrected, then complete the discovery.',
};

export function discoveryError(
  type: DiscoveryErrorType,
  message: string,
  more: Record<string, unknown> = {},
  cause?: unknown,
): Failure {
  const kind = type.startsWith('invalid') || type === 'no_pages_discovered' ? 'bad_input' : 'site_failed';
  return new Failure(
    kind,
    type,
    message,
    { success: false, corrective_action: correctiveActions[type], ...more },
    { cause },
  );
}

/** What is thrown on the way to a page, as discovery tells it. */
export function toNavigationError(error: unknown, screenshot: string | null): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.code === 'BAD_URL' || error.code === 'ADDRESS_NOT_ALLOWED')
    return discoveryError('invalid_url', error.message, { screenshot: null }, error);
  if (error.kind !== 'site_failed') return error;
  const type = error.code === 'SITE_TIMEOUT' ? 'timeout' : 'navigation_failed';
  return discoveryError(type, error.message, { screenshot, technical_details: error.code }, error);
}

const clickErrorTypes: Record<string, 'element_not_found' | 'not_clickable' | 'timeout'> = {
  ELEMENT_NOT_FOUND: 'element_not_found',
  ELEMENT_GONE: 'element_not_found',
  TIMEOUT: 'timeout',
};

/** What is thrown by a click: which of the three errors that there are it is. */
export function clickErrorTypeOf(error: unknown): 'element_not_found' | 'not_clickable' | 'timeout' | undefined {
  if (!(error instanceof Failure)) return undefined;
  if (error.code in clickErrorTypes) return clickErrorTypes[error.code];
  return /^ELEMENT_|^WRONG_KIND|^VALUE_/.test(error.code) ? 'not_clickable' : undefined;
}
