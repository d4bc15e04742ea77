import { z } from 'zod';

/** One line for each distinct issue id: what a report needs beside the table's columns, with the first page that showed it. */
export const FINDINGS_FILE = 'findings.jsonl';

/** Of one rule so many elements are photographed in a scan. */
const PICTURES_PER_RULE = 3;

const finding = z.object({
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
export type Finding = z.infer<typeof finding>;

export function parseFindings(text: string): Finding[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => finding.safeParse(JSON.parse(line)).data ?? []);
}

export interface KnownFindings {
  isKnown(issueId: string): boolean;
  /** Those of a page's findings that no other page had before; from now on they are known. */
  remember(findings: readonly Finding[]): Finding[];
  /** True as long as the rule may have one more picture. */
  mayPicture(rule: string): boolean;
  /** The picture did not come about, so another element may have its place. */
  noPicture(rule: string): void;
}

export function knownFindings(before: readonly Finding[]): KnownFindings {
  const issues = new Set(before.map(({ issue_id }) => issue_id));
  const pictures = new Map<string, number>();
  for (const { rule, screenshot } of before) if (screenshot) pictures.set(rule, (pictures.get(rule) ?? 0) + 1);
  return {
    isKnown: (issueId) => issues.has(issueId),
    remember(findings) {
      return findings.filter(({ issue_id }) => {
        if (issues.has(issue_id)) return false;
        issues.add(issue_id);
        return true;
      });
    },
    mayPicture(rule) {
      const taken = pictures.get(rule) ?? 0;
      if (taken >= PICTURES_PER_RULE) return false;
      pictures.set(rule, taken + 1);
      return true;
    },
    noPicture(rule) {
      pictures.set(rule, (pictures.get(rule) ?? 1) - 1);
    },
  };
}
