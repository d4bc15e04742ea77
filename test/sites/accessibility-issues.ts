import { cleanPage, type SiteHandler } from './serve.ts';

const image =
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20" fill="#036"/></svg>';

const pages: Record<string, string> = {
  '/': cleanPage(
    'Faults at home',
    `<p><a href="/forms">Forms</a> <a href="/wide">Wide</a> <a href="/frames">Frames</a> <a href="/shadow">Shadow</a>
<a href="/clean/">Clean</a> <a href="/clean">Clean again</a> <a href="/clean#part">Part of it</a> <a href="/guide.pdf">Guide</a></p>
<img src="/dot.svg">
<img src="/dot.svg" class="second">
<p style="color:#bbb;background:#fff">Too pale to read.</p>
<div style="background-image:linear-gradient(#fff,#eee)"><p style="color:#ccc">Nobody can tell by machine.</p></div>`,
  ),
  '/forms': cleanPage(
    'Forms',
    `<form><input type="text" name="a"><input type="text" name="b"><button type="submit"></button></form>
<style>.hidden-button { display: none } @media (min-width: 600px) { .hidden-button { display: inline-block } }</style>
<p><button type="button" class="hidden-button"></button></p>
<details><summary>More</summary><img src="/dot.svg"></details>
<p id="twice">One</p><p id="twice">Two</p>`,
  ),
  '/wide': cleanPage('Wide', '<div style="width:400px">Wider than a phone</div>'),
  '/frames': cleanPage('Frames', '<iframe src="/inner" title="Inner"></iframe>'),
  '/inner':
    '<!DOCTYPE html><html lang="en"><head><title>Inner</title></head><body><main><h1>Inner</h1><img src="/dot.svg"></main></body></html>',
  '/shadow': cleanPage(
    'Shadow',
    `<x-card></x-card><script>
customElements.define('x-card', class extends HTMLElement {
  connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<button type="button"></button><a href="/from-shadow">Read on</a>'; }
});
</script>`,
  ),
  '/from-shadow': cleanPage('From the shadow'),
  '/clean': cleanPage('Clean'),
};

/** A site with known accessibility issues. The tests list the rules and counts by page. */
export const siteWithIssues: SiteHandler = (path) => {
  if (path === '/dot.svg') return { type: 'image/svg+xml', body: image };
  return pages[path === '/' ? path : path.replace(/\/$/, '')];
};
