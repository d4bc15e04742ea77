import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readJsonLines } from './json-lines.ts';

/** What the native engine records about an issue in addition to CWAC's columns. */
export interface IssueDetails {
  /** axe's failure summary for this element. */
  fix: string;
  /** CSS selectors through frames and shadow roots to the element at `target`. Equal HTML elsewhere has the same issue id. */
  selector: string;
  target: string;
}

const line = z.object({
  issue_id: z.string(),
  fix: z.string().default(''),
  selectors: z.array(z.array(z.string())).default([]),
  target: z.string().default(''),
});

/** Reads the details of these issues; issues without details are absent. */
export async function readIssueDetails(
  dir: string,
  issueIds: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<Map<string, IssueDetails>> {
  const details = new Map<string, IssueDetails>();
  if (issueIds.size === 0) return details;
  for await (const value of readJsonLines(join(dir, 'findings.jsonl'), signal)) {
    const known = line.safeParse(value).data;
    if (!known || !issueIds.has(known.issue_id)) continue;
    const { fix, selectors, target } = known;
    details.set(known.issue_id, { fix, selector: selectors.flat().join(' >>> '), target });
    if (details.size === issueIds.size) break;
  }
  return details;
}

/** Issue ids with a screenshot in `elements/<issue_id>.png`. */
export async function listScreenshotIssues(dir: string): Promise<Set<string>> {
  const names = await readdir(join(dir, 'elements')).catch(() => []);
  return new Set(names.flatMap((name) => /^([\w-]{1,80})\.png$/.exec(name)?.[1] ?? []));
}

/** Path of an issue's screenshot, relative to the results folder. */
export function issueScreenshotPath(issueId: string): string {
  return `elements/${issueId}.png`;
}
