import { isHarmfulText } from './words/site-words.ts';
import { filePath, harmfulPath, idSegment, stateChangingPath, trackingParameter } from './words/url-words.ts';

const MOST_SEGMENTS = 12;

/** Removes the fragment and tracking parameters, which do not change the page. */
export function normaliseUrl(address: string, base?: string): URL | undefined {
  const url = URL.parse(address, base);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  // A fragment that is a client-side route stays.
  if (!/^#!?\//.test(url.hash)) url.hash = '';
  for (const name of [...url.searchParams.keys()]) if (trackingParameter.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  return url;
}

/**
 * Two addresses with the same key are the same page. Which of them the site answers to, only the site knows: `/app/` may be
 * there and `/app` not.
 */
export function scanPageKey(url: URL): string {
  return `${url.origin}${trimTrailingSlash(url.pathname)}${url.search}${url.hash}`;
}

function trimTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

export function isFileUrl({ pathname }: URL): boolean {
  return filePath.test(pathname);
}

/** Whether text and URL of a link suggest that following it changes nothing. */
export function isSafeLink(url: URL, text: string): boolean {
  return !isHarmfulText(text) && !harmfulPath.test(url.pathname + url.search + url.hash);
}

/** Whether a URL that a script requests suggests that it changes something. */
export function isStateChangingUrl(url: URL): boolean {
  return !isSafeLink(url, '') || (!isFileUrl(url) && stateChangingPath.test(url.pathname + url.search));
}

/** Whether a path repeats itself, such as `/a/a/a/a`. */
export function isRepeatingPath(url: URL): boolean {
  const parts = routePath(url).split('/').filter(Boolean);
  const mostRepeats = Math.max(0, ...parts.map((part) => parts.filter((other) => other === part).length));
  return parts.length > MOST_SEGMENTS || mostRepeats > 2;
}

/** The path with `:id` in place of segments that are ids. */
export function urlTemplate(url: URL): string {
  return routePath(url)
    .split('/')
    .map((part) => (idSegment.test(decodePart(part)) ? ':id' : part))
    .join('/');
}

/** The path without a trailing slash, with the client-side route of the fragment. */
export function routePath({ pathname, hash }: URL): string {
  return `${trimTrailingSlash(pathname)}${/^#!?\//.test(hash) ? hash.split('?')[0] : ''}`;
}

/** The path of a URL for notes, at most 120 characters. */
export function shortPath(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? routePath(parsed).slice(0, 120) : '';
}

/** Path template and names of the query parameters. */
export function queryVariant(url: URL): string {
  return `${urlTemplate(url)}?${[...new Set(url.searchParams.keys())].join('&')}`;
}

/** Whether a path matches a template. */
export function matchesTemplate(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, index) => part === ':id' || part === given[index]);
}

/** The template of two paths that differ in one segment; undefined if they differ in more or in length. */
export function joinTemplates(one: string, other: string): string | undefined {
  const [a, b] = [one.split('/'), other.split('/')];
  const different = a.flatMap((part, index) => (part === b[index] ? [] : [index]));
  const [at] = different;
  if (a.length !== b.length || different.length !== 1 || at === undefined) return undefined;
  // The first segment is a section and never an id. A client-side route has its own first segment.
  const top = a.findIndex((part) => part.endsWith('#')) + 1;
  return at < Math.max(2, top + 1) ? undefined : a.with(at, ':id').join('/');
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
