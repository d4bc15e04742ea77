import { detectBotWall, LARGEST_BOT_WALL } from '../../platform/page/navigation/bot-wall.ts';
import { isTimeoutError } from '../../platform/page/navigation/site-failure.ts';
import type { Answer, Requester } from './requests.ts';
import { pause } from './waiting.ts';

export const fineStatus: readonly number[] = [200, 202, 301, 302, 307, 308];
const LONGEST_RETRY_MS = 5_000;

export interface Headers {
  url: string;
  status: number;
  contentType: string;
  /** The wall against robots that answered, if one did. */
  wall: string | undefined;
  /** The server asked for less, at least once. */
  overloaded: boolean;
}

interface CheckOptions {
  request: Requester;
  limitMs: number;
  /** The site does not like HEAD. */
  noHead: boolean;
  signal: AbortSignal;
}

/** Asks for a page's headers before the browser is sent there: whether it exists, and is a page at all. */
export async function checkHeaders(url: string, options: CheckOptions): Promise<Headers> {
  const first = await ask(url, options);
  if (!isOverload(first.status)) return { ...first, overloaded: first.status >= 500 };
  await pause(Math.min(LONGEST_RETRY_MS, first.retryAfterMs ?? 1_000), options.signal);
  return { ...(await ask(url, options)), overloaded: true };
}

function isOverload(status: number): boolean {
  return status === 429 || status === 503;
}

export function isHtml(contentType: string): boolean {
  return /^(text\/html|application\/xhtml\+xml)\b/i.test(contentType);
}

type Asked = Omit<Headers, 'overloaded'> & Pick<Answer, 'retryAfterMs'>;

async function ask(url: string, { request, limitMs, noHead }: CheckOptions): Promise<Asked> {
  if (!noHead) {
    const { status, contentType, url: landed, retryAfterMs } = await twice(() => request('HEAD', url, limitMs));
    // Some servers refuse HEAD (405, 501) or answer it wrongly; an error is believed when GET says so too.
    if (status < 400 || status === 429) return { url: landed, status, contentType, retryAfterMs, wall: undefined };
  }
  const answer = await twice(() => request('GET', url, limitMs));
  const { status, contentType, url: landed, retryAfterMs } = answer;
  if (fineStatus.includes(status)) {
    await answer.discard();
    return { url: landed, status, contentType, retryAfterMs, wall: undefined };
  }
  const body = await answer.body(LARGEST_BOT_WALL).catch(() => undefined);
  return { url: landed, status, contentType, retryAfterMs, wall: detectBotWall(body?.toString('utf8') ?? '') };
}

/** A connection that breaks once may be an accident. */
async function twice(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    const code =
      error instanceof Error && error.cause instanceof Error && 'code' in error.cause ? error.cause.code : '';
    if (isTimeoutError(error) || !/ECONNRESET|EPIPE|UND_ERR_SOCKET/.test(String(code))) throw error;
    return work();
  }
}
