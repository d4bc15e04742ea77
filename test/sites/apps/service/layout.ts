import { type Content, html, type Markup, verbatim } from '../../../../src/web/html.ts';
import type { ServiceSession } from './service.ts';
import { menuPaths, words } from './words.ts';

const style = verbatim(`
body{font:17px/1.6 Georgia,serif;margin:0;color:#111}a{color:#003f8a}.top{border-bottom:4px solid #003f8a;padding:1rem 2rem}
.top nav ul{display:flex;gap:1rem;flex-wrap:wrap;list-style:none;padding:0}main{max-width:46rem;margin:1rem auto;padding:0 1rem}
.q{margin:.8rem 0;display:grid;gap:.2rem;max-width:24rem}.err{color:#a00;margin:0}.ok{background:#e6f2e6;padding:.6rem}
.cookie{position:fixed;bottom:0;left:0;right:0;background:#eee;padding:1rem}.foot{background:#eee;padding:1rem 2rem}[hidden]{display:none}
`);

/** The frame of every page; a script shows the cookie banner. */
export function page(session: ServiceSession, path: string, title: string, main: Content): Markup {
  const text = words[session.language];
  return html`<!DOCTYPE html><html lang="${session.language}"><head><meta charset="utf-8"><title>${title} – ${text.site}</title><style>${style}</style></head><body>
<a href="#content">Skip to content</a><div class="top" role="banner"><a href="/">${text.site}</a>
<ul class="lang"><li><a href="${path}?lang=en" hreflang="en" lang="en">English</a></li><li><a href="${path}?lang=de" hreflang="de" lang="de">Deutsch</a></li></ul>
<form role="search" action="/search"><label for="q">${text.search}</label> <input id="q" name="query" required> <button>${text.search}</button></form>
<nav aria-label="Services"><ul>${menuPaths.map((to, index) => html`<li><a href="${to}">${text.menu[index]}</a></li>`)}</ul></nav></div>
<main id="content"><h1>${title}</h1>${main}</main>
<div class="foot" role="contentinfo"><a href="/imprint">Imprint</a> <a href="/accessibility">Accessibility</a></div>
<script>
if (!document.cookie.includes('consent=')) {
  const bar = document.createElement('section');
  bar.className = 'cookie';
  bar.setAttribute('aria-label', 'Cookies');
  bar.innerHTML = '<p>We use cookies to count visits.</p><button type="button" data-answer="all">Accept all</button> <button type="button" data-answer="none">Only necessary</button>';
  document.body.append(bar);
  bar.addEventListener('click', (event) => {
    const { answer } = event.target.dataset;
    if (!answer) return;
    document.cookie = 'consent=' + answer + '; path=/';
    bar.remove();
  });
}
</script></body></html>`;
}
