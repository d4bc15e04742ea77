import {
  type BarSegment,
  badge,
  legend,
  stackedBar,
  type Tile,
  tiles,
  verdictBanner,
} from '../../../web/components.ts';
import { copyScript, copyStyle } from '../../../web/copy-as-prompt.ts';
import { html, type Markup, webLink } from '../../../web/html.ts';
import { renderDocument } from '../../../web/html-document.ts';
import type { Tone } from '../../../web/icons.ts';
import { type IssueImpact, issueImpacts } from '../../results/audit-finding.ts';
import { formatCount } from '../count-text.ts';
import type { ReportModel, ReportNumbers, ScanChanges } from '../report-model.ts';
import { filterScript, renderFilterForm } from './filter-form.ts';
import { renderSites, renderWorstPages } from './page-tables.ts';
import { impactLabels, reportStyle } from './report-style.ts';
import { type ElementScreenshots, renderRuleCards } from './rule-cards.ts';
import { renderMissedPages, renderScanSection } from './scan-section.ts';

export interface HtmlOptions {
  /** Screenshots of elements as `data:` URLs, by issue id. */
  pictures?: ElementScreenshots | undefined;
}

/** Renders the HTML report: verdict, numbers, changes, what to fix, and how the site was scanned. */
export function renderScanHtml(model: ReportModel, { pictures = new Map() }: HtmlOptions = {}): string {
  const sections = [
    { id: 'numbers', title: 'In numbers', body: renderNumbers(model.numbers) },
    { id: 'changes', title: 'What changed', body: renderChanges(model.changes, model) },
    { id: 'fix', title: 'What to fix first', body: renderRules(model, pictures) },
    { id: 'pages', title: 'Worst pages', body: renderWorstPages(model) },
    { id: 'sites', title: 'Sites', body: renderSites(model.sites) },
    { id: 'review', title: 'Needs review', body: renderReview(model) },
    { id: 'missed', title: 'Not scanned', body: renderMissedPages(model.scan.missed) },
    { id: 'scan', title: 'How it was scanned', body: renderScanSection(model) },
  ].flatMap(({ id, title, body }) => (body ? [{ id, title, body }] : []));
  const { verdict } = model;
  const when = model.scan.started_at ?? model.generated_at;
  return renderDocument({
    title: `${verdict.word}: ${model.headline}, accessibility report`,
    kicker: 'Accessibility report',
    header: html`<h1>${model.headline}</h1>
<p class="subtitle">${model.name !== model.headline && html`Audit <code>${model.name}</code>, `}${formatDate(when)}${model.scan.duration !== undefined && `, scanned in ${model.scan.duration}`}</p>
${verdictBanner(toneOf(verdict.level), verdict.word, verdict.sentence)}`,
    contents: sections.map(({ id, title }) => ({ id, title })),
    main: html`${sections.map(
      ({ id, title, body }) => html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${body}
</section>
`,
    )}`,
    footer: html`<p>Made by Assay. Automated checks find only some accessibility issues. A report without issues does not prove that everyone can use the site.</p>`,
    style: `${reportStyle}${copyStyle}`,
    ...(model.rules.length > 0 && { script: `${filterScript}${copyScript}` }),
  });
}

function renderNumbers(numbers: ReportNumbers): Markup {
  const { pages } = numbers;
  const found = pages.scanned + pages.failed + pages.skipped + pages.blocked;
  const list: Tile[] = [
    {
      label: 'pages scanned',
      value: pages.scanned,
      note: found === pages.scanned ? 'all found pages' : `of ${formatCount(found, 'page')} found`,
    },
    {
      label: 'pages with issues',
      value: numbers.pages_with_issues,
      note: formatShare(numbers.pages_with_issues, pages.scanned),
    },
    {
      label: 'things to fix',
      value: numbers.templates,
      note: `${numbers.people.templates.toLocaleString('en')} affect people; ${formatCount(numbers.rules, 'rule')} violated`,
    },
    {
      label: 'elements with issues',
      value: numbers.elements,
      note: `${formatCount(numbers.issues, 'issue')} across all viewports`,
    },
  ];
  const shares = impactShares(numbers.people.issues_by_impact);
  return html`${tiles(list)}
${shares.some(({ value }) => value > 0) && html`<div class="card spaced"><h3>Issues by impact on people</h3>${stackedBar(shares)}${legend(shares)}</div>`}`;
}

function renderChanges(changes: ScanChanges | undefined, model: ReportModel): Markup {
  if (!changes) {
    return html`<p class="lead">There is no earlier scan to compare with. The next report will show new and fixed issues.</p>`;
  }
  const fresh = model.rules.flatMap((rule, index) =>
    rule.templates.filter(({ state }) => state === 'new').map((group) => ({ rule, group, index })),
  );
  return html`<p class="lead">Compared with <code>${changes.previous}</code>. The same issue on many pages counts once.${
    changes.first_scanned > 0 &&
    html` ${formatCount(changes.first_scanned, 'site')} ${changes.first_scanned === 1 ? 'was' : 'were'} scanned for the first time and ${changes.first_scanned === 1 ? 'is' : 'are'} not included in these numbers.`
  }</p>
${tiles([
  { label: 'new', value: changes.new },
  { label: 'fixed', value: changes.fixed },
  { label: 'persisting', value: changes.persisting },
  ...(changes.not_checked > 0
    ? [{ label: 'not checked this time', value: changes.not_checked, note: 'on pages or by audits that were not run' }]
    : []),
])}
${
  fresh.length > 0 &&
  html`<h3 class="spaced">New</h3><ul class="plain">${fresh
    .slice(0, 15)
    .map(
      ({ rule, group, index }) =>
        html`<li>${badge(toneOf(group.impact), impactLabels[group.impact])} <a href="#rule-${index}">${rule.help || rule.rule_id}</a> <code>${group.label}</code></li>`,
    )}</ul>`
}
${
  changes.fixed_examples.length > 0 &&
  html`<details class="spaced"><summary>Fixed issues</summary><ul class="plain">${changes.fixed_examples.map(
    (fixedIssue) =>
      html`<li>${badge('good', 'Fixed')} ${fixedIssue.help || fixedIssue.rule_id} <code>${fixedIssue.label}</code> <span class="small">${webLink(fixedIssue.url)}</span></li>`,
  )}</ul></details>`
}`;
}

function renderRules(model: ReportModel, pictures: ElementScreenshots): Markup | undefined {
  if (model.rules.length === 0) return undefined;
  const more = model.numbers.rules - model.rules.length;
  return html`<p class="lead">Issues that affect people come first, sorted by impact. Each entry is one rule with the page templates that violate it. Fixing a template fixes all its pages.</p>
${renderFilterForm(model)}
${renderRuleCards(model, pictures)}
${more > 0 && html`<p class="soft">${formatCount(more, 'more rule')} of lower impact ${more === 1 ? 'is' : 'are'} in the CSV files of the scan.</p>`}`;
}

function renderReview(model: ReportModel): Markup | undefined {
  if (model.needs_review.length === 0) return undefined;
  return html`<p class="lead">Automated checks could not decide these results. They do not count as issues; please review them by hand.</p>
<ul class="plain card">${model.needs_review.map(
    (rule) =>
      html`<li><strong>${webLink(rule.help_url, rule.help || rule.rule_id)}</strong> <span class="soft">${formatCount(rule.elements, 'element')} on ${formatCount(rule.pages, 'page')}, such as ${webLink(rule.example_url)}</span></li>`,
  )}</ul>`;
}

function impactShares(counts: Record<IssueImpact, number>): BarSegment[] {
  return issueImpacts.map((impact) => ({ tone: impact, label: impactLabels[impact], value: counts[impact] }));
}

function toneOf(level: ReportModel['verdict']['level']): Tone {
  if (level === 'clean') return 'good';
  return level === 'not_scanned' ? 'unknown' : level;
}

function formatShare(part: number, whole: number): string {
  return whole === 0 ? 'none scanned' : `${Math.round((part / whole) * 100)} % of the scanned pages`;
}

/** Formats a date. A time without a zone is local time of the scan and is shown unchanged. */
function formatDate(iso: string): string {
  const date = new Date(/[Z+]/.test(iso) ? iso : `${iso}Z`);
  if (Number.isNaN(date.getTime())) return iso;
  return date.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
}
