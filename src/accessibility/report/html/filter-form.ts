import { html, type Markup } from '../../../web/html.ts';
import { issueImpacts } from '../../results/audit-finding.ts';
import { type ReportModel, truncateText } from '../report-model.ts';
import { impactLabels } from './report-style.ts';

/** The form is hidden until its script runs: without the script, the page shows everything. */
export function renderFilterForm(model: ReportModel): Markup {
  const used = issueImpacts.filter((impact) => model.numbers.issues_by_impact[impact] > 0);
  const choices = [
    renderChoice(
      'impact',
      'Impact',
      used.map((impact) => [impact, impactLabels[impact]]),
    ),
    renderChoice(
      'rule',
      'Rule',
      model.rules.map((rule, index) => [String(index), rule.rule_id]),
    ),
    renderChoice(
      'page',
      'Page',
      model.top_pages.map((page, index) => [String(index), hostAndPath(page.url)]),
    ),
    model.changes &&
      renderChoice('state', 'Change', [
        ['new', 'New'],
        ['persisting', 'Persisting'],
      ]),
  ];
  return html`<form class="filters screen-only" hidden aria-label="Filter issues">
${choices}
<button type="reset">Show all</button>
<p role="status"></p>
</form>`;
}

function renderChoice(
  name: string,
  title: string,
  options: readonly (readonly [value: string, text: string])[],
): Markup {
  return html`<div class="field"><label for="filter-${name}">${title}</label><select id="filter-${name}" name="${name}"><option value="">all</option>${options.map(
    ([value, text]) => html`<option value="${value}">${truncateText(text, 80)}</option>`,
  )}</select></div>`;
}

function hostAndPath(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.host}${parsed.pathname}${parsed.search}` : url;
}

/** Hides entries that do not match. It reads only data attributes that the renderer wrote, and writes only text. */
export const filterScript = `
(() => {
  const form = document.querySelector('form.filters');
  const cards = [...document.querySelectorAll('[data-rule]')];
  if (!form || !cards.length) return;
  const apply = () => {
    const chosen = Object.fromEntries(new FormData(form));
    let shown = 0, all = 0;
    for (const card of cards) {
      let any = false;
      for (const item of card.querySelectorAll('[data-impact]')) {
        const fits = (!chosen.impact || item.dataset.impact === chosen.impact)
          && (!chosen.rule || card.dataset.rule === chosen.rule)
          && (!chosen.page || item.dataset.pages.includes(' ' + chosen.page + ' '))
          && (!chosen.state || item.dataset.state === chosen.state);
        item.hidden = !fits;
        all++;
        if (fits) { shown++; any = true; }
      }
      card.hidden = !any;
    }
    form.querySelector('[role=status]').textContent = shown === all ? '' : shown + ' of ' + all + ' shown';
  };
  form.addEventListener('change', apply);
  form.addEventListener('reset', () => setTimeout(apply));
  form.addEventListener('submit', (event) => event.preventDefault());
  form.hidden = false;
  apply();
})();
`;
