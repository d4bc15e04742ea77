import { type Content, html, type Markup } from './html.ts';
import { icon, type Tone } from './icons.ts';

export function badge(tone: Tone, word: string): Markup {
  return html`<span class="badge tone-${tone}">${icon(tone)}${word}</span>`;
}

/** The answer first: colour, picture and word say the same thing. */
export function verdictBanner(tone: Tone, word: string, sentence: string): Markup {
  return html`<div class="verdict tone-${tone}">${icon(tone)}<div><strong>${word}</strong><p>${sentence}</p></div></div>`;
}

export interface Tile {
  label: string;
  value: number | string;
  note?: string;
}

export function tiles(list: readonly Tile[]): Markup {
  return html`<dl class="tiles">${list.map(
    ({ label, value, note }) =>
      html`<div class="tile"><dt>${label}</dt><dd class="value">${shown(value)}</dd>${note !== undefined && html`<dd class="note">${note}</dd>`}</div>`,
  )}</dl>`;
}

export interface BarSegment {
  tone: Tone;
  label: string;
  value: number;
}

/** One bar in parts. Its numbers are said to those who do not see it. */
export function stackedBar(shares: readonly BarSegment[], whole = sum(shares)): Markup {
  let x = 0;
  const parts = shares
    .filter(({ value }) => value > 0)
    .map(({ tone, value }) => {
      const width = whole === 0 ? 0 : (value / whole) * 100;
      const part = html`<rect class="fill-${tone}" x="${x.toFixed(2)}" y="0" width="${Math.max(0, width - 0.25).toFixed(2)}" height="10"/>`;
      x += width;
      return part;
    });
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="${spoken(shares)}">${parts}</svg>`;
}

export function legend(shares: readonly BarSegment[]): Markup {
  return html`<ul class="legend">${shares.map(
    ({ tone, label, value }) => html`<li>${badge(tone, label)} <b>${shown(value)}</b></li>`,
  )}</ul>`;
}

export interface TableColumn<Row> {
  title: string;
  cell: (row: Row) => Content;
  /** Numbers stand at the end of their column. */
  number?: boolean;
  /** Left out where there is little room. */
  wide?: boolean;
}

/** A table whose first column names its rows. */
export function table<Row>(caption: Content, columns: readonly TableColumn<Row>[], rows: readonly Row[]): Markup {
  const kind = ({ number, wide }: TableColumn<Row>) => [number && 'number', wide && 'wide'].filter(Boolean).join(' ');
  return html`<table><caption>${caption}</caption><thead><tr>${columns.map(
    (column) => html`<th scope="col" class="${kind(column)}">${column.title}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row) =>
      html`<tr>${columns.map((column, index) =>
        index === 0
          ? html`<th scope="row" class="${kind(column)}">${column.cell(row)}</th>`
          : html`<td class="${kind(column)}">${column.cell(row)}</td>`,
      )}</tr>`,
  )}</tbody></table>`;
}

export function factList(list: readonly { name: string; value: Content }[]): Markup {
  return html`<dl class="facts">${list.map(({ name, value }) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

export function snippet(text: string): Markup {
  return html`<pre class="snippet"><code>${text}</code></pre>`;
}

function spoken(shares: readonly BarSegment[]): string {
  const parts = shares
    .filter(({ value }) => value > 0)
    .map(({ label, value }) => `${shown(value)} ${label.toLowerCase()}`);
  return parts.join(', ') || 'none';
}

function shown(value: number | string): string {
  return typeof value === 'number' ? value.toLocaleString('en') : value;
}

function sum(shares: readonly BarSegment[]): number {
  return shares.reduce((total, { value }) => total + value, 0);
}
