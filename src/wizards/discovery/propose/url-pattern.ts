import { matchesWildcard } from '../../../platform/text/wildcard.ts';

/** The address without query and fragment, which change from visit to visit. A route behind a hash is kept. */
export function urlPatternOf(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return url;
  const route = /^#!?\//.test(parsed.hash) ? parsed.hash : '';
  return `${parsed.origin === 'null' ? '' : parsed.origin}${parsed.pathname}${route}`;
}

/** Whether a path segment looks generated: a number, a UUID, or random letters and digits. */
function isGeneratedSegment(part: string): boolean {
  if (/^\d+$/.test(part)) return true;
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(part)) return true;
  const digits = part.match(/\d/g)?.length ?? 0;
  if (/^[a-z]{0,6}[-_]?\d{5,}$/i.test(part)) return true;
  return /^[\w~=-]{10,}$/.test(part) && digits >= 3 && /[a-z]/i.test(part);
}

/**
 * The address of a results page that the site creates per submission, such as `/applications/1002/result`. A generated segment
 * becomes `*`, unless the pages of the form differ only in that segment.
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
