/** Part of a host that a scan covers: everything at or below a path, by whole segments. */
export interface SiteScope {
  /** Host without `www.`, with the port. */
  host: string;
  /** Path without trailing slash; empty for the whole host. */
  path: string;
}

const fileExtensions = new Set(
  (
    '3gp 7z ai apk asc atom avi avif bin bmp bz2 css csv dmg doc docm docx dot dotx dwg eot eps epub exe flac flv gif gpx ' +
    'gz heic ico ics iso jar jpeg jpg js json kml kmz log m4a m4v map mjs mov mp3 mp4 mpeg mpg msg msi odp ods odt ogg ogv ' +
    'otf pdf pkg png pps ppt pptm pptx ps psd pub rar rss rtf svg swf tar tgz tif tiff torrent ttf txt vcf vsd vsdx wav webm ' +
    'webmanifest webp wma wmv woff woff2 xls xlsb xlsm xlsx xml zip'
  ).split(' '),
);

function hostWithoutWww(url: URL): string {
  return url.host.replace(/^www\./, '');
}

/** The scope of a base URL. A file name at its end stands for the folder that contains it. */
export function siteScope(base: URL): SiteScope {
  const last = base.pathname.slice(base.pathname.lastIndexOf('/') + 1);
  const folder = last.includes('.') ? base.pathname.slice(0, -last.length) : base.pathname;
  return { host: hostWithoutWww(base), path: trimTrailingSlash(folder) };
}

/** The new scope of a site whose base URL redirects out of its scope: the folder of the landing page. */
export function landedScope(landed: URL): SiteScope {
  return { host: hostWithoutWww(landed), path: trimTrailingSlash(landed.pathname.replace(/[^/]*$/, '')) };
}

export function isInScope(scope: SiteScope, url: URL): boolean {
  const path = trimTrailingSlash(url.pathname);
  return hostWithoutWww(url) === scope.host && (path === scope.path || path.startsWith(`${scope.path}/`));
}

/** The longest scope that contains a page owns it, so that two base URLs on one host share no page. */
export function owningScope(scopes: readonly SiteScope[], url: URL): SiteScope | undefined {
  return scopes
    .filter((scope) => isInScope(scope, url))
    .reduce<SiteScope | undefined>(
      (best, scope) => (best && best.path.length >= scope.path.length ? best : scope),
      undefined,
    );
}

/** Addresses with the same key are the same page; scheme, `www.` and a trailing slash do not count. */
export function crawlPageKey(url: URL): string {
  return `${hostWithoutWww(url)}${trimTrailingSlash(url.pathname)}${url.search}${url.hash}`;
}

/** Resolves a link to a URL that can be visited, without fragment unless it is a hash route. Undefined for other links. */
export function normalizePageUrl(text: string, base: string, hashRoutes: boolean): URL | undefined {
  const url = URL.parse(text, base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  if (!(hashRoutes && /^#!?\//.test(url.hash))) url.hash = '';
  return url;
}

export function isDocumentUrl(url: URL): boolean {
  const extension = /\.([a-z0-9]+)$/i.exec(url.pathname)?.[1];
  return extension !== undefined && fileExtensions.has(extension.toLowerCase());
}

function trimTrailingSlash(path: string): string {
  return path.replace(/\/+$/, '');
}
