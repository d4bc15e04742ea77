import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stackedBar } from './components.ts';
import { html, toText, webLink } from './html.ts';
import { renderDocument } from './html-document.ts';

describe('writing HTML', () => {
  it('escapes interpolated text and attributes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const written = toText(html`<b title="${text}">${text}</b>`);
        expect(written.match(/[<>"]/g)?.join('')).toBe('<""><>');
      }),
    );
  });

  it('keeps markup, joins lists, and leaves out missing values', () => {
    expect(toText(html`<p>${[html`<i>1</i>`, '<2>', 3]}${undefined}${false}</p>`)).toBe('<p><i>1</i>&lt;2&gt;3</p>');
  });

  it('removes control and direction characters', () => {
    expect(toText(html`${'a\u0000b\u202ec\ud800'}`)).toBe('abc\ufffd');
  });

  it('links only to http and https', () => {
    expect(toText(webLink('https://e.org/"x'))).toBe(
      '<a href="https://e.org/&quot;x" rel="noopener noreferrer">https://e.org/&quot;x</a>',
    );
    for (const bad of ['javascript:alert(1)', 'data:text/html,x', ' jAvascript:x', 'file:///etc', 'nothing']) {
      expect(toText(webLink(bad))).not.toContain('<a');
    }
  });
});

describe('a document', () => {
  it('allows only its own style and script, by hash', () => {
    const page = renderDocument({
      title: '<T>',
      header: html`<h1>T</h1>`,
      main: html`<p>x</p>`,
      script: 'let a = 1 < 2;',
    });
    expect(page).toContain('<title>&lt;T&gt;</title>');
    expect(page).toMatch(
      /default-src &#39;none&#39;; img-src data:; style-src &#39;sha256-[\w+/=]+&#39;; script-src &#39;sha256-/,
    );
    expect(page).toContain('<script>let a = 1 < 2;</script>');
    expect(page).not.toMatch(/https?:\/\//);
  });
});

describe('a bar', () => {
  it('states its numbers as text', () => {
    const bar = toText(
      stackedBar([
        { tone: 'good', label: 'Good', value: 3 },
        { tone: 'minor', label: 'Bad', value: 1 },
      ]),
    );
    expect(bar).toContain('aria-label="3 good, 1 bad"');
    expect(bar).toContain('width="74.75"');
  });
});
