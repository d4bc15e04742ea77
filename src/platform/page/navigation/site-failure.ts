import type { Page, Response } from 'playwright-core';
import { browserEndedMessage } from '../../browser/browser-messages.ts';
import { Failure, quote } from '../../errors.ts';
import { detectBotWall, LARGEST_BOT_WALL, readSmallPage } from './bot-wall.ts';

type SiteProblem =
  | 'DNS'
  | 'REFUSED'
  | 'TLS'
  | 'REDIRECTS'
  | 'NOT_ALLOWED'
  | 'TIMEOUT'
  | 'BROKEN'
  | 'UNREACHABLE'
  | 'EMPTY';

/** Plain words for network errors, by the codes of Node and Chromium. */
const reasons: readonly (readonly [RegExp, SiteProblem, string])[] = [
  [/ENOTFOUND|EAI_AGAIN|ERR_NAME_NOT_RESOLVED/, 'DNS', 'the host cannot be found'],
  [/ECONNREFUSED|ERR_CONNECTION_REFUSED/, 'REFUSED', 'the connection was refused'],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_SSL|ERR_TLS|EPROTO/, 'TLS', 'its certificate or TLS is not valid'],
  [/ERR_TOO_MANY_REDIRECTS|TOO_MANY_REDIRECTS/, 'REDIRECTS', 'it redirects in a circle'],
  [/ERR_TUNNEL_CONNECTION_FAILED|ERR_BLOCKED_BY_CLIENT/, 'NOT_ALLOWED', 'its address may not be visited'],
  [/TIMEOUT|TIMED_OUT|TimeoutError|AbortError/i, 'TIMEOUT', 'it did not answer in time'],
  [/ECONNRESET|EPIPE|UND_ERR_SOCKET|ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_SOCKET/, 'BROKEN', 'the connection broke'],
  [
    /ENETUNREACH|EHOSTUNREACH|ERR_ADDRESS_UNREACHABLE|ERR_INTERNET_DISCONNECTED/,
    'UNREACHABLE',
    'the network cannot reach it',
  ],
  [
    /ERR_UNSAFE_PORT|bad port|ERR_UNSAFE_REDIRECT|ERR_\w*URL_SCHEME/,
    'NOT_ALLOWED',
    'it leads to an address that browsers do not open',
  ],
  [
    /ERR_HTTP2|ERR_QUIC|ERR_INVALID|ERR_RESPONSE|ERR_CONTENT|ERR_INCOMPLETE|HPE_/,
    'BROKEN',
    'its answer is not valid, as sites give one that block automated browsers',
  ],
  [/ERR_ABORTED/, 'EMPTY', 'it answers with nothing that a browser could show'],
];

/** The reason why a page could not be opened. */
export function siteFailureReason(error: unknown): string {
  if (error instanceof Failure && error.code !== 'TOO_MANY_REDIRECTS') return error.message;
  const text = namesOf(error).join(' ');
  return reasons.find(([pattern]) => pattern.test(text))?.[2] ?? unknownReason(error, text);
}

/** Uses the code if there is one: the message of the browser driver is not written for users. */
function unknownReason(error: unknown, text: string): string {
  const code = /\b(?:net::)?((?:UND_)?ERR_\w+|E[A-Z]{4,})\b/.exec(text)?.[1];
  if (code) return `the browser reports ${code}`;
  const said = error instanceof Error ? error.message : String(error);
  return `it failed: ${firstLine(said.replace(/^\w+\.\w+: /, '')).slice(0, 160)}`;
}

export function isTimeoutError(error: unknown): boolean {
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

/** Converts an error of a navigation into a failure: SITE_DNS, SITE_REFUSED, SITE_TIMEOUT … */
export function toSiteFailure(error: unknown, url: string): unknown {
  if (error instanceof Failure || !(error instanceof Error)) return error;
  if (browserEndedMessage.test(error.message)) return error;
  if (/Download is starting/.test(error.message)) return failed('NOT_HTML', url, 'it is a download, not a page', error);
  if (/Cannot navigate to invalid URL|invalid URL/i.test(error.message))
    return new Failure(
      'bad_input',
      'BAD_URL',
      `${quote(url)} is not an address that can be visited. Pass one that starts with http:// or https://.`,
    );
  const text = namesOf(error).join(' ');
  const known = reasons.find(([pattern]) => pattern.test(text));
  if (!known && !/net::ERR/.test(text)) return error;
  return failed(known?.[1] ?? 'FAILED', url, siteFailureReason(error), error);
}

const blockedStatus = [401, 403, 407, 429, 451];

/**
 * Why a response is not the requested page but an error, a bot wall or a file. Undefined if it is the page. A login
 * page counts as a page; see `isLoginPage`.
 */
export async function checkPageResponse(
  page: Page,
  response: Response | null,
  url: string,
): Promise<Failure | undefined> {
  const status = response?.status() ?? 0;
  const type = response?.headers()['content-type'] ?? 'text/html';
  const wall = detectBotWall(await page.evaluate(readSmallPage, LARGEST_BOT_WALL).catch(() => ''));
  if (wall) return failed('BLOCKED', url, `it is behind a wall against robots (${wall})`, undefined, status);
  if (await hasCaptcha(page)) return failed('BLOCKED', url, 'it asks for a captcha', undefined, status);
  if (status === 401 || status === 407)
    return failed('LOGIN', url, `it asks for a login (${status})`, undefined, status);
  if (blockedStatus.includes(status))
    return failed('BLOCKED', url, `it refuses the visit (${status})`, undefined, status);
  if (status >= 400) return failed('STATUS', url, `it answers with the error ${status}`, undefined, status);
  if (status === 204 || status === 205) return failed('EMPTY', url, 'it answers with nothing', undefined, status);
  if (!/^(text\/html|application\/xhtml\+xml)\b/i.test(type))
    return failed('NOT_HTML', url, `it is no web page but ${quote(type, 60)}`, undefined, status);
  return undefined;
}

/** A page with a password field and little else: what is behind it needs an account. */
export async function isLoginPage(page: Page): Promise<boolean> {
  return page
    .evaluate(() => {
      const seen = (element: Element) => element.checkVisibility({ checkVisibilityCSS: true });
      const passwords = [...document.querySelectorAll('input[type=password]')].filter(seen);
      const fields = [...document.querySelectorAll('input:not([type=hidden]),select,textarea')].filter(seen);
      return passwords.length === 1 && fields.length <= 4;
    })
    .catch(() => false);
}

/** A challenge that fills the page, not a small one next to a form. */
async function hasCaptcha(page: Page): Promise<boolean> {
  return page
    .evaluate(() => {
      const frames = document.querySelectorAll(
        'iframe[src*="captcha"],iframe[src*="challenges.cloudflare"],#captcha,.g-recaptcha',
      );
      const fields = document.querySelectorAll('input:not([type=hidden]),select,textarea');
      return frames.length > 0 && fields.length === 0 && (document.body?.innerText.length ?? 0) < 2_000;
    })
    .catch(() => false);
}

const nextSteps: Record<string, string> = {
  BLOCKED: 'Ask the owner of the site to let Assay in, or test a copy of the site without this protection.',
  LOGIN: 'Test a page that needs no login, or a copy of the site without this login.',
  NOT_HTML: 'Pass the address of a web page.',
  EMPTY: 'Pass the address of a page with content.',
};

function failed(trouble: string, url: string, reason: string, cause?: unknown, status?: number): Failure {
  const hint = nextSteps[trouble] ?? 'Check the address and that the site is running, then try again.';
  const details = { reason, hint, ...(status ? { httpStatus: status } : {}) };
  return new Failure('site_failed', `SITE_${trouble}`, `${quote(url)} cannot be opened: ${reason}.`, details, {
    cause,
  });
}
