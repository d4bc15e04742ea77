import { badge, factList, table } from '../../../web/components.ts';
import { type Content, html, type Markup, webLink } from '../../../web/html.ts';
import type { Tone } from '../../../web/icons.ts';
import type { MissedPages } from '../../results/page-outcomes.ts';
import { formatCount } from '../count-text.ts';
import type { ReportModel } from '../report-model.ts';

const outcomeBadges: Record<MissedPages['outcome'], readonly [Tone, string]> = {
  failed: ['serious', 'Failed'],
  blocked: ['critical', 'Blocked'],
  skipped: ['unknown', 'Skipped'],
};

/** Renders pages that were found and not scanned. Pages whose failure is an issue are listed under their rule instead. */
export function renderMissedPages(all: readonly MissedPages[]): Markup | undefined {
  const missed = all.filter(({ is_finding }) => !is_finding);
  if (missed.length === 0) return undefined;
  return html`<p class="lead">These pages were not tested.</p><div class="card">${table<MissedPages>(
    'Pages that were found and not scanned, by reason',
    [
      {
        title: 'Why',
        cell: ({ outcome, reason, examples }) =>
          html`${badge(...outcomeBadges[outcome])} ${reason}<ul class="urls">${examples.map((url) => html`<li>${webLink(url)}</li>`)}</ul>`,
      },
      { title: 'Pages', cell: ({ pages }) => pages.toLocaleString('en'), number: true },
    ],
    missed,
  )}</div>`;
}

export function renderScanSection({ scan, numbers }: ReportModel): Markup {
  const { scanned, failed, skipped, blocked } = numbers.pages;
  const list: { name: string; value: Content }[] = [
    {
      name: 'Pages',
      value: `${formatCount(scanned, 'page')} scanned, ${failed} failed, ${skipped} skipped, ${blocked} blocked`,
    },
    { name: 'Audits', value: scan.audit_types.map((audit) => audit.replaceAll('_', ' ')).join(', ') || 'none' },
    {
      name: 'Counting',
      value:
        'An issue counts once per viewport, as in CWAC: an image without alt text at two viewports is two issues. Elements and things to fix count once.',
    },
    ...scan.settings,
    ...scan.versions,
  ];
  if (scan.partial.length > 0) {
    const lines = scan.partial.map(({ what, pages }) => html`<li>${what} (${formatCount(pages, 'page')})</li>`);
    list.push({ name: 'Not fully tested', value: html`<ul class="urls">${lines}</ul>` });
  }
  if (scan.problems.length > 0) {
    const lines = scan.problems.map(({ file, problem }) => html`<li><code>${file}</code>: ${problem}</li>`);
    list.push({ name: 'Unreadable result files', value: html`<ul class="urls">${lines}</ul>` });
  }
  return html`<div class="card">${factList(list)}</div>`;
}
