import type { IssueImpact } from '../../results/audit-finding.ts';

export const impactLabels: Record<IssueImpact, string> = {
  critical: 'Critical',
  serious: 'Serious',
  moderate: 'Moderate',
  minor: 'Minor',
  unknown: 'Unrated',
};

export const reportStyle = `
.spaced{margin-top:1rem}
.spaced>h3{margin-bottom:.75rem}
ul.plain{list-style:none;margin:.5rem 0 0;padding:0}
ul.plain.card{padding:.5rem 1.25rem}
ul.plain>li{padding-block:.375rem}
.filters{display:flex;flex-wrap:wrap;gap:.75rem 1rem;align-items:end;margin-bottom:1rem}
.filters .field{display:grid;gap:.1875rem;font-size:.875rem;color:var(--soft);min-width:0;flex:1 1 8rem;max-width:20rem}
.filters select{width:100%;max-width:20rem}
.filters select,.filters button{font-size:.9375rem}
.filters [role=status]{font-size:.875rem;color:var(--soft);min-height:2.25rem;display:flex;align-items:center}
.rule{margin-bottom:1rem;scroll-margin-top:1rem}
.rule-head{display:flex;flex-wrap:wrap;gap:.375rem .75rem;align-items:center}
.rule-head h3{flex:1 1 18rem}
.rule-facts{display:flex;flex-wrap:wrap;gap:.125rem 1rem;color:var(--soft);font-size:.875rem;margin-top:.25rem}
.fix{margin-top:.75rem;max-width:46rem}
.fix+.fix{margin-top:.375rem}
.templates{list-style:none;margin:.875rem 0 0;padding:0;border-top:1px solid var(--line)}
.templates>li{border-bottom:1px solid var(--line)}
.templates>li:last-child{border-bottom:0}
.templates summary{padding-block:.625rem}
.templates summary code{font-weight:600}
.templates summary .soft{font-size:.875rem;margin-inline-start:.375rem}
.templates summary .badge{margin-inline-start:.375rem}
.evidence{padding-bottom:1rem;display:grid;gap:1rem}
.example{display:grid;gap:.5rem;min-width:0}
.example p{font-size:.9375rem}
.example img{max-width:100%;height:auto;max-height:16rem;object-fit:contain;object-position:left top;border:1px solid var(--line);border-radius:.375rem;background:#fff;justify-self:start}
.example code.where{display:inline;color:var(--soft)}
.urls{margin:0;padding-inline-start:1.125rem;font-size:.875rem}
.urls li{padding-block:.0625rem}
td .bar{min-width:8rem;margin-top:.375rem}
.page-title{display:block}
@media print{.rule{break-inside:auto}.example{break-inside:avoid}.templates summary{list-style:none}}
`;
