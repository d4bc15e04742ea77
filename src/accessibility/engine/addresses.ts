/** A part of a site: everything at or below a path of a host, by whole segments. */
export interface Scope {
  /** Without `www.`, with its port. */
  host: string;
  /** Without its last slash; empty for the whole host. */
  path: string;
}

const files = new Set(
  (
    '3gp 7z ai apk asc atom avi avif bin bmp bz2 css csv dmg doc docm docx dot dotx dwg eot eps epub exe flac flv gif gpx ' +
    'gz heic ico ics iso jar jpeg jpg js json kml kmz log m4a m4v map mjs mov mp3 mp4 mpeg mpg msg msi odp ods odt ogg ogv ' +
    'otf pdf pkg png pps ppt pptm pptx ps psd pub rar rss rtf svg swf tar tgz tif tiff torrent ttf txt vcf vsd vsdx wav webm ' +
    'webmanifest webp wma wmv woff woff2 xls xlsb xlsm xlsx xml zip'
  ).split(' '),
);

function bareHost(url: URL): string {
  return url.host.replace(/^www\./, '');
}

/** What a base URL covers. A file at its end stands for the folder that it lies in. */
export function scopeOf(base: URL): Scope {
  const last = base.pathname.slice(base.pathname.lastIndexOf('/') + 1);
  const folder = last.includes('.') ? base.pathname.slice(0, -last.length) : base.pathname;
  return { host: bareHost(base), path: withoutLastSlash(folder) };
}

/** Where a site went when its base URL redirects out of its scope: the folder that it landed in. */
export function scopeAround(landed: URL): Scope {
  return { host: bareHost(landed), path: withoutLastSlash(landed.pathname.replace(/[^/]*$/, '')) };
}

export function isInScope(scope: Scope, url: URL): boolean {
  const path = withoutLastSlash(url.pathname);
  return bareHost(url) === scope.host && (path === scope.path || path.startsWith(`${scope.path}/`));
}

/** Of all scopes that hold a page the longest owns it, so that two base URLs of one host share no page. */
export function ownerOf(scopes: readonly Scope[], url: URL): Scope | undefined {
  return scopes
    .filter((scope) => isInScope(scope, url))
    .reduce<Scope | undefined>(
      (best, scope) => (best && best.path.length >= scope.path.length ? best : scope),
      undefined,
    );
}

/** Addresses with the same key are the same page: with or without www, last slash, https. */
export function pageKey(url: URL): string {
  return `${bareHost(url)}${withoutLastSlash(url.pathname)}${url.search}${url.hash}`;
}

/** An address as it is visited: parsed, and without what does not change the page. */
export function tidyAddress(text: string, base: string, hashRoutes: boolean): URL | undefined {
  const url = URL.parse(text, base);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  if (!(hashRoutes && /^#!?\//.test(url.hash))) url.hash = '';
  return url;
}

export function isFile(url: URL): boolean {
  const extension = /\.([a-z0-9]+)$/i.exec(url.pathname)?.[1];
  return extension !== undefined && files.has(extension.toLowerCase());
}

function withoutLastSlash(path: string): string {
  return path.replace(/\/+$/, '');
}
