import * as z from 'zod';

/** One line per distinct issue id: details that the tables lack, from the first page with the issue. */
export const FINDINGS_FILE = 'findings.jsonl';

/** Maximum number of element screenshots per rule in a scan. */
const SCREENSHOTS_PER_RULE = 3;

export const findingDetails = z.object({
  issue_id: z.string(),
  rule: z.string(),
  impact: z.string(),
  best_practice: z.boolean(),
  url: z.string(),
  base_url: z.string(),
  page_id: z.number(),
  audit_id: z.string(),
  viewport: z.string(),
  /** CSS selectors by frame, and within each frame by shadow root. */
  selectors: z.array(z.array(z.string())),
  target: z.string(),
  html: z.string(),
  description: z.string(),
  help: z.string(),
  help_url: z.string(),
  /** axe's failure summary for this element. */
  fix: z.string(),
  tags: z.array(z.string()),
  /** Path of the element's screenshot in the results folder. */
  screenshot: z.string().optional(),
});
export type FindingDetails = z.infer<typeof findingDetails>;

export function parseFindingDetails(text: string): FindingDetails[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => findingDetails.safeParse(JSON.parse(line)).data ?? []);
}

/** What decides whether a finding is new, and whether it gets a screenshot. */
export const knownFinding = findingDetails.pick({ issue_id: true, rule: true, base_url: true, screenshot: true });
export type KnownFinding = z.infer<typeof knownFinding>;

export interface KnownFindings {
  isKnown(issueId: string): boolean;
  /** Adds findings and returns those that were not known before. */
  remember(findings: readonly FindingDetails[]): FindingDetails[];
  /** Reserves a screenshot for the rule; false when the rule has its maximum. */
  reserveScreenshot(rule: string): boolean;
  /** Returns a reservation after a failed screenshot, so that another element can use it. */
  releaseScreenshot(rule: string): void;
  /** What another process needs to decide as this one about pages of these sites. */
  describe(baseUrls: readonly string[]): KnownFinding[];
  /** No further page of the site is tested. */
  forgetSite(baseUrl: string): void;
}

export function createKnownFindings(before: readonly KnownFinding[]): KnownFindings {
  const issues = new Set<string>();
  const screenshots = new Map<string, number>();
  const shown: KnownFinding[] = [];
  const withoutScreenshot = new Map<string, KnownFinding[]>();
  for (const finding of before) {
    if (finding.screenshot !== undefined) screenshots.set(finding.rule, (screenshots.get(finding.rule) ?? 0) + 1);
    note(finding);
  }

  function note({ issue_id, rule, base_url, screenshot }: KnownFinding): void {
    issues.add(issue_id);
    if (screenshot !== undefined) shown.push({ issue_id, rule, base_url, screenshot });
    else {
      const ofSite = withoutScreenshot.get(base_url) ?? [];
      withoutScreenshot.set(base_url, ofSite);
      ofSite.push({ issue_id, rule, base_url });
    }
  }

  const isFull = (rule: string) => (screenshots.get(rule) ?? 0) >= SCREENSHOTS_PER_RULE;

  return {
    isKnown: (issueId) => issues.has(issueId),
    remember(findings) {
      return findings.filter((finding) => {
        if (issues.has(finding.issue_id)) return false;
        note(finding);
        return true;
      });
    },
    reserveScreenshot(rule) {
      if (isFull(rule)) return false;
      screenshots.set(rule, (screenshots.get(rule) ?? 0) + 1);
      return true;
    },
    releaseScreenshot(rule) {
      screenshots.set(rule, (screenshots.get(rule) ?? 1) - 1);
    },
    describe(baseUrls) {
      // Findings are known on their own site only, but screenshots count for all sites.
      const open = baseUrls.flatMap((url) => withoutScreenshot.get(url) ?? []);
      return [...shown, ...open.filter(({ rule }) => !isFull(rule))];
    },
    forgetSite(baseUrl) {
      withoutScreenshot.delete(baseUrl);
    },
  };
}
