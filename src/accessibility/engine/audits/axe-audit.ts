import type axeCore from 'axe-core';
import type { Page } from 'playwright-core';
import { Failure } from '../../../platform/errors.ts';
import { describeExcludedRule, describeUntestedFrame } from '../../results/untested-checks.ts';
import type { CsvRow } from '../output/csv-rows.ts';
import type { FindingDetails } from '../output/finding-details.ts';
import { formatPythonList } from '../output/python-format.ts';
import { withTimeLimit } from '../time-limits.ts';
import { readAxe } from '../visit/browser-tabs.ts';
import {
  type Audit,
  type AuditTarget,
  auditId,
  compareText,
  issueRow,
  noIssuesRow,
  standardColumns,
  truncateCharacters,
} from './audit.ts';
import { screenshotElements } from './element-screenshots.ts';
import { issueId } from './issue-id.ts';

declare global {
  interface Window {
    /** The injected axe. */
    axe?: typeof axeCore;
  }
}

interface ViolationNode {
  html: string;
  impact: string;
  /** CSS selectors by frame, and within each frame by shadow root. */
  selectors: string[][];
  xpath: string[];
  fix: string;
}

interface ViolatedRule {
  id: string;
  description: string;
  help: string;
  helpUrl: string;
  tags: string[];
  nodes: ViolationNode[];
}

interface AxeResult {
  violations: ViolatedRule[];
  incomplete: ViolatedRule[];
}

const TYPE = 'AxeCoreAudit';
/** axe's rule for frames that it could not test. It is a best practice but always enabled, because its result is a warning. */
const FRAME_RULE = 'frame-tested';
/** Time limit for a frame to respond. axe's default of half a second is too short on a busy machine. */
const FRAME_LIMIT_MS = 3_000;

export const axeAudit: Audit = {
  name: 'axe_core_audit',
  async run(auditTarget, settings) {
    const withBestPractice = settings['best-practice'] === true;
    const { result, partial } = await runAxe(auditTarget, withBestPractice);
    const violations = toIssues(result.violations, auditTarget, withBestPractice);
    const reviews = toIssues(result.incomplete, auditTarget, withBestPractice);
    const standard = standardColumns(auditTarget);
    const rows = violations.map((violation) => toIssueRow(standard, violation));
    const unknown = new Map(violations.toReversed().map((violation) => [violation.id, violation]));
    const details = [...unknown.values()]
      .filter(({ id }) => !auditTarget.knownFindings.isKnown(id))
      .toReversed()
      .map((violation) => toFindingDetails(auditTarget, violation));
    await screenshotElements(auditTarget, details);
    return {
      rows: {
        axe_core_audit: rows.length > 0 ? rows : [noIssuesRow(standard, TYPE)],
        axe_core_audit_needs_review: reviews.map((violation) => toIssueRow(standard, violation)),
      },
      issues: rows.length,
      details,
      partial: [...partial, ...describeUntestedFrames(result, auditTarget)],
    };
  },
};

function describeUntestedFrames({ incomplete }: AxeResult, { viewport }: AuditTarget): string[] {
  return incomplete.some(({ id }) => id === FRAME_RULE) ? [describeUntestedFrame(viewport.name)] : [];
}

/** Runs axe with a time limit, which axe itself lacks. After a timeout it runs once more without its slowest rule. */
async function runAxe(
  auditTarget: AuditTarget,
  withBestPractice: boolean,
): Promise<{ result: AxeResult; partial: string[] }> {
  const limit = auditTarget.scriptLimitMs;
  const without = withBestPractice ? [] : ['best-practice'];
  try {
    return {
      result: await analyseWithLimit(auditTarget.page, limit, { withoutTags: without, without: [] }),
      partial: [],
    };
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'PAGE_TIMEOUT')) throw error;
    const page = await auditTarget.reopen();
    const result = await analyseWithLimit(page, limit, { withoutTags: without, without: ['color-contrast'] });
    return { result, partial: [describeExcludedRule('color-contrast', auditTarget.viewport.name)] };
  }
}

/** Rules that axe does not run. */
interface ExcludedRules {
  withoutTags: string[];
  without: string[];
}

interface AxeOptions extends ExcludedRules {
  /** A rule that always runs, whatever its tags. */
  kept: string;
  pingWaitTime: number;
}

async function analyseWithLimit(page: Page, limitMs: number, leftOut: ExcludedRules): Promise<AxeResult> {
  return withTimeLimit(limitMs, 'axe', analysePage(page, leftOut));
}

async function analysePage(page: Page, leftOut: ExcludedRules, mayInject = true): Promise<AxeResult> {
  // A frame without an address has no content to test.
  const frames = page.frames().filter((frame) => frame.url() !== '');
  if (frames.length > 1) {
    // Cross-origin and sandboxed frames respond only when both sides allow it. The context is discarded, so this is safe.
    const opened = frames.map((frame) => withTimeLimit(FRAME_LIMIT_MS, 'a frame', frame.evaluate(allowAllOrigins)));
    await Promise.allSettled(opened);
  }
  const result = await page.evaluate(runAxeInPage, { ...leftOut, kept: FRAME_RULE, pingWaitTime: FRAME_LIMIT_MS });
  if (result) return result;
  if (!mayInject) throw new Error('axe is not in the page');
  await page.evaluate(await readAxe());
  return analysePage(page, leftOut, false);
}

function allowAllOrigins(): void {
  window.axe?.configure({ allowedOrigins: ['<unsafe_all_origins>'] });
}

/**
 * Runs in the page and returns only what the tables need, because sending axe's full result takes as long as computing it.
 * Undefined when a script of the page has removed axe.
 */
async function runAxeInPage({ withoutTags, without, kept, pingWaitTime }: AxeOptions): Promise<AxeResult | undefined> {
  if (typeof window.axe?.run !== 'function') return undefined;
  const tagged = withoutTags.length > 0 ? window.axe.getRules(withoutTags).map(({ ruleId }) => ruleId) : [];
  // axe would treat properties that a page adds to Object.prototype as rules, so this object has no prototype.
  const rules: axeCore.RuleObject = Object.create(null);
  for (const rule of [...tagged, ...without]) if (rule !== kept) rules[rule] = { enabled: false };
  const results = await window.axe.run(document, {
    xpath: true,
    pingWaitTime,
    resultTypes: ['violations', 'incomplete'],
    rules,
  });
  const slim = (rules: axeCore.Result[]) =>
    rules.map(({ id, description, help, helpUrl, tags, nodes }) => ({
      id,
      description,
      help,
      helpUrl,
      tags,
      nodes: nodes.map((node) => ({
        html: node.html,
        impact: node.impact ?? '',
        selectors: node.target.map((part) => (typeof part === 'string' ? [part] : [...part])),
        xpath: (node.xpath ?? []).map(String),
        fix: node.failureSummary ?? '',
      })),
    }));
  return { violations: slim(results.violations), incomplete: slim(results.incomplete) };
}

interface AxeIssue extends Omit<ViolatedRule, 'nodes' | 'id'> {
  id: string;
  rule: string;
  node: ViolationNode;
  target: string;
  bestPractice: boolean;
}

function toIssues(
  rules: readonly ViolatedRule[],
  { siteUrl, viewport }: AuditTarget,
  withBestPractice: boolean,
): AxeIssue[] {
  return rules
    .flatMap(({ nodes, id: rule, ...about }) => {
      const bestPractice = about.tags.includes('best-practice');
      if (bestPractice && !withBestPractice) return [];
      return nodes.map((node) => {
        return {
          ...about,
          rule,
          node,
          bestPractice,
          target: formatTarget(node),
          id: issueId(siteUrl, rule, node.html, viewport),
        };
      });
    })
    .toSorted((a, b) => compareText(a.rule, b.rule) || compareText(a.target, b.target));
}

/** CWAC's XPath, with the path through frames. An XPath cannot enter a shadow root, so CSS selectors are used there. */
function formatTarget({ selectors, xpath }: ViolationNode): string {
  if (selectors.some((part) => part.length > 1)) return selectors.flat().join(' >>> ');
  return xpath.join(' >>> ');
}

function toIssueRow(standard: CsvRow, { id, rule, node, target, bestPractice, ...about }: AxeIssue): CsvRow {
  return issueRow(standard, {
    audit_type: TYPE,
    issue_id: id,
    description: about.description,
    target,
    num_issues: 1,
    help: about.help,
    helpUrl: about.helpUrl,
    id: rule,
    impact: node.impact,
    html: truncateCharacters(node.html, 100),
    tags: formatPythonList(about.tags),
    bestPractice,
  });
}

function toFindingDetails(
  auditTarget: AuditTarget,
  { id, rule, node, target, bestPractice, ...about }: AxeIssue,
): FindingDetails {
  return {
    issue_id: id,
    rule,
    impact: node.impact,
    best_practice: bestPractice,
    url: auditTarget.url,
    base_url: auditTarget.baseUrl,
    page_id: auditTarget.pageId,
    audit_id: auditId(auditTarget),
    viewport: auditTarget.viewport.name,
    selectors: node.selectors,
    target,
    html: truncateCharacters(node.html, 1000),
    description: about.description,
    help: about.help,
    help_url: about.helpUrl,
    fix: truncateCharacters(node.fix, 1000),
    tags: about.tags,
  };
}
