import { withTimeLimit } from '../time-limits.ts';
import { type Audit, standardColumns } from './audit.ts';
import { gradeReadability } from './readability.ts';

const MIN_SENTENCES = 10;
const MIN_WORDS = 200;

/** Computes the reading grade of English pages. Pages in other languages and short texts are skipped. */
export const languageAudit: Audit = {
  name: 'language_audit',
  async run(auditTarget) {
    const text = await withTimeLimit(
      auditTarget.scriptLimitMs,
      'reading the text',
      auditTarget.page.evaluate(mainTextInPage),
    );
    const grades = /^en(-|$)/i.test(text.lang) ? gradeReadability([auditTarget.title, ...text.blocks]) : undefined;
    if (!grades || grades.sentences < MIN_SENTENCES || grades.words < MIN_WORDS) return { rows: {}, issues: 0 };
    const row = {
      ...standardColumns(auditTarget),
      flesch_kincaid_gl: grades.fleschKincaid,
      num_sentences: grades.sentences,
      words_per_sentence: grades.wordsPerSentence,
      syllables_per_word: grades.syllablesPerWord,
      smog_gl: grades.smog,
      helpUrl: 'https://www.w3.org/WAI/WCAG22/Understanding/reading-level.html',
    };
    return { rows: { language_audit: [row] }, issues: 0 };
  },
};

/** Runs in the page: returns the paragraphs, list items and headings of the main content, without navigation, header and footer. */
function mainTextInPage(): { lang: string; blocks: string[] } {
  const around =
    'nav, header, footer, aside, [role="navigation"], [role="banner"], [role="contentinfo"], [aria-hidden="true"]';
  const root = document.querySelector('main, [role="main"], article') ?? document.body;
  const blocks: string[] = [];
  for (const block of root?.querySelectorAll('p, li, h1, h2, h3, h4, h5, h6') ?? []) {
    // Nested blocks are collected on their own.
    if (block.querySelector('p, li') || block.closest('table, svg, script, style')) continue;
    const edge = block.closest(around);
    if (edge && root?.contains(edge) && edge !== root) continue;
    const parts: string[] = [];
    const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node instanceof HTMLImageElement) parts.push(` ${node.alt} `);
      else if (node instanceof Text && !node.parentElement?.closest('svg, script, style')) parts.push(node.data);
    }
    const text = parts.join('').replace(/\s+/g, ' ').trim();
    if (text) blocks.push(text);
  }
  return { lang: document.documentElement.lang, blocks };
}
