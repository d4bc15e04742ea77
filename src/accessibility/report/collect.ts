import { RUN_FILE } from '../engine/results-folder.ts';
import { picturedIssues, readDetails } from '../results/details.ts';
import { createIdentifier } from '../results/fingerprint.ts';
import { asOutcome, readOutcomes } from '../results/outcomes.ts';
import { walkResults } from '../results/walk.ts';
import { compareWith, hasOnePageASite, type PreviousScan } from './changes.ts';
import { createGroupStore } from './groups.ts';
import { inReport, isAboutPeople } from './in-report.ts';
import { bounds, cut, type Numbers, type ReportModel, type Rule } from './model.ts';
import { createPageStore, noImpacts } from './pages.ts';
import { createReviewStore } from './review.ts';
import { rulesOf } from './rules.ts';
import { enabledAudits, type RunFacts, readObject, scanName, settingsOf, timesOf, versionsOf } from './scan-facts.ts';
import { createSiteStore, hostsInWords } from './sites.ts';
import { judge } from './verdict.ts';

export interface CollectOptions {
  /** The scans before this one of the same sites. */
  previous?: readonly PreviousScan[] | undefined;
  run?: RunFacts | undefined;
  now?: Date | undefined;
  signal?: AbortSignal | undefined;
}

/** Reads a results folder, in one pass over its rows, into the document that all reports are made from. */
export async function collectReport(dir: string, options: CollectOptions = {}): Promise<ReportModel> {
  const { signal, run = {}, now = new Date() } = options;
  const config = await readObject(dir, 'config.json');
  const { browser } = await readObject(dir, RUN_FILE);
  const comparison = options.previous?.length
    ? await compareWith(options.previous, hasOnePageASite(config), signal)
    : undefined;
  const known = new Map<string, boolean>();
  const identify = createIdentifier();
  const groups = createGroupStore(await picturedIssues(dir));
  const sites = createSiteStore();
  const review = createReviewStore();
  const pages = createPageStore();
  const byAudit: Record<string, number> = {};
  const byImpact = noImpacts();
  const peopleByImpact = noImpacts();
  let issues = 0;
  let fresh = 0;

  const problems = await walkResults(dir, {
    signal,
    audit(stem, fileClass) {
      if (fileClass === 'finding') byAudit[stem] = 0;
    },
    row(found, fileClass) {
      const row = inReport(found);
      const visited = row.url !== '' && (row.outcome === '' || asOutcome(row.outcome) === 'scanned');
      if (visited) {
        pages.visited(row);
        sites.page(row);
      }
      if (fileClass === 'needs_review') review.add(row);
      if (fileClass !== 'finding' || row.weight === 0) return;
      issues += row.weight;
      byAudit[row.auditType] = (byAudit[row.auditType] ?? 0) + row.weight;
      byImpact[row.impact] += row.weight;
      if (isAboutPeople(row)) peopleByImpact[row.impact] += row.weight;
      sites.fault(row);
      const identity = identify(row);
      const group = groups.add(row, identity, pages.fault(row));
      if (!comparison?.covers(row.baseUrl)) return;
      let before = known.get(identity.fingerprint);
      if (before === undefined) {
        before = comparison.knew(identity.fingerprint);
        known.set(identity.fingerprint, before);
        if (!before) fresh++;
      }
      if (before) group.persisting++;
      else group.fresh++;
    },
  });

  const outcomes = await readOutcomes(dir, pages.urls(), signal, pages.unseen());
  const withIssues = pages.withIssues();
  const top = pages.top();
  const { rules, templates, peopleTemplates, elements } = rulesOf(groups, pages, top);
  await addDetails(dir, rules, signal);
  const numbers: Numbers = {
    pages: outcomes.counts,
    pages_with_issues: withIssues.all,
    issues,
    issues_by_impact: byImpact,
    issues_by_audit_type: byAudit,
    people: { issues_by_impact: peopleByImpact, templates: peopleTemplates, pages_with_issues: withIssues.people },
    elements,
    rules: groups.rules.size,
    templates,
    needs_review: review.total(),
  };
  const name = scanName(dir, config);
  const scores = await sites.scores(dir);
  const audits = new Set([...Object.keys(byAudit), ...enabledAudits(config)]);
  return {
    schema: 'assay.accessibility-report',
    version: 1,
    name,
    headline: cut(hostsInWords(scores) ?? name, 300),
    generated_at: now.toISOString(),
    verdict: judge(numbers, outcomes, run.cutShort),
    numbers,
    rules,
    needs_review: review.rules(),
    top_pages: top.map(({ issues: page }) => page),
    sites: scores.slice(0, bounds.sites),
    ...(comparison && {
      changes: comparison.changes(
        { pages: pages.urls(), audits, untested: outcomes.untested },
        { fresh, firstScanned: scores.filter(({ base_url }) => !comparison.covers(base_url)).length },
      ),
    }),
    scan: {
      audit_types: [...audits].sort(),
      settings: settingsOf(config),
      versions: versionsOf(
        config,
        rules.map((rule) => rule.help_url),
        { ...(typeof browser === 'string' && { browser }), ...run },
      ),
      ...(await timesOf(dir, run)),
      ...(run.cutShort !== undefined && { cut_short: cut(run.cutShort, bounds.text) }),
      missed: outcomes.missed,
      partial: outcomes.partial,
      problems: [...problems, ...outcomes.problems],
    },
  };
}

/** The native engine notes more of each issue than the tables hold: it is read for the few that are shown. */
async function addDetails(dir: string, rules: readonly Rule[], signal: AbortSignal | undefined): Promise<void> {
  const examples = rules.flatMap((rule) => rule.templates).flatMap((group) => group.examples);
  const details = await readDetails(dir, new Set(examples.map((example) => example.issue_id)), signal);
  for (const example of examples) {
    const known = details.get(example.issue_id);
    if (!known) continue;
    example.failure_summary ||= cut(known.fix, bounds.text);
    if (known.target === example.target) example.selector = cut(known.selector, bounds.target);
  }
}
