import { Failure } from '../../platform/errors.ts';

/** What the network says, in words a person would use. Codes of Node and of Chromium. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/ENOTFOUND|EAI_AGAIN|ERR_NAME_NOT_RESOLVED/, 'the host cannot be found'],
  [/ECONNREFUSED|ERR_CONNECTION_REFUSED/, 'the connection was refused'],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_SSL|ERR_TLS|EPROTO/, 'its certificate or TLS is not valid'],
  [/ERR_TOO_MANY_REDIRECTS|TOO_MANY_REDIRECTS/, 'it redirects in a circle'],
  [/ERR_TUNNEL_CONNECTION_FAILED|ERR_BLOCKED_BY_CLIENT/, 'its address may not be visited'],
  [/TIMEOUT|TIMED_OUT|TimeoutError|AbortError/i, 'it did not answer in time'],
  [/ECONNRESET|EPIPE|UND_ERR_SOCKET|ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_SOCKET/, 'the connection broke'],
  [/ENETUNREACH|EHOSTUNREACH|ERR_ADDRESS_UNREACHABLE|ERR_INTERNET_DISCONNECTED/, 'the network cannot reach it'],
];

/** A site's failure as a reason: why a page could not be had. */
export function failureReason(error: unknown): string {
  if (error instanceof Failure && error.code !== 'TOO_MANY_REDIRECTS') return error.message;
  const text = namesOf(error).join(' ');
  return reasons.find(([pattern]) => pattern.test(text))?.[1] ?? `it failed: ${firstLine(text).slice(0, 160)}`;
}

export function isTimeout(error: unknown): boolean {
  return /TIMEOUT|TIMED_OUT|TimeoutError|PAGE_TIMEOUT/i.test(namesOf(error).join(' '));
}

function namesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const code = 'code' in error ? String(error.code) : '';
  return [code, error.name, error.message, ...(error.cause === undefined ? [] : namesOf(error.cause))];
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
