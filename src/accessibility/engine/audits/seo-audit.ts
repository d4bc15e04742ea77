import type { CsvRow } from '../output/csv-rows.ts';
import { withTimeLimit } from '../time-limits.ts';
import {
  type Audit,
  issueRow,
  noIssuesRow,
  type PageIdentity,
  standardColumns,
  truncateCharacters,
  type Viewport,
} from './audit.ts';
import { issueId } from './issue-id.ts';

const TYPE = 'SeoAudit';

interface PageHead {
  title: string;
  titles: number;
  description: string | null;
  canonicals: string[];
  headings: number;
  robots: string;
  viewport: string | null;
  lang: string;
}

interface SeoIssue {
  id: string;
  impact: string;
  description: string;
  help: string;
  html: string;
}

/** Checks what search engines need from a page. Duplicate titles are found when the site is finished. */
export const seoAudit: Audit = {
  name: 'seo_audit',
  isViewportIndependent: true,
  async run(auditTarget) {
    const head = await withTimeLimit(
      auditTarget.scriptLimitMs,
      'reading the head',
      auditTarget.page.evaluate(readHeadInPage),
    );
    const standard = standardColumns(auditTarget);
    const rows = seoIssues(head).map((issue) => seoRow(standard, auditTarget, issue));
    return { rows: { seo_audit: rows.length > 0 ? rows : [noIssuesRow(standard, TYPE)] }, issues: rows.length };
  },
};

/** In the page. */
function readHeadInPage(): PageHead {
  // A form named `title` would hide `document.title`.
  const title: string = Reflect.get(Document.prototype, 'title', document);
  const content = (name: string) =>
    document.querySelector(`meta[name="${name}" i]`)?.getAttribute('content')?.trim() ?? null;
  return {
    title: title.trim(),
    titles: document.querySelectorAll('head > title').length,
    description: content('description'),
    canonicals: Array.from(document.querySelectorAll('link[rel~="canonical" i][href]'), (link) => link.outerHTML),
    headings: document.querySelectorAll('h1').length,
    robots: content('robots') ?? '',
    viewport: content('viewport'),
    lang: document.documentElement.getAttribute('lang')?.trim() ?? '',
  };
}

function seoIssues(head: PageHead): SeoIssue[] {
  const issues: (SeoIssue | false)[] = [
    head.title === '' && seoIssue('title-missing', 'serious', 'The page has no title', 'Add a unique title'),
    head.titles > 1 && seoIssue('title-multiple', 'moderate', 'The page has several titles', 'Keep one title element'),
    head.title.length > 70 &&
      seoIssue(
        'title-long',
        'minor',
        `The title has ${head.title.length} characters`,
        'Keep titles under 70',
        head.title,
      ),
    !head.description &&
      seoIssue('meta-description-missing', 'moderate', 'The page has no description', 'Add a meta description'),
    (head.description?.length ?? 0) > 320 &&
      seoIssue(
        'meta-description-long',
        'minor',
        'The description is very long',
        'Keep descriptions under 320 characters',
      ),
    head.canonicals.length === 0 &&
      seoIssue('canonical-missing', 'minor', 'The page has no canonical address', 'Add a link with rel="canonical"'),
    head.canonicals.length > 1 &&
      seoIssue(
        'canonical-multiple',
        'moderate',
        'The page has several canonical addresses',
        'Keep one link with rel="canonical"',
        head.canonicals.join(''),
      ),
    head.headings === 0 && seoIssue('h1-missing', 'moderate', 'The page has no main heading', 'Add one h1 element'),
    head.headings > 1 &&
      seoIssue('h1-multiple', 'minor', `The page has ${head.headings} main headings`, 'Keep one h1 element'),
    /\b(noindex|none)\b/i.test(head.robots) &&
      seoIssue(
        'robots-noindex',
        'serious',
        'The page asks search engines not to index it',
        'Remove noindex if the page should be found',
        head.robots,
      ),
    !head.viewport &&
      seoIssue('viewport-missing', 'moderate', 'The page has no viewport for small screens', 'Add a meta viewport'),
    head.lang === '' &&
      seoIssue('lang-missing', 'moderate', 'The page does not declare its language', 'Add lang to html'),
  ];
  return issues.filter((each) => each !== false);
}

function seoIssue(id: string, impact: string, description: string, help: string, html = ''): SeoIssue {
  return { id, impact, description, help, html };
}

export interface TitledPage extends PageIdentity {
  title: string;
  viewport: Viewport;
}

/** Rows for all pages that have the same title as an earlier page of their site. */
export function findDuplicateTitles(pages: readonly TitledPage[]): CsvRow[] {
  const first = new Map<string, string>();
  return pages.flatMap((page) => {
    if (page.title === '') return [];
    const other = first.get(page.title);
    if (other === undefined) {
      first.set(page.title, page.url);
      return [];
    }
    const description = `The page has the same title as ${other}`;
    const found = seoIssue('title-duplicate', 'moderate', description, 'Give each page a unique title', page.title);
    return [seoRow(standardColumns(page), page, found)];
  });
}

function seoRow(standard: CsvRow, page: PageIdentity & { viewport: Viewport }, found: SeoIssue): CsvRow {
  return issueRow(standard, {
    audit_type: TYPE,
    issue_id: issueId(page.siteUrl, found.id, `${page.url}${found.html}`, page.viewport),
    description: found.description,
    target: '',
    num_issues: 1,
    help: found.help,
    helpUrl: '',
    id: found.id,
    impact: found.impact,
    html: truncateCharacters(found.html, 100),
    tags: '[]',
    bestPractice: false,
  });
}
