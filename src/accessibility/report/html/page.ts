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
import { type Impact, impacts } from '../../results/finding.ts';
import type { Changes, Numbers, ReportModel } from '../model.ts';
import { count } from '../words.ts';
import { filterForm, filterScript } from './filters.ts';
import { impactWord, reportStyle } from './look.ts';
import { sitesSection, worstPages } from './pages.ts';
import { type Pictures, ruleCards } from './rules.ts';
import { missedPages, scanSection } from './scan.ts';

export interface HtmlOptions {
  /** Pictures of elements as `data:` addresses, by issue id. */
  pictures?: Pictures | undefined;
}

/** The report for people: one page that answers, from top to bottom, how bad, how much, what is new, what to do. */
export function renderHtml(model: ReportModel, { pictures = new Map() }: HtmlOptions = {}): string {
  const sections = [
    { id: 'numbers', title: 'In numbers', body: numbersSection(model.numbers) },
    { id: 'changes', title: 'What changed', body: changesSection(model.changes, model) },
    { id: 'fix', title: 'What to fix first', body: fixSection(model, pictures) },
    { id: 'pages', title: 'Worst pages', body: worstPages(model) },
    { id: 'sites', title: 'Sites', body: sitesSection(model.sites) },
    { id: 'review', title: 'Needs review', body: reviewSection(model) },
    { id: 'missed', title: 'Not scanned', body: missedPages(model.scan.missed) },
    { id: 'scan', title: 'How it was scanned', body: scanSection(model) },
  ].flatMap(({ id, title, body }) => (body ? [{ id, title, body }] : []));
  const { verdict } = model;
  const when = model.scan.started_at ?? model.generated_at;
  return renderDocument({
    title: `${verdict.word}: ${model.headline}, accessibility report`,
    kicker: 'Accessibility report',
    header: html`<h1>${model.headline}</h1>
<p class="subtitle">${model.name !== model.headline && html`Audit <code>${model.name}</code>, `}${dateWords(when)}${model.scan.duration !== undefined && `, scanned in ${model.scan.duration}`}</p>
${verdictBanner(toneOf(verdict.level), verdict.word, verdict.sentence)}`,
    contents: sections.map(({ id, title }) => ({ id, title })),
    main: html`${sections.map(
      ({ id, title, body }) => html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${body}
</section>
`,
    )}`,
    footer: html`<p>Made by Assay. Automatic checks find only a part of what hinders people; a report without faults is no proof that everybody can use a site.</p>`,
    style: `${reportStyle}${copyStyle}`,
    ...(model.rules.length > 0 && { script: `${filterScript}${copyScript}` }),
  });
}

function numbersSection(numbers: Numbers): Markup {
  const { pages } = numbers;
  const found = pages.scanned + pages.failed + pages.skipped + pages.blocked;
  const list: Tile[] = [
    {
      label: 'pages scanned',
      value: pages.scanned,
      note: found === pages.scanned ? 'all that were found' : `of ${count(found, 'page')} found`,
    },
    {
      label: 'pages with issues',
      value: numbers.pages_with_issues,
      note: percent(numbers.pages_with_issues, pages.scanned),
    },
    {
      label: 'things to fix',
      value: numbers.templates,
      note: `${numbers.people.templates.toLocaleString('en')} about people; ${count(numbers.rules, 'rule')} broken`,
    },
    {
      label: 'elements with faults',
      value: numbers.elements,
      note: `${count(numbers.issues, 'issue')} over all viewports`,
    },
  ];
  const shares = impactShares(numbers.people.issues_by_impact);
  return html`${tiles(list)}
${shares.some(({ value }) => value > 0) && html`<div class="card spaced"><h3>Issues by impact on people</h3>${stackedBar(shares)}${legend(shares)}</div>`}`;
}

function changesSection(changes: Changes | undefined, model: ReportModel): Markup {
  if (!changes) {
    return html`<p class="lead">No earlier scan to compare with. The next one will show what is new and what is fixed.</p>`;
  }
  const fresh = model.rules.flatMap((rule, index) =>
    rule.templates.filter(({ state }) => state === 'new').map((group) => ({ rule, group, index })),
  );
  return html`<p class="lead">Compared with <code>${changes.previous}</code>, by distinct fault: the same fault on many pages counts once.${
    changes.first_scanned > 0 &&
    html` ${count(changes.first_scanned, 'site')} ${changes.first_scanned === 1 ? 'was' : 'were'} scanned for the first time, and ${changes.first_scanned === 1 ? 'is' : 'are'} not part of these numbers.`
  }</p>
${tiles([
  { label: 'new', value: changes.new },
  { label: 'fixed', value: changes.fixed },
  { label: 'still there', value: changes.persisting },
  ...(changes.not_checked > 0
    ? [{ label: 'not checked this time', value: changes.not_checked, note: 'on pages or by audits left out' }]
    : []),
])}
${
  fresh.length > 0 &&
  html`<h3 class="spaced">New</h3><ul class="plain">${fresh
    .slice(0, 15)
    .map(
      ({ rule, group, index }) =>
        html`<li>${badge(toneOf(group.impact), impactWord[group.impact])} <a href="#rule-${index}">${rule.help || rule.rule_id}</a> <code>${group.label}</code></li>`,
    )}</ul>`
}
${
  changes.fixed_examples.length > 0 &&
  html`<details class="spaced"><summary>Fixed since then</summary><ul class="plain">${changes.fixed_examples.map(
    (fault) =>
      html`<li>${badge('good', 'Fixed')} ${fault.help || fault.rule_id} <code>${fault.label}</code> <span class="small">${webLink(fault.url)}</span></li>`,
  )}</ul></details>`
}`;
}

function fixSection(model: ReportModel, pictures: Pictures): Markup | undefined {
  if (model.rules.length === 0) return undefined;
  const more = model.numbers.rules - model.rules.length;
  return html`<p class="lead">What hinders people comes first, the worst before the rest. Each entry is one rule; below it are the places in the site's templates that break it. Mend a template once, and all its pages are mended.</p>
${filterForm(model)}
${ruleCards(model, pictures)}
${more > 0 && html`<p class="soft">${count(more, 'more rule')} of less weight ${more === 1 ? 'is' : 'are'} in the CSV files of the scan.</p>`}`;
}

function reviewSection(model: ReportModel): Markup | undefined {
  if (model.needs_review.length === 0) return undefined;
  return html`<p class="lead">The checks could not decide these. They are not counted as issues; somebody should look.</p>
<ul class="plain card">${model.needs_review.map(
    (rule) =>
      html`<li><strong>${webLink(rule.help_url, rule.help || rule.rule_id)}</strong> <span class="soft">${count(rule.elements, 'element')} on ${count(rule.pages, 'page')}, such as ${webLink(rule.example_url)}</span></li>`,
  )}</ul>`;
}

function impactShares(counts: Record<Impact, number>): BarSegment[] {
  return impacts.map((impact) => ({ tone: impact, label: impactWord[impact], value: counts[impact] }));
}

function toneOf(level: ReportModel['verdict']['level']): Tone {
  if (level === 'clean') return 'good';
  return level === 'not_scanned' ? 'unknown' : level;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? 'none scanned' : `${Math.round((part / whole) * 100)} % of those scanned`;
}

/** The date in words; without a zone in it, as it stands, for it was local where the scan ran. */
function dateWords(iso: string): string {
  const date = new Date(/[Z+]/.test(iso) ? iso : `${iso}Z`);
  if (Number.isNaN(date.getTime())) return iso;
  return date.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
}
