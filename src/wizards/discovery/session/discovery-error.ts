import { Failure } from '../../../platform/errors.ts';

/** The error types of discovery: those of the specification, and additional ones. */
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
  invalid_url: 'Pass a full address that starts with http:// or https://.',
  navigation_failed: 'Open the address in a browser. If the site works there, try again.',
  timeout: 'Try again. If it fails again, the site is too slow or waits for something else.',
  element_not_found: 'Use the suggested selector, or call federalscout_get_page_info to list the elements.',
  not_clickable: 'Check the screenshot. Close what covers the element first, or use the suggested selector.',
  invalid_session: 'Call federalscout_start_discovery and use the session_id that it returns.',
  session_expired: 'Call federalscout_start_discovery again. The saved pages are in the partial file.',
  too_many_sessions: 'Complete an open discovery with federalscout_complete_discovery, or wait until one expires.',
  browser_error: 'Call federalscout_start_discovery again. The saved pages are in the partial file.',
  invalid_page_metadata:
    'Correct the named keys. federalscout_get_page_info proposes metadata that can be saved as it is.',
  no_pages_discovered: 'Save at least one page with federalscout_save_page_metadata first.',
  schema_validation_error:
    'Correct the named pages, save them again with federalscout_save_page_metadata, then complete the discovery.',
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

/** Converts a failure to open a page into an error of the specification; other errors stay as they are. */
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

/** The error type of the specification for a failed click; undefined for other errors. */
export function clickErrorTypeOf(error: unknown): 'element_not_found' | 'not_clickable' | 'timeout' | undefined {
  if (!(error instanceof Failure)) return undefined;
  if (error.code in clickErrorTypes) return clickErrorTypes[error.code];
  return /^ELEMENT_|^WRONG_KIND|^VALUE_/.test(error.code) ? 'not_clickable' : undefined;
}
