import { z } from 'zod';

/** One line for each distinct issue id: what a report needs beside the table's columns, with the first page that showed it. */
export const FINDINGS_FILE = 'findings.jsonl';

/** Of one rule so many elements are photographed in a scan. */
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
  /** By frame, and within each by shadow root: CSS selectors. */
  selectors: z.array(z.array(z.string())),
  target: z.string(),
  html: z.string(),
  description: z.string(),
  help: z.string(),
  help_url: z.string(),
  /** How to fix it: axe's list for just this element. */
  fix: z.string(),
  tags: z.array(z.string()),
  /** A picture of the element in the results folder. */
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
  /** Those of a page's findings that no other page had before; from now on they are known. */
  remember(findings: readonly FindingDetails[]): FindingDetails[];
  /** True as long as the rule may have one more picture. */
  reserveScreenshot(rule: string): boolean;
  /** The picture did not come about, so another element may have its place. */
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
