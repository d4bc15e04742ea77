import { Failure, quote } from '../../platform/errors.ts';
import { createAddressGuard } from '../../platform/network/address-guard.ts';
import { normaliseUrl } from './site-urls.ts';

const ANSWERS_WITHIN_MS = 10_000;

/**
 * Resolves the start address: many sites redirect to https or to www. Only such redirects are followed, and never from https
 * to http. An address that redirects to another site is kept, and the scan adds a note.
 */
export async function resolveStartUrl(
  asked: URL,
  inside: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<URL> {
  return chooseStartUrl(asked, await followRedirects(asked, inside, signal));
}

/** Where to begin, by where the address led. */
export function chooseStartUrl(asked: URL, landed: URL | undefined): URL {
  if (landed === undefined || landed.origin === asked.origin) return asked;
  if (landed.hostname === asked.hostname && landed.protocol === 'http:' && asked.protocol === 'https:') {
    const message = `${quote(asked.origin)} redirects to ${quote(landed.origin)}, which is not encrypted. Scan the http URL explicitly if you want that.`;
    throw new Failure('site_failed', 'INSECURE_REDIRECT', message, { field: 'url', url: asked.href });
  }
  return isSameSite(asked, landed) ? landed : asked;
}

async function followRedirects(asked: URL, inside: readonly string[] | undefined, signal: AbortSignal) {
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(ANSWERS_WITHIN_MS)]);
    const answer = await createAddressGuard(inside).fetch(asked, { signal: within });
    await answer.body?.cancel();
    return normaliseUrl(answer.url);
  } catch {
    signal.throwIfAborted();
    // The browser reports the error when it opens the URL.
    return undefined;
  }
}

/**
 * Whether what is known of one address holds for the other: the same name, with or without www, and the same port or the
 * usual ones. What is served by https is not trusted without.
 */
export function isSameSite(known: URL, other: URL): boolean {
  const name = ({ hostname }: URL) => hostname.replace(/^www\./, '');
  const isAsSafe = known.protocol === other.protocol || other.protocol === 'https:';
  return isAsSafe && name(known) === name(other) && known.port === other.port;
}
