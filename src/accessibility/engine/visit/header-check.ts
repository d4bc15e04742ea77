import { detectBotWall, LARGEST_BOT_WALL } from '../../../platform/page/navigation/bot-wall.ts';
import { isTimeoutError } from '../../../platform/page/navigation/site-failure.ts';
import type { HttpRequester, HttpResponse } from '../crawl/http-requester.ts';
import { pauseUnlessAborted } from '../time-limits.ts';

export const acceptedStatuses: readonly number[] = [200, 202, 301, 302, 307, 308];
const MAX_RETRY_DELAY_MS = 5_000;

export interface HeaderCheck {
  url: string;
  status: number;
  contentType: string;
  /** Name of the bot wall that responded, if one did. */
  wall: string | undefined;
  /** The server responded with 429 or 5xx at least once. */
  wasOverloaded: boolean;
}

interface HeaderCheckOptions {
  request: HttpRequester;
  limitMs: number;
  /** Sends GET only, for servers that handle HEAD badly. */
  skipHead: boolean;
  signal: AbortSignal;
}

/** Requests a page's headers before the browser opens it, to learn whether it exists and is HTML. */
export async function checkHeaders(url: string, options: HeaderCheckOptions): Promise<HeaderCheck> {
  const first = await requestHeaders(url, options);
  if (!isOverload(first.status)) return { ...first, wasOverloaded: first.status >= 500 };
  await pauseUnlessAborted(Math.min(MAX_RETRY_DELAY_MS, first.retryAfterMs ?? 1_000), options.signal);
  return { ...(await requestHeaders(url, options)), wasOverloaded: true };
}

function isOverload(status: number): boolean {
  return status === 429 || status === 503;
}

export function isHtml(contentType: string): boolean {
  return /^(text\/html|application\/xhtml\+xml)\b/i.test(contentType);
}

type HeaderResponse = Omit<HeaderCheck, 'wasOverloaded'> & Pick<HttpResponse, 'retryAfterMs'>;

async function requestHeaders(
  url: string,
  { request, limitMs, skipHead }: HeaderCheckOptions,
): Promise<HeaderResponse> {
  if (!skipHead) {
    const {
      status,
      contentType,
      url: landed,
      retryAfterMs,
    } = await retryBrokenConnection(() => request('HEAD', url, limitMs));
    // Some servers refuse HEAD (405, 501) or respond wrongly to it, so an error is confirmed with GET.
    if (status < 400 || status === 429) return { url: landed, status, contentType, retryAfterMs, wall: undefined };
  }
  const answer = await retryBrokenConnection(() => request('GET', url, limitMs));
  const { status, contentType, url: landed, retryAfterMs } = answer;
  if (acceptedStatuses.includes(status)) {
    await answer.discard();
    return { url: landed, status, contentType, retryAfterMs, wall: undefined };
  }
  const body = await answer.body(LARGEST_BOT_WALL).catch(() => undefined);
  return { url: landed, status, contentType, retryAfterMs, wall: detectBotWall(body?.toString('utf8') ?? '') };
}

/** Retries once after a broken connection, which is often a single event. */
async function retryBrokenConnection(work: () => Promise<HttpResponse>): Promise<HttpResponse> {
  try {
    return await work();
  } catch (error) {
    const code =
      error instanceof Error && error.cause instanceof Error && 'code' in error.cause ? error.cause.code : '';
    if (isTimeoutError(error) || !/ECONNRESET|EPIPE|UND_ERR_SOCKET/.test(String(code))) throw error;
    return work();
  }
}
