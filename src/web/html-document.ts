import { hash } from 'node:crypto';
import { html, type Markup, toText, verbatim } from './html.ts';
import { baseStyle } from './style.ts';

export interface HtmlDocument {
  title: string;
  /** What stands above the title, in small. */
  kicker?: string;
  /** Links to the parts of the page. */
  contents?: readonly { id: string; title: string }[];
  header: Markup;
  main: Markup;
  footer?: Markup;
  /** More rules of our own, after the shared ones. */
  style?: string;
  /** One script of our own; the page must be whole without it. */
  script?: string;
}

/**
 * A whole page in one file: nothing is loaded from anywhere, and the policy in its head lets only our own style and
 * script in, by their hashes.
 */
export function renderDocument(page: HtmlDocument): string {
  const style = `${baseStyle}${page.style ?? ''}`;
  const policy = [
    "default-src 'none'",
    'img-src data:',
    `style-src '${digest(style)}'`,
    page.script === undefined ? "script-src 'none'" : `script-src '${digest(page.script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const contents = page.contents ?? [];
  return toText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${page.title}</title>
<style>${verbatim(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="page-header"><div class="wrap">
${page.kicker !== undefined && html`<p class="kicker">${page.kicker}</p>`}
${page.header}
</div></header>
${contents.length > 0 && html`<nav class="contents" aria-label="On this page"><ul class="wrap">${contents.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`}
<main id="main" class="wrap" tabindex="-1">
${page.main}
</main>
${page.footer && html`<footer class="page-footer"><div class="wrap">${page.footer}</div></footer>`}
${page.script !== undefined && html`<script>${verbatim(page.script)}</script>`}
</body>
</html>
`);
}

function digest(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`;
}
