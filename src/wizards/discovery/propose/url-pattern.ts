import { matchesWildcard } from '../../../platform/text/wildcard.ts';

/** The address without what changes from visit to visit. A route behind a hash is kept. */
export function urlPatternOf(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  const route = /^#!?\//.test(parsed.hash) ? parsed.hash : '';
  return `${parsed.origin === 'null' ? '' : parsed.origin}${parsed.pathname}${route}`;
}

/** A number, or letters and digits as no person would choose them. */
function isGeneratedSegment(part: string): boolean {
  if (/^\d+$/.test(part)) return true;
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(part)) return true;
  const digits = part.match(/\d/g)?.length ?? 0;
  if (/^[a-z]{0,6}[-_]?\d{5,}$/i.test(part)) return true;
  return /^[\w~=-]{10,}$/.test(part) && digits >= 3 && /[a-z]/i.test(part);
}

/**
 * The address of what a site makes for each who asks, `/applications/1002/result`: what it gave a number to has another the
 * next time, so `*` stands for it, unless the pages of the form differ by nothing else.
 */
export function resultsUrlPattern(url: string, formAddresses: readonly string[]): string {
  const pattern = urlPatternOf(url);
  const path = URL.parse(url)?.pathname ?? '';
  const start = URL.parse(url)?.origin.length ?? 0;
  const withPath = (parts: readonly string[]) =>
    pattern.slice(0, start) + parts.join('/') + pattern.slice(start + path.length);
  const others = formAddresses.filter((address) => address !== pattern);
  const parts = path.split('/');
  for (const [i, part] of parts.entries())
    if (isGeneratedSegment(part) && !others.some((address) => matchesWildcard(address, withPath(parts.with(i, '*')))))
      parts[i] = '*';
  return withPath(parts);
}
