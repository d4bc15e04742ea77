import { isFile, routeOf } from '../addresses.ts';
import type { Clickable } from '../evidence.ts';
import { linkControl, type PageFacts } from '../facts.ts';
import { type PageClass, when } from '../model.ts';
import type { LinkFacts } from '../setting.ts';
import { words } from '../words.ts';

const seen = (says: string, weight: number, test: (facts: PageFacts) => boolean) => when<PageFacts>(says, weight, test);
const linksOf = (facts: PageFacts, test: (link: LinkFacts) => boolean): Clickable[] =>
  facts.links.filter(test).map((link) => linkControl(facts.page, link));
const inMain = ({ place }: LinkFacts) => place === 'main';
const pathOf = (href: string) => {
  const url = URL.parse(href);
  return url ? routeOf(url) : '';
};
const isHere = (facts: PageFacts, href: string) => pathOf(href) === pathOf(facts.page.state.url);
const parameters = (href: string) => [...(URL.parse(href)?.searchParams.keys() ?? [])];
const pageParameter = /^(page|p|seite|pagina|página|offset|start|from|pg|paged|cursor)$/i;
const sortParameter = /^(sort\w*|order(by)?|dir|direction|tri|orden)$/i;

/** Without the arrows that stand beside the words. */
const bare = (text: string) => text.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '') || text;
const isNext = ({ text, rel }: LinkFacts) => /\bnext\b/.test(rel) || words.forward.test(bare(text));
const isPrevious = ({ text, rel }: LinkFacts) => /\bprev/.test(rel) || words.backward.test(bare(text));
const isPageLink = (link: LinkFacts) =>
  isNext(link) ||
  isPrevious(link) ||
  (/^\d{1,4}$/.test(link.text) && parameters(link.href).some((name) => pageParameter.test(name)));
const isDownload = ({ href, download }: LinkFacts) => {
  const url = URL.parse(href);
  return (
    download ||
    (url !== null && isFile(url) && !/\.(xml|rss|ico|css|js|svg|png|jpe?g|gif|webp|json|txt)$/i.test(url.pathname))
  );
};
const isLanguage = ({ language, text }: LinkFacts) => language !== '' || words.language.test(text);
const isSortLink = (link: LinkFacts) => link.isColumn && parameters(link.href).some((name) => sortParameter.test(name));

/** Links to this very page that put its list into another order. */
function sortLinks(facts: PageFacts): LinkFacts[] {
  return facts.links.filter(
    (link) =>
      inMain(link) && isHere(facts, link.href) && parameters(link.href).some((name) => sortParameter.test(name)),
  );
}

/** Links to this very page that differ in the value of one parameter: a choice among a few. */
function chips(facts: PageFacts): LinkFacts[] {
  const own = facts.links.filter(
    (link) => inMain(link) && !link.isColumn && !isPageLink(link) && isHere(facts, link.href),
  );
  const names = Map.groupBy(
    own,
    ({ href }) =>
      parameters(href).find((name) => !pageParameter.test(name) && !sortParameter.test(name) && !/^lang/i.test(name)) ??
      '',
  );
  return [...names].find(([name, links]) => name !== '' && new Set(links.map(({ href }) => href)).size > 1)?.[1] ?? [];
}

/** Below a list, and not the step of a form. */
function moreButtons({ page, buttons }: PageFacts): Clickable[] {
  const free = new Set(page.reading.controls.filter(({ form }) => form === null).map(({ name }) => name));
  const more = buttons.filter(({ name }) => free.has(name) && /^(load|show|see|view) (more|older)\b/i.test(name));
  return page.setting.links.filter(({ place, isItem }) => place === 'main' && isItem).length > 2 ? more : [];
}

const isOneRecord = ({ page }: PageFacts) => page.state.template.endsWith(':id') && page.opened.length === 0;
const mainForms = ({ forms }: PageFacts) => forms.filter(({ place, shown }) => place === 'main' && shown.length > 0);

/** What pages offer beside their forms. */
export const pageClasses: readonly PageClass[] = [
  {
    class: 'pagination',
    title: 'Page through {things}',
    description: 'A visitor turns the pages of a list.',
    signals: [
      seen('a link to the next page', 0.45, ({ links }) => links.some(isNext)),
      seen(
        'links to numbered pages',
        0.25,
        ({ links }) => links.filter((link) => isPageLink(link) && /^\d+$/.test(link.text)).length > 0,
      ),
      seen('a page number in the address', 0.25, ({ links }) =>
        links.some((link) => isPageLink(link) && parameters(link.href).some((name) => pageParameter.test(name))),
      ),
      seen('a button that shows more', 0.65, (facts) => moreButtons(facts).length > 0),
      seen('links that stay on this page', 0.1, (facts) =>
        facts.links.some((link) => isPageLink(link) && isHere(facts, link.href)),
      ),
    ],
    controls: (facts) => [...linksOf(facts, isPageLink), ...moreButtons(facts)],
    accepts: [['The next page shows other entries', 'No entry of the first page is on the second']],
    expected: [{ kind: 'list-changes', value: '', basis: 'usual' }],
  },
  {
    class: 'sort',
    title: 'Sort {things}',
    description: 'Somebody puts the list into another order.',
    signals: [
      seen('heads of columns that are links to an order', 0.7, ({ links }) => links.some(isSortLink)),
      seen('a table that says that it can be sorted', 0.4, ({ page }) =>
        page.setting.tables.some(({ sortable, rows }) => sortable && rows > 1),
      ),
      seen('links to this page in several orders', 0.65, (facts) => sortLinks(facts).length > 1),
    ],
    controls: (facts) => linksOf(facts, (link) => link.isColumn || sortLinks(facts).includes(link)),
    accepts: [['The table is put into the order of the column', 'Its rows follow it']],
    expected: [{ kind: 'list-changes', value: '', basis: 'usual' }],
  },
  {
    class: 'filter',
    title: 'Narrow {things} by a choice',
    description: 'A visitor narrows the list by one of several links.',
    signals: [seen('links to this page with different values', 0.65, (facts) => chips(facts).length > 1)],
    controls: (facts) => chips(facts).map((link) => linkControl(facts.page, link)),
    accepts: [['Only what fits is listed', 'Every entry satisfies the choice']],
    expected: [{ kind: 'list-changes', value: '', basis: 'usual' }],
  },
  {
    class: 'download',
    title: 'Download a file{: heading}',
    description: 'A visitor downloads a file.',
    signals: [seen('links to files', 0.7, ({ links }) => links.some((link) => inMain(link) && isDownload(link)))],
    controls: (facts) => linksOf(facts, (link) => inMain(link) && isDownload(link)),
    accepts: [['The file can be downloaded', 'It arrives, is not empty, and is of its kind']],
    expected: [{ kind: 'download', value: '', basis: 'specified' }],
  },
  {
    class: 'language',
    everywhere: true,
    title: 'Change the language',
    description: 'A visitor reads the site in another language.',
    signals: [
      seen(
        'links to other languages',
        0.7,
        ({ links }) => new Set(links.filter(isLanguage).map(({ href }) => href)).size > 1,
      ),
      seen('a link to another language', 0.6, ({ links, page }) =>
        links.some(({ language }) => language !== '' && language !== page.reading.language),
      ),
    ],
    controls: (facts) => linksOf(facts, isLanguage),
    accepts: [['The page is in the chosen language', 'Its texts and its language attribute change']],
    expected: [{ kind: 'language', value: '', basis: 'specified' }],
  },
  {
    class: 'faq',
    title: 'Look up an answer to a frequent question',
    description: 'A visitor opens a question and reads its answer.',
    signals: [
      seen('several parts that open on a click', 0.4, ({ page }) => page.setting.disclosures.length > 1),
      seen('questions', 0.2, ({ page }) => page.setting.disclosures.some((name) => name.endsWith('?'))),
      seen('a page about questions or help', 0.2, ({ words: text }) => words.faq.test(text)),
    ],
    controls: ({ page }) =>
      page.reading.controls
        .filter(({ name }) => page.setting.disclosures.includes(name))
        .map(({ name, role, kind, href, ladder }) => ({ name, role, kind, href, ladder })),
    accepts: [['A question opens', 'Its answer can be read']],
    expected: [{ kind: 'control-shown', value: '', basis: 'specified' }],
  },
  {
    class: 'consent',
    everywhere: true,
    title: 'Decide about cookies',
    description: 'A visitor accepts or refuses cookies, and is not asked again.',
    signals: [
      seen(
        'buttons to accept and to refuse',
        0.4,
        ({ buttons }) => buttons.filter(({ name }) => words.accept.test(name)).length > 1,
      ),
      seen('a button to accept', 0.15, ({ buttons }) => buttons.some(({ name }) => words.accept.test(name))),
      seen('words about cookies', 0.25, ({ page }) => words.consent.test(page.setting.text)),
    ],
    controls: ({ buttons }) => buttons.filter(({ name }) => words.accept.test(name)),
    accepts: [['The question is gone after the answer', 'It does not come back on the next page']],
    expected: [{ kind: 'text-gone', value: 'cookies', basis: 'usual' }],
  },
  {
    class: 'logout',
    everywhere: true,
    title: 'Log out',
    description: 'A user who is logged in ends their session.',
    signals: [
      seen('a link to log out', 0.8, ({ links }) => links.some(({ text }) => words.logout.test(text))),
      seen('a button to log out, outside of forms', 0.8, ({ page }) =>
        page.reading.controls.some(
          ({ kind, form, name, visible }) => visible && kind === 'button' && form === null && words.logout.test(name),
        ),
      ),
      seen('pages behind a login', 0.1, ({ page }) => page.behindLogin),
    ],
    controls: (facts) => [
      ...linksOf(facts, ({ text }) => words.logout.test(text)),
      ...facts.buttons.filter(({ name }) => words.logout.test(name)),
    ],
    accepts: [['The session ends', 'Pages behind the login are out of reach afterwards']],
    expected: [{ kind: 'url-changes', value: '', basis: 'usual' }],
  },
  {
    class: 'delete',
    title: 'Delete {a thing}',
    description: 'A user takes a record away.',
    signals: [
      seen(
        'a link or a button to delete, outside of forms',
        0.65,
        ({ links, page }) =>
          links.some((link) => inMain(link) && words.remove.test(link.text)) ||
          page.reading.controls.some(
            ({ kind, form, name, visible }) => visible && kind === 'button' && form === null && words.remove.test(name),
          ),
      ),
    ],
    controls: (facts) => [
      ...linksOf(facts, ({ text }) => words.remove.test(text)),
      ...facts.buttons.filter(({ name }) => words.remove.test(name)),
    ],
    accepts: [['The record is gone afterwards', 'It is no longer listed']],
    expected: [{ kind: 'text-gone', value: '', basis: 'usual' }],
  },
  {
    class: 'view',
    title: 'Look at {a thing}',
    description: 'Somebody opens one entry of a list and reads it.',
    signals: [
      seen(
        'a page of which there are several, one for each entry of a list',
        0.65,
        (facts) => isOneRecord(facts) && facts.page.state.seen > 1,
      ),
      seen('a heading', 0.1, ({ page }) => page.state.heading !== ''),
      seen(
        'a page that is only a form to change it',
        -0.5,
        (facts) =>
          isOneRecord(facts) &&
          mainForms(facts).some(
            ({ form, submitWords }) =>
              form.method === 'post' && words.save.test(submitWords) && !/(add|cart)/i.test(submitWords),
          ),
      ),
    ],
    controls: () => [],
    accepts: [['The entry of the list leads to its own page', 'Name and details are those of the entry']],
    expected: [{ kind: 'text-appears', value: '', basis: 'observed' }],
  },
  {
    class: 'view',
    title: 'Look at {things} of the past',
    description: 'A user looks at what they did before.',
    signals: [
      seen('a page about orders, invoices or a history', 0.4, ({ page }) => words.history.test(page.state.heading)),
      seen(
        'a table or a list of them',
        0.2,
        ({ page, links }) => page.setting.entries > 0 || links.some(({ isItem, place }) => isItem && place === 'main'),
      ),
      seen('pages behind a login', 0.1, ({ page }) => page.behindLogin),
      seen('a way to search or to change them', -0.3, (facts) => mainForms(facts).length > 0),
      seen('the page of one of them', -0.5, isOneRecord),
    ],
    controls: (facts) => linksOf(facts, ({ isItem, place }) => isItem && place === 'main'),
    accepts: [['What was done before is listed', 'Each entry leads to its details']],
    expected: [{ kind: 'text-appears', value: '', basis: 'observed' }],
  },
  {
    class: 'dashboard',
    title: 'See the key figures',
    description: 'A user sees at a glance how things stand.',
    signals: [
      seen('a page that is called an overview', 0.45, ({ page }) => words.dashboard.test(page.state.heading)),
      seen('numbers with a heading', 0.25, ({ page }) => page.setting.figures > 1),
      seen('pages behind a login', 0.1, ({ page }) => page.behindLogin),
    ],
    controls: () => [],
    accepts: [['The figures are shown', 'They agree with the lists behind them']],
    expected: [{ kind: 'text-appears', value: '', basis: 'observed' }],
  },
  {
    class: 'navigation',
    everywhere: true,
    title: 'Find the way through the main menu',
    description: 'A visitor reaches the main parts of the site by its menu.',
    signals: [
      seen(
        'a menu of at least three links',
        0.65,
        ({ links }) => new Set(links.filter(isMenu).map(({ href }) => href)).size > 2,
      ),
      seen('a landmark for navigation', 0.1, ({ page }) =>
        page.reading.landmarks.some(({ role }) => role === 'navigation'),
      ),
    ],
    controls: (facts) => linksOf(facts, isMenu),
    accepts: [['Every entry of the menu leads to its page', 'The page answers, and its heading fits']],
    expected: [{ kind: 'url-changes', value: '', basis: 'specified' }],
  },
];

function isMenu(link: LinkFacts): boolean {
  return (link.place === 'nav' || link.place === 'header') && !isLanguage(link) && !isPageLink(link);
}
