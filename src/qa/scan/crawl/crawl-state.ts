import * as z from 'zod';
import type { RecordedPage } from '../read/page-features.ts';
import type { PageLink } from '../read/page-layout.ts';
import { isFileUrl, isRepeatingPath, isSafeLink, normaliseUrl, routePath, scanPageKey } from '../site-urls.ts';
import { type ClickTarget, type SignIn, signInEvidence } from '../use-case-evidence.ts';
import { siteWords } from '../words/site-words.ts';
import { createPageStates, type PageStates, pageStatesRecord } from './page-states.ts';
import type { ScannedPage } from './scan-tab.ts';

export const crawlLimits = z.object({ pages: z.number(), depth: z.number(), seconds: z.number() });
export type CrawlLimits = z.output<typeof crawlLimits>;

const queuedUrl = z.object({
  url: z.string(),
  depth: z.number(),
  /** The link is an entry of a list. */
  listed: z.boolean(),
  /** Its words match a requirement. */
  wanted: z.boolean().default(false),
  /** Visited although its page state is covered: a page of the signed-in user, such as their profile. */
  own: z.boolean().default(false),
  nth: z.number(),
});
type QueuedUrl = z.output<typeof queuedUrl>;

const recordedPage = z.custom<RecordedPage>(
  (value) => typeof value === 'object' && value !== null && 'reading' in value,
);

/** Checkpoint from which another worker resumes a crawl. Holds no secret values. */
export const crawlRecord = z.object({
  version: z.literal(1),
  /** Seconds that earlier attempts used. */
  seconds: z.number(),
  visits: z.number(),
  queue: z.array(queuedUrl),
  /** Keys of all queued URLs, before and after the sign-in. */
  met: z.array(z.string()),
  metInside: z.array(z.string()),
  states: pageStatesRecord,
  pages: z.array(recordedPage),
  notes: z.array(z.string()),
  signIn: signInEvidence.nullable(),
  /** The sign-in was attempted, or is not allowed. */
  loginDone: z.boolean(),
  relogins: z.number(),
  /** The sitemap was read. */
  seeded: z.boolean().default(false),
  archived: z.boolean(),
});
export type CrawlRecord = z.output<typeof crawlRecord>;

export function emptyCrawl(): CrawlRecord {
  return {
    version: 1,
    ...{ seconds: 0, visits: 0, queue: [], met: [], metInside: [], pages: [], notes: [] },
    states: { states: [], variants: {} },
    ...{ signIn: null, loginDone: false, relogins: 0, seeded: false, archived: false },
  };
}

interface RecordingDetails {
  template: string;
  opened: ClickTarget[];
  artifactId: string | null;
}

const MOST_NOTES = 50;
const MOST_QUEUED = 2_000;

/** Holds the queue and the recorded pages of a crawl. Knows no browser. */
export function createCrawl(
  record: CrawlRecord,
  origin: string,
  { depth: deepest }: Pick<CrawlLimits, 'depth'>,
  isWanted: (words: string) => boolean = () => false,
) {
  const states: PageStates = createPageStates(record.states);
  const met = new Set(record.met);
  const metInside = new Set(record.metInside);
  let { queue, signIn: signedIn } = record;

  function add(
    url: URL,
    { depth, listed, wanted = false, own = false }: Pick<QueuedUrl, 'depth' | 'listed'> & Partial<QueuedUrl>,
  ): void {
    const known = signedIn ? metInside : met;
    const key = scanPageKey(url);
    if (known.has(key) || depth > deepest || queue.length >= MOST_QUEUED) return;
    known.add(key);
    queue.push({ url: url.href, depth, listed, wanted, own, nth: known.size });
  }

  function asPage(look: ScannedPage, circumstances: RecordingDetails): RecordedPage {
    const { reading, setting, url } = look;
    const { template, opened, artifactId } = circumstances;
    return {
      state: { template, url, title: reading.title, heading: headingOf(look), seen: 1 },
      ...{ reading, setting, opened, artifactId },
      behindLogin: signedIn !== null,
    };
  }

  function note(text: string): void {
    if (record.notes.length < MOST_NOTES && !record.notes.includes(text)) record.notes.push(text);
  }

  /** Queues the links of a page, except links that leave the site, change something or repeat endlessly. */
  function follow(links: readonly PageLink[], from: string, depth: number): void {
    for (const link of links) {
      const { href, text, place: region, rel, download, isItem } = link;
      const url = normaliseUrl(href, from);
      // A language link shows the same site again, and its choice would persist on later pages.
      if (isLanguageLink(link)) continue;
      if (!url || url.origin !== origin || download || isFileUrl(url)) continue;
      const listed = isItem && (region === 'main' || region === 'aside');
      if (!isSafeLink(url, text))
        note(`Not followed, since it might change something: ${routePath(url)} (“${text.slice(0, 60)}”).`);
      else if (isRepeatingPath(url)) note(`Not followed, since it repeats itself: ${routePath(url).slice(0, 120)}.`);
      else if (!/\bnofollow\b/.test(rel)) {
        states.meet(url, listed);
        const own = signedIn !== null && (region === 'header' || region === 'nav') && !met.has(scanPageKey(url));
        add(url, { depth: depth + 1, listed, own, wanted: isWanted(`${text} ${url.pathname}`) });
      }
    }
  }

  return {
    record,
    states,
    add,
    note,
    signIn: () => signedIn,
    pages: () => record.pages,

    /** Returns the next page to visit: required pages first, then near ones, sections before list entries. */
    next(): QueuedUrl | undefined {
      queue.sort(
        (a, b) =>
          Number(b.wanted) - Number(a.wanted) ||
          a.depth - b.depth ||
          Number(a.listed) - Number(b.listed) ||
          a.nth - b.nth,
      );
      while (queue.length > 0) {
        const item = queue.shift();
        const url = item && URL.parse(item.url);
        if (item && url && (item.own || !states.isCovered(url))) return item;
      }
      return undefined;
    },

    left: () => queue.length,

    follow,

    /** Chooses a language, English if possible, on a first page that links to nothing else. */
    chooseLanguage(links: readonly PageLink[], from: string): void {
      const choices = links.filter(isLanguageLink);
      const chosen = choices.find(({ href, language, text }) => /^en\b|english/i.test(language || text || href));
      const link = chosen ?? choices[0];
      if (link) follow([{ ...link, language: '', text: '' }], from, 0);
    },

    asPage,

    /** Records a page that shows something new. */
    keep(look: ScannedPage, circumstances: RecordingDetails): RecordedPage {
      const page = asPage(look, circumstances);
      record.pages.push(page);
      return page;
    },

    /** Continues as a signed-in user: visits one page of each known state again. */
    enter(how: SignIn, loginTemplate: string): void {
      signedIn = how;
      record.signIn = how;
      queue = [];
      const examples = new Map(
        record.pages.filter(({ opened }) => opened.length === 0).map(({ state }) => [state.template, state.url]),
      );
      for (const [template, url] of examples) {
        const parsed = normaliseUrl(url);
        if (parsed && template !== loginTemplate && url !== how.landedOn.url)
          add(parsed, { depth: 1, listed: false, own: true });
      }
    },

    /** All recorded pages, with their current templates: more may be known than when they were recorded. */
    settledPages(): RecordedPage[] {
      return record.pages.map((page) => {
        const url = URL.parse(page.state.url);
        const template = url ? states.templateFor(url) : page.state.template;
        return { ...page, state: { ...page.state, template, seen: states.seen(template) } };
      });
    },

    toRecord(seconds: number): CrawlRecord {
      return { ...record, queue, seconds, met: [...met], metInside: [...metInside], states: states.toRecord() };
    },
  };
}

export type Crawl = ReturnType<typeof createCrawl>;

function isLanguageLink({ language, text }: PageLink): boolean {
  return language !== '' || siteWords.language.test(text);
}

function headingOf({ reading: { headings, title } }: ScannedPage): string {
  const [first] = headings.toSorted((a, b) => a.level - b.level);
  return (first?.text ?? title).slice(0, 200);
}
