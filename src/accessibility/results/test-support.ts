import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates a results folder with these files and removes it after the test. */
export async function createResultsDir(files: Record<string, string | Uint8Array>, name = 'results'): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'assay-results-test-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const folder = join(root, name);
  await mkdir(folder);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Formats a CSV file as CWAC writes it, with a byte order mark and CRLF. */
export function formatTestCsv(columns: string, rows: readonly Record<string, string | number>[], end = '\r\n'): string {
  const names = columns.split(',');
  const lines = rows.map((row) => names.map((name) => csvField(String(row[name] ?? ''))).join(','));
  return `\uFEFF${[columns, ...lines].map((line) => `${line}${end}`).join('')}`;
}

const standard = 'organisation,sector,page_title,base_url,url,viewport_size,audit_id,page_id';

export const testColumns = {
  axe: `${standard},audit_type,issue_id,description,target,num_issues,help,helpUrl,id,impact,html,tags,best-practice`,
  reflow: `${standard},audit_type,overflows,num_issues,overflow_amount_px`,
  language: `${standard},flesch_kincaid_gl,num_sentences,words_per_sentence,syllables_per_word,smog_gl,helpUrl`,
  title: standard,
  crawl: `${standard},audit_type,parent_url,final_url,status_code,content_type,outcome,load_ms,num_issues,id,description`,
  pagesScanned: 'organisation,base_url,number_of_pages,sector',
  auditLog: 'organisation,base_url,url,sector',
  codes: 'base_url,parent_url,url,status_code',
  antiBot: 'organisation,domain,url,anti_bot_check,viewport_size',
};

export type TestRow = Record<string, string | number>;

/** A row of an axe audit: the given cells, and CWAC-like values for the others. */
export function axeTestRow(given: TestRow): TestRow {
  const viewport = given['viewport'] ?? 'small';
  return {
    organisation: 'Org, Inc',
    sector: 'gov',
    page_title: 'A "title"\nin two lines',
    base_url: 'https://example.org',
    url: 'https://example.org/',
    viewport_size: "{'width': 320, 'height': 450}",
    audit_id: `1_${viewport}`,
    page_id: 1,
    audit_type: 'AxeCoreAudit',
    issue_id: 'abcdef0123',
    description: 'Ensure <img> elements have alternative text',
    target: '/html/body/main/img',
    num_issues: 1,
    help: 'Images must have alternative text',
    helpUrl: 'https://dequeuniversity.com/rules/axe/4.14/image-alt?application=axeAPI',
    id: 'image-alt',
    impact: 'critical',
    html: '<img src="/a.png">',
    tags: "['cat.text-alternatives', 'wcag2a', 'wcag111']",
    'best-practice': 'No',
    ...given,
  };
}

/** The row that CWAC writes for a page and viewport without issues. */
export function resultsRowWithoutIssues(url: string, viewport = 'small'): TestRow {
  const none = { issue_id: '', target: '', help: '', helpUrl: '', id: '', impact: '', html: '', tags: '' };
  return axeTestRow({ ...none, url, viewport, description: 'No issues found', num_issues: 0 });
}
