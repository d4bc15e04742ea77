import { html, type Markup, verbatim } from './html.ts';

/** Shapes differ as much as colours do, so that an icon is understood without its colour. */
const shapes = {
  // an octagon with a bar, a triangle, a diamond, a dot in a ring, a question, a tick
  critical: '<path d="M5.3 1h5.4L15 5.3v5.4L10.7 15H5.3L1 10.7V5.3zM4 7v2h8V7z" fill-rule="evenodd"/>',
  serious: '<path d="M8 1.2 15.4 14.5H.6zM7.2 6v4h1.6V6zm0 5.2v1.6h1.6v-1.6z" fill-rule="evenodd"/>',
  moderate: '<path d="M8 .8 15.2 8 8 15.2.8 8zM7.2 4.5v4.2h1.6V4.5zm0 5.4v1.6h1.6V9.9z" fill-rule="evenodd"/>',
  minor:
    '<path d="M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm0 1.6a5.4 5.4 0 1 0 0 10.8A5.4 5.4 0 0 0 8 2.6zM8 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z" fill-rule="evenodd"/>',
  unknown: '<path d="M2 2h12v12H2zm1.6 1.6v8.8h8.8V3.6zM5 7.2h6v1.6H5z" fill-rule="evenodd"/>',
  good: '<path d="M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zm3.3 4L7 9.3 4.7 7l-1.1 1.1L7 11.5l5.4-5.4z" fill-rule="evenodd"/>',
} as const;

export type Tone = keyof typeof shapes;

/** A picture beside a word that says the same; screen readers hear the word. */
export function icon(tone: Tone): Markup {
  return html`<svg viewBox="0 0 16 16" fill="currentColor" aria-hidden="true" focusable="false">${verbatim(shapes[tone])}</svg>`;
}
