import { RUN_FILE } from '../engine/output/results-folder.ts';
import { createFindingIdentifier } from '../results/fingerprint.ts';
import { listScreenshotIssues, readIssueDetails } from '../results/issue-details.ts';
import { readPageOutcomes, toPageOutcome } from '../results/page-outcomes.ts';
import { walkResults } from '../results/results-walk.ts';
import { createPageTallies, zeroImpacts } from './page-tally.ts';
import { rankRules } from './ranked-rules.ts';
import { isAboutPeople, toReportFinding } from './report-finding.ts';
import {
  accessibilityReportLimits,
  type ReportModel,
  type ReportNumbers,
  type ReportRule,
  truncateText,
} from './report-model.ts';
import { createReviewTallies } from './review-rules.ts';
import { compareWithScans, hasOnePagePerSite, type PreviousScan } from './scan-comparison.ts';
import {
  describeSettings,
  describeVersions,
  enabledAudits,
  type RunDetails,
  readJsonObjectFile,
  readTimes,
  scanName,
} from './scan-details.ts';
import { judgeScan } from './scan-verdict.ts';
import { createSiteTallies, describeHosts } from './site-scores.ts';
import { createTemplateGroupStore } from './template-groups.ts';

export interface CollectOptions {
  /** Earlier scans of the same sites. */
  previous?: readonly PreviousScan[] | undefined;
  run?: RunDetails | undefined;
  now?: Date | undefined;
  signal?: AbortSignal | undefined;
}

/** Reads a results folder in one pass into the model that all reports are rendered from. */
export async function collectScanReport(dir: string, options: CollectOptions = {}): Promise<ReportModel> {
  const { signal, run = {}, now = new Date() } = options;
  const config = await readJsonObjectFile(dir, 'config.json');
  const { browser } = await readJsonObjectFile(dir, RUN_FILE);
  const comparison = options.previous?.length
    ? await compareWithScans(options.previous, hasOnePagePerSite(config), signal)
    : undefined;
  const known = new Map<string, boolean>();
  const identify = createFindingIdentifier();
  const groups = createTemplateGroupStore(await listScreenshotIssues(dir));
  const sites = createSiteTallies();
  const review = createReviewTallies();
  const pages = createPageTallies();
  const byAudit: Record<string, number> = {};
  const byImpact = zeroImpacts();
  const peopleByImpact = zeroImpacts();
  let issues = 0;
  let fresh = 0;

  const problems = await walkResults(dir, {
    signal,
    onAudit(stem, fileClass) {
      if (fileClass === 'finding') byAudit[stem] = 0;
    },
    onRow(found, fileClass) {
      const row = toReportFinding(found);
      const visited = row.url !== '' && (row.outcome === '' || toPageOutcome(row.outcome) === 'scanned');
      if (visited) {
        pages.addVisit(row);
        sites.addPage(row);
      }
      if (fileClass === 'needs_review') review.add(row);
      if (fileClass !== 'finding' || row.weight === 0) return;
      issues += row.weight;
      byAudit[row.auditType] = (byAudit[row.auditType] ?? 0) + row.weight;
      byImpact[row.impact] += row.weight;
      if (isAboutPeople(row)) peopleByImpact[row.impact] += row.weight;
      sites.addIssue(row);
      const identity = identify(row);
      const group = groups.add(row, identity, pages.addIssue(row));
      if (!comparison?.covers(row.baseUrl)) return;
      let before = known.get(identity.fingerprint);
      if (before === undefined) {
        before = comparison.wasKnown(identity.fingerprint);
        known.set(identity.fingerprint, before);
        if (!before) fresh++;
      }
      if (before) group.persistingIssues++;
      else group.newIssues++;
    },
  });

  const outcomes = await readPageOutcomes(dir, pages.urls(), signal, pages.unopened());
  const withIssues = pages.countWithIssues();
  const top = pages.worstPages();
  const { rules, templates, peopleTemplates, elements } = rankRules(groups, pages, top);
  await addIssueDetails(dir, rules, signal);
  const numbers: ReportNumbers = {
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
    headline: truncateText(describeHosts(scores) ?? name, 300),
    generated_at: now.toISOString(),
    verdict: judgeScan(numbers, outcomes, run.cutShort),
    numbers,
    rules,
    needs_review: review.rules(),
    top_pages: top.map(({ issues: page }) => page),
    sites: scores.slice(0, accessibilityReportLimits.sites),
    ...(comparison && {
      changes: comparison.summarise(
        { pages: pages.urls(), audits, untested: outcomes.untested },
        { fresh, firstScanned: scores.filter(({ base_url }) => !comparison.covers(base_url)).length },
      ),
    }),
    scan: {
      audit_types: [...audits].sort(),
      settings: describeSettings(config),
      versions: describeVersions(
        config,
        rules.map((rule) => rule.help_url),
        { ...(typeof browser === 'string' && { browser }), ...run },
      ),
      ...(await readTimes(dir, run)),
      ...(run.cutShort !== undefined && { cut_short: truncateText(run.cutShort, accessibilityReportLimits.text) }),
      missed: outcomes.missed,
      partial: outcomes.partial,
      problems: [...problems, ...outcomes.problems],
    },
  };
}

/** Adds details that only the native engine records, for the examples that are shown. */
async function addIssueDetails(
  dir: string,
  rules: readonly ReportRule[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const examples = rules.flatMap((rule) => rule.templates).flatMap((group) => group.examples);
  const details = await readIssueDetails(dir, new Set(examples.map((example) => example.issue_id)), signal);
  for (const example of examples) {
    const known = details.get(example.issue_id);
    if (!known) continue;
    example.failure_summary ||= truncateText(known.fix, accessibilityReportLimits.text);
    if (known.target === example.target)
      example.selector = truncateText(known.selector, accessibilityReportLimits.target);
  }
}
