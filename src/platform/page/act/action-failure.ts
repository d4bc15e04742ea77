import { Failure, quote } from '../../errors.ts';
import type { PlatformCode } from '../../next-steps.ts';

const reasons: readonly (readonly [RegExp, PlatformCode, string])[] = [
  [/strict mode violation/, 'ELEMENT_AMBIGUOUS', 'it is not the only one of its kind on the page'],
  [/intercepts pointer events/, 'ELEMENT_COVERED', 'something else lies over it'],
  [/element is not enabled|Element is not enabled/, 'ELEMENT_DISABLED', 'it is disabled'],
  [/not an <input>|not a <select>|Not a checkbox/i, 'WRONG_KIND', 'it takes no such value'],
  [/element is not editable|readonly/, 'ELEMENT_READ_ONLY', 'it is read-only'],
  [/element is not visible|Element is not visible/, 'ELEMENT_HIDDEN', 'it cannot be seen'],
  [/outside of the viewport/, 'ELEMENT_HIDDEN', 'it lies outside of the page'],
  [/element is not stable/, 'ELEMENT_MOVING', 'it keeps moving'],
  [/Cannot type text into|Malformed value|did not find some options/, 'VALUE_REFUSED', 'it does not take this value'],
  [/not attached|detached/, 'ELEMENT_GONE', 'it went away'],
  [/waiting for (?:locator|selector|get)/, 'ELEMENT_NOT_FOUND', 'it is not on the page'],
];

/** What the browser says about an action that did not work, as a failure that names the element and the reason. */
export function actionFailure(error: unknown, what: string): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  if (/has been closed|Target closed|crashed|disconnected/i.test(error.message))
    return new Failure('unavailable', 'BROWSER_GONE', 'The browser page was closed meanwhile.', {}, { cause: error });
  const known = reasons.find(([pattern]) => pattern.test(error.message));
  if (!known && error.name !== 'TimeoutError') return error;
  const [, code = 'TIMEOUT', reason = 'the page did not answer in time'] = known ?? [];
  const cover = code === 'ELEMENT_COVERED' ? coverIn(error.message) : undefined;
  const message = `${what} cannot be used: ${reason}${cover ? ` (${quote(cover, 100)})` : ''}.`;
  return new Failure(code === 'TIMEOUT' ? 'site_failed' : 'bad_input', code, message, {}, { cause: error });
}

function coverIn(message: string): string | undefined {
  return /(<[a-z][^>]{0,200}>)[^\n]*? intercepts pointer events/.exec(message)?.[1];
}
