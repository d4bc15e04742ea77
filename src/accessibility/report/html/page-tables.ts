import { stackedBar, table } from '../../../web/components.ts';
import { html, type Markup, webLink } from '../../../web/html.ts';
import { issueImpacts } from '../../results/audit-finding.ts';
import { formatCount } from '../count-text.ts';
import type { PageIssues, ReportModel, SiteScore } from '../report-model.ts';
import { impactLabels } from './report-style.ts';

const MAX_PAGES = 20;
const MAX_SITES = 100;

export function renderWorstPages(model: ReportModel): Markup | undefined {
  const pages = model.top_pages.slice(0, MAX_PAGES);
  if (pages.length === 0) return undefined;
  const forPeople = ({ people_by_impact }: PageIssues) =>
    issueImpacts.reduce((sum, impact) => sum + people_by_impact[impact], 0);
  const most = Math.max(1, ...pages.map(forPeople));
  const all = model.numbers.pages_with_issues;
  const caption =
    all > pages.length
      ? `The worst ${pages.length} of ${formatCount(all, 'page')} with issues`
      : 'All pages with issues';
  const bar = (page: PageIssues) =>
    stackedBar(
      issueImpacts.map((impact) => ({
        tone: impact,
        label: impactLabels[impact],
        value: page.people_by_impact[impact],
      })),
      most,
    );
  return html`<div class="card">${table<PageIssues>(
    caption,
    [
      {
        title: 'Page',
        cell: ({ url, title }) =>
          html`${title !== '' && html`<span class="page-title">${title}</span>`}<span class="small">${webLink(url)}</span>`,
      },
      { title: 'By impact on people', cell: bar, wide: true },
      { title: 'Critical', cell: (page) => page.people_by_impact.critical, number: true, wide: true },
      { title: 'All issues', cell: ({ issues }) => issues.toLocaleString('en'), number: true },
    ],
    pages,
  )}</div>`;
}

/** Compares sites; undefined for a single site. */
export function renderSites(sites: readonly SiteScore[]): Markup | undefined {
  if (sites.length < 2) return undefined;
  const caption = `Worst sites first. Each distinct issue counts once, as in CWAC's leaderboard${sites.length > MAX_SITES ? `; ${MAX_SITES} of ${sites.length} sites` : ''}`;
  return html`<div class="card">${table<SiteScore>(
    caption,
    [
      {
        title: 'Site',
        cell: (site) =>
          html`<span class="page-title">${site.organisation}</span><span class="small">${webLink(site.base_url)}</span>`,
      },
      { title: 'Pages', cell: (site) => site.num_pages_scanned.toLocaleString('en'), number: true, wide: true },
      { title: 'Issues', cell: (site) => site.num_issues.toLocaleString('en'), number: true, wide: true },
      { title: 'Per page', cell: (site) => site.average_num_issues_per_page ?? '–', number: true },
      { title: 'Percentile', cell: (site) => site.percentile ?? '–', number: true, wide: true },
    ],
    sites.slice(0, MAX_SITES),
  )}</div>`;
}
