import { cleanPage, type SiteHandler } from './serve.ts';

/** Pages that fail in different ways, each with the expected outcome of a scan. */
export const trapOutcomes: Record<string, string> = {
  '/': 'scanned',
  '/loop': 'failed',
  '/fine-1': 'scanned',
  '/error': 'failed',
  '/missing': 'failed',
  '/dialog': 'scanned',
  '/slow': 'failed',
  '/stuck': 'scanned',
  '/download': 'skipped',
  '/leaving': 'scanned',
  '/restless': 'failed',
  '/fine-2': 'scanned',
  '/hang': 'failed',
  '/tampering': 'scanned',
  '/private/page': 'blocked',
  '/private/open': 'scanned',
  '/data': 'skipped',
  '/moved': 'skipped',
  '/away': 'skipped',
  '/no-head': 'scanned',
  '/from-sitemap': 'scanned',
  '/wall': 'blocked',
};

const links = Object.keys(trapOutcomes)
  .filter((path) => path !== '/' && path !== '/from-sitemap')
  .map((path) => `<li><a href="${path}">${path}</a></li>`)
  .join('\n');

const never = new Promise<undefined>(() => {});

/** Pages with redirect loops, errors, hangs, dialogs, downloads, navigations and bot walls. */
export const trapSite: SiteHandler = (path, { method, headers }) => {
  const redirect = (location: string) => ({ status: 302, headers: { location } });
  switch (path.replace(/\?.*/, '')) {
    case '/':
      return cleanPage('Traps', `<ul>${links}</ul>`);
    case '/robots.txt':
      return {
        type: 'text/plain',
        body: `User-agent: *\nDisallow: /private/\nAllow: /private/open$\nSitemap: http://${headers.host}/map.xml\n`,
      };
    case '/map.xml':
      return {
        type: 'application/xml',
        body: `<urlset><url><loc>http://${headers.host}/from-sitemap</loc></url><url><loc>http://${headers.host}/fine-1/</loc></url></urlset>`,
      };
    case '/loop':
      return redirect('/loop/again');
    case '/loop/again':
      return redirect('/loop');
    case '/error':
      return { status: 500, body: 'broken' };
    case '/dialog':
      return cleanPage('Dialog', '<script>alert("Hello"); confirm("Sure?"); onbeforeunload = () => "stay";</script>');
    case '/slow':
    case '/never.png':
      return never;
    case '/stuck':
      return cleanPage('Stuck', '<img src="/never.png" alt="Never comes">');
    case '/download':
      return { headers: { 'content-disposition': 'attachment; filename="page.html"' }, body: cleanPage('Download') };
    case '/leaving':
      return cleanPage('Leaving', '<script>setTimeout(() => { location.href = "/landed"; }, 0)</script>');
    case '/landed':
      return cleanPage('Landed');
    case '/restless':
      return cleanPage(
        'Restless',
        '<script>setTimeout(() => { location.href = "/restless?" + Math.random(); }, 0)</script>',
      );
    case '/hang':
      return cleanPage('Hang', '<script>for (;;);</script>');
    case '/tampering':
      return cleanPage(
        'Tampering',
        "<script>const run = axe.run; axe.run = (where, how) => how.rules['color-contrast'] ? run(where, how) : new Promise(() => {});</script>",
      );
    case '/data':
      return { type: 'application/json', body: '{}' };
    case '/moved':
      return redirect('/fine-1');
    case '/away':
      return redirect(`http://localhost:${headers.host?.split(':')[1]}/`);
    case '/no-head':
      return method === 'HEAD' ? { status: 405 } : cleanPage('No head');
    case '/wall':
      return cleanPage('Just a moment', '<p>Verifying you are human. Ray ID 1234</p>');
    case '/fine-1':
    case '/fine-2':
    case '/private/page':
    case '/private/open':
    case '/from-sitemap':
      return cleanPage(path);
    default:
      return undefined;
  }
};

/** A site with a tree of pages; each page links to its children, in several spellings, and to the home page. */
export function treeSite(pages: number, delayMs: (page: number) => number = () => 0): SiteHandler {
  return async (path) => {
    const page = Number(/^\/(?:page-(\d+)\/?)?$/.exec(path)?.[1] ?? (path === '/' ? 0 : Number.NaN));
    if (!(page < pages)) return undefined;
    const wait = delayMs(page);
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    const children = [3 * page + 1, 3 * page + 2, 3 * page + 3].filter((child) => child < pages);
    const list = children.map(
      (child) => `<li><a href="/page-${child}">Page ${child}</a> <a href="/page-${child}/#top">again</a></li>`,
    );
    return cleanPage(
      `Page ${page}`,
      `<ul><li><a href="/">Home</a></li>${list.join('')}</ul><img src="data:," id="i${page}">`,
    );
  };
}

/** Like `treeSite`, but pages from the given number on respond only after `release` is called. */
export function gatedTree(pages: number, from: number): { site: SiteHandler; release(): void } {
  const gate = Promise.withResolvers<void>();
  const tree = treeSite(pages);
  return {
    release: gate.resolve,
    async site(path, request) {
      if (Number(/^\/page-(\d+)/.exec(path)?.[1] ?? 0) >= from) await gate.promise;
      return tree(path, request);
    },
  };
}

/** A site where every page except the first returns an error. */
export const failingSite: SiteHandler = (path) => {
  if (path === '/robots.txt') return undefined;
  if (path !== '/') return { status: 500, body: 'broken' };
  return cleanPage('Falling', ['a', 'b', 'c', 'd', 'e'].map((name) => `<a href="/${name}">${name}</a>`).join(' '));
};
