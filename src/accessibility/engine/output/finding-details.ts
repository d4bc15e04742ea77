import * as z from 'zod';

/** One line per distinct issue id: details that the tables lack, from the first page with the issue. */
export const FINDINGS_FILE = 'findings.jsonl';

/** Maximum number of element screenshots per rule in a scan. */
const SCREENSHOTS_PER_RULE = 3;

const findingDetails = z.object({
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

export interface KnownFindings {
  isKnown(issueId: string): boolean;
  /** Adds findings and returns those that were not known before. */
  remember(findings: readonly FindingDetails[]): FindingDetails[];
  /** Reserves a screenshot for the rule; false when the rule has its maximum. */
  reserveScreenshot(rule: string): boolean;
  /** Returns a reservation after a failed screenshot, so that another element can use it. */
  releaseScreenshot(rule: string): void;
}

export function createKnownFindings(before: readonly FindingDetails[]): KnownFindings {
  const issues = new Set(before.map(({ issue_id }) => issue_id));
  const screenshots = new Map<string, number>();
  for (const { rule, screenshot } of before) if (screenshot) screenshots.set(rule, (screenshots.get(rule) ?? 0) + 1);
  return {
    isKnown: (issueId) => issues.has(issueId),
    remember(findings) {
      return findings.filter(({ issue_id }) => {
        if (issues.has(issue_id)) return false;
        issues.add(issue_id);
        return true;
      });
    },
    reserveScreenshot(rule) {
      const taken = screenshots.get(rule) ?? 0;
      if (taken >= SCREENSHOTS_PER_RULE) return false;
      screenshots.set(rule, taken + 1);
      return true;
    },
    releaseScreenshot(rule) {
      screenshots.set(rule, (screenshots.get(rule) ?? 1) - 1);
    },
  };
}
