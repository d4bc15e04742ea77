import { cleanPage, type SiteHandler } from './serve.ts';

const sentence = 'The council offers several accessible alternatives to residents who cannot easily visit the library.';

const pages: Record<string, string> = {
  '/': cleanPage(
    'Home',
    `<p><a href="/reading">Reading</a> <a href="/focus">Focus</a> <a href="/poor">Poor</a> <a href="/same">Same</a></p>`,
  ),
  '/reading': cleanPage('Reading', `${`<p>${sentence}</p>`.repeat(20)}<nav><p>Not this. Nor this.</p></nav>`),
  '/focus': cleanPage(
    'Focus',
    `<style>.none:focus { outline: none } .row:focus-within { background: #ff0 } .row a:focus { outline: none }</style>
<p><a href="/" id="usual">Usual ring</a></p>
<p><button type="button" class="none">No ring</button></p>
<p class="row"><a href="/">Marked row</a></p>
<p><input type="text" class="none" aria-label="Name"></p>
<p><input type="checkbox" class="none" aria-label="Sure"></p>`,
  ),
  '/same': cleanPage(
    'Home',
    `<input type="text" aria-label="One"><input type="search" aria-label="Two">
<iframe title="Idle" srcdoc="<p>Nothing here takes the focus.</p>"></iframe>`,
  ),
  '/poor':
    '<!DOCTYPE html><html><head><meta name="robots" content="noindex, follow"></head><body><p>Poor</p></body></html>',
};

/** Pages for the audits other than axe: reading grades, focus, search engines, elements. */
export const auditPagesSite: SiteHandler = (path) => pages[path];
