import { addressGuard } from '../../platform/net.ts';
import { normalised } from './addresses.ts';

const ANSWERS_WITHIN_MS = 10_000;

/**
 * Where a site really begins: many send visitors on to https, or to www. Only that is followed; an address that leads to
 * somebody else's site stays what it is, and the scan says so.
 */
export async function startAddress(
  asked: URL,
  inside: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<URL> {
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(ANSWERS_WITHIN_MS)]);
    const answer = await addressGuard(inside).fetch(asked, { signal: within });
    await answer.body?.cancel();
    const landed = normalised(answer.url);
    return landed && landed.origin !== asked.origin && isSameSite(landed, asked) ? landed : asked;
  } catch {
    signal.throwIfAborted();
    // The browser will say what is wrong with it.
    return asked;
  }
}

/** The same name, with or without www, and the same port or the usual ones. */
function isSameSite(one: URL, other: URL): boolean {
  const name = ({ hostname }: URL) => hostname.replace(/^www\./, '');
  return name(one) === name(other) && (one.port === other.port || (one.port === '' && other.port === ''));
}
