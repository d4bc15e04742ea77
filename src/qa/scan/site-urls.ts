import { harmfulPath, isHarmfulText } from './recognise/table/words.ts';

const fileExtensions =
  /\.(pdf|docx?|xlsx?|pptx?|odt|ods|csv|tsv|zip|gz|tgz|7z|rar|dmg|exe|msi|apk|iso|mp[34]|mov|avi|webm|ogg|wav|jpe?g|png|gif|webp|svg|ico|css|js|json|xml|rss|txt|ics|epub|woff2?)$/i;

/** A part of a path that is surely an id: digits, hex, uuid, date. */
const idLike = /^(\d+|[0-9a-f]{8,}|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d{2}(-\d{2})?|[A-Za-z]{1,5}[-_]?\d{3,})$/;

const MOST_SEGMENTS = 12;

/** The address without what does not change the page: fragment and tracking. */
export function normaliseUrl(address: string, base?: string): URL | undefined {
  const url = URL.parse(address, base);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  // A fragment that is a route of its own is kept.
  if (!/^#!?\//.test(url.hash)) url.hash = '';
  for (const name of [...url.searchParams.keys()])
    if (/^(utm_|fbclid|gclid|ref$|sid$|session)/i.test(name)) url.searchParams.delete(name);
  url.searchParams.sort();
  return url;
}

/**
 * Two addresses with the same key are the same page. Which of them the site answers to, only the site knows: `/app/` may be
 * there and `/app` not.
 */
export function pageKey(url: URL): string {
  return `${url.origin}${trimTrailingSlash(url.pathname)}${url.search}${url.hash}`;
}

function trimTrailingSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

export function isFileUrl({ pathname }: URL): boolean {
  return fileExtensions.test(pathname);
}

/** Whether a link may be followed: its words and its address promise that nothing is changed by it. */
export function isSafeLink(url: URL, text: string): boolean {
  return !isHarmfulText(text) && !harmfulPath.test(url.pathname + url.search + url.hash);
}

/** What a script that means to change something would call by its address, although it only asks. */
const changing =
  /(^|[/?&=_-])(create|add|insert|save|store|update|submit|send|order|buy|book|checkout|subscribe|invite|publish|import|upload)([/?&=_.-]|$)/i;

/** Whether an address that nobody but a script asks for sounds as if it changed something. */
export function isStateChangingUrl(url: URL): boolean {
  return !isSafeLink(url, '') || (!isFileUrl(url) && changing.test(url.pathname + url.search));
}

/** A path that only grows: `/a/a/a/a`. */
export function isRepeatingPath(url: URL): boolean {
  const parts = routePath(url).split('/').filter(Boolean);
  const mostRepeats = Math.max(0, ...parts.map((part) => parts.filter((other) => other === part).length));
  return parts.length > MOST_SEGMENTS || mostRepeats > 2;
}

/** The path with `:id` for the parts that are surely ids. */
export function urlTemplate(url: URL): string {
  return routePath(url)
    .split('/')
    .map((part) => (idLike.test(decodePart(part)) ? ':id' : part))
    .join('/');
}

/** The path without a slash at its end, and with the route that a script finds in the fragment. */
export function routePath({ pathname, hash }: URL): string {
  return `${trimTrailingSlash(pathname)}${/^#!?\//.test(hash) ? hash.split('?')[0] : ''}`;
}

/** An address as it stands in a note. */
export function shortPath(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? routePath(parsed).slice(0, 120) : '';
}

/** Query parameters by name: what tells the variants of a page apart. */
export function queryVariant(url: URL): string {
  return `${urlTemplate(url)}?${[...new Set(url.searchParams.keys())].join('&')}`;
}

/** Whether a path is one of those that a template stands for. */
export function matchesTemplate(template: string, path: string): boolean {
  const [wanted, given] = [template.split('/'), path.split('/')];
  return wanted.length === given.length && wanted.every((part, index) => part === ':id' || part === given[index]);
}

/** The template of two paths that differ in one part; undefined where they differ in more, or in their length. */
export function joinTemplates(one: string, other: string): string | undefined {
  const [a, b] = [one.split('/'), other.split('/')];
  const different = a.flatMap((part, index) => (part === b[index] ? [] : [index]));
  const [at] = different;
  if (a.length !== b.length || different.length !== 1 || at === undefined) return undefined;
  // A section of a site is no id: only what lies below one may vary. A route begins anew where the fragment does.
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
