import type axeCore from 'axe-core';
import type { Page } from 'playwright-core';
import { Failure } from '../../../platform/errors.ts';
import { axeWithout, frameClosed } from '../../results/untested.ts';
import type { Row } from '../csv.ts';
import type { Finding } from '../findings.ts';
import { readAxe } from '../lanes.ts';
import { pythonList } from '../python.ts';
import { within } from '../waiting.ts';
import {
  type Audit,
  auditId,
  cleanRow,
  firstCharacters,
  inOrder,
  issueRow,
  type Sight,
  standardColumns,
} from './audit.ts';
import { pictureElements } from './element-picture.ts';
import { issueId } from './issue-id.ts';

declare global {
  interface Window {
    /** In the page, where the script put it; a page may have its own `axe` beside it. */
    axe?: typeof axeCore;
  }
}

interface FaultyNode {
  html: string;
  impact: string;
  /** By frame, and within each by shadow root. */
  selectors: string[][];
  xpath: string[];
  fix: string;
}

interface BrokenRule {
  id: string;
  description: string;
  help: string;
  helpUrl: string;
  tags: string[];
  nodes: FaultyNode[];
}

interface AxeResult {
  violations: BrokenRule[];
  incomplete: BrokenRule[];
}

const TYPE = 'AxeCoreAudit';
/** The rule by which axe says that it could not look into a frame. It is a best practice, yet we always want to know. */
const FRAME_RULE = 'frame-tested';
/** A frame that never loads never answers, and must not cost the page its test; axe's half second is short on a busy machine. */
const FRAME_ANSWERS_MS = 3_000;

export const axeAudit: Audit = {
  name: 'axe_core_audit',
  async run(sight, settings) {
    const withBestPractice = settings['best-practice'] === true;
    const { result, partial } = await runAxe(sight, withBestPractice);
    const violations = faultsOf(result.violations, sight, withBestPractice);
    const reviews = faultsOf(result.incomplete, sight, withBestPractice);
    const standard = standardColumns(sight);
    const rows = violations.map((fault) => rowOf(standard, fault));
    const unknown = new Map(violations.toReversed().map((fault) => [fault.id, fault]));
    const details = [...unknown.values()]
      .filter(({ id }) => !sight.known.isKnown(id))
      .toReversed()
      .map((fault) => findingOf(sight, fault));
    await pictureElements(sight, details);
    return {
      rows: {
        axe_core_audit: rows.length > 0 ? rows : [cleanRow(standard, TYPE)],
        axe_core_audit_needs_review: reviews.map((fault) => rowOf(standard, fault)),
      },
      issues: rows.length,
      details,
      partial: [...partial, ...closedFrames(result, sight)],
    };
  },
};

function closedFrames({ incomplete }: AxeResult, { view }: Sight): string[] {
  return incomplete.some(({ id }) => id === FRAME_RULE) ? [frameClosed(view.name)] : [];
}

/** Axe has no time limit of its own. On a page that is too much for it, it is tried once more without its dearest rule. */
async function runAxe(sight: Sight, withBestPractice: boolean): Promise<{ result: AxeResult; partial: string[] }> {
  const limit = sight.scriptLimitMs;
  const without = withBestPractice ? [] : ['best-practice'];
  try {
    return { result: await analyse(sight.page, limit, { withoutTags: without, without: [] }), partial: [] };
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'PAGE_TIMEOUT')) throw error;
    const page = await sight.reopen();
    const result = await analyse(page, limit, { withoutTags: without, without: ['color-contrast'] });
    return { result, partial: [axeWithout('color-contrast', sight.view.name)] };
  }
}

/** The rules that are left out: nobody waits for what nobody will read. */
interface LeftOut {
  withoutTags: string[];
  without: string[];
}

interface Question extends LeftOut {
  /** A rule that is not left out, whatever its tags. */
  kept: string;
  pingWaitTime: number;
}

async function analyse(page: Page, limitMs: number, leftOut: LeftOut): Promise<AxeResult> {
  return within(limitMs, 'axe', letAxeRun(page, leftOut));
}

async function letAxeRun(page: Page, leftOut: LeftOut, mayInject = true): Promise<AxeResult> {
  // One that has no address yet has nothing to test either.
  const frames = page.frames().filter((frame) => frame.url() !== '');
  if (frames.length > 1) {
    // Frames of other origins, and sandboxed ones, answer only when both sides agree to it; in a throw-away context there is
    // nothing to steal.
    const opened = frames.map((frame) => within(FRAME_ANSWERS_MS, 'a frame', frame.evaluate(openToAll)));
    await Promise.allSettled(opened);
  }
  const result = await page.evaluate(inPage, { ...leftOut, kept: FRAME_RULE, pingWaitTime: FRAME_ANSWERS_MS });
  if (result) return result;
  if (!mayInject) throw new Error('axe is not in the page');
  await page.evaluate(await readAxe());
  return letAxeRun(page, leftOut, false);
}

function openToAll(): void {
  window.axe?.configure({ allowedOrigins: ['<unsafe_all_origins>'] });
}

/**
 * Only what the tables need leaves the page: axe's full result costs as much to send as to find. Undefined where the page's
 * own scripts took axe away.
 */
async function inPage({ withoutTags, without, kept, pingWaitTime }: Question): Promise<AxeResult | undefined> {
  if (typeof window.axe?.run !== 'function') return undefined;
  const tagged = withoutTags.length > 0 ? window.axe.getRules(withoutTags).map(({ ruleId }) => ruleId) : [];
  // Axe takes what a page has added to all objects for rules, unless there is nothing to inherit from.
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

interface Fault extends Omit<BrokenRule, 'nodes' | 'id'> {
  id: string;
  rule: string;
  node: FaultyNode;
  target: string;
  bestPractice: boolean;
}

function faultsOf(rules: readonly BrokenRule[], { siteUrl, view }: Sight, withBestPractice: boolean): Fault[] {
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
          target: targetOf(node),
          id: issueId(siteUrl, rule, node.html, view),
        };
      });
    })
    .toSorted((a, b) => inOrder(a.rule, b.rule) || inOrder(a.target, b.target));
}

/** CWAC's first XPath; the way through frames is added to it. An XPath cannot enter a shadow root, so there it is CSS. */
function targetOf({ selectors, xpath }: FaultyNode): string {
  if (selectors.some((part) => part.length > 1)) return selectors.flat().join(' >>> ');
  return xpath.join(' >>> ');
}

function rowOf(standard: Row, { id, rule, node, target, bestPractice, ...about }: Fault): Row {
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
    html: firstCharacters(node.html, 100),
    tags: pythonList(about.tags),
    bestPractice,
  });
}

function findingOf(sight: Sight, { id, rule, node, target, bestPractice, ...about }: Fault): Finding {
  return {
    issue_id: id,
    rule,
    impact: node.impact,
    best_practice: bestPractice,
    url: sight.url,
    base_url: sight.baseUrl,
    page_id: sight.pageId,
    audit_id: auditId(sight),
    viewport: sight.view.name,
    selectors: node.selectors,
    target,
    html: firstCharacters(node.html, 1000),
    description: about.description,
    help: about.help,
    help_url: about.helpUrl,
    fix: firstCharacters(node.fix, 1000),
    tags: about.tags,
  };
}
