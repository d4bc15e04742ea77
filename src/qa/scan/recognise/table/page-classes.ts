import { linkTarget, type PageFeatures } from '../../read/page-features.ts';
import type { PageLink } from '../../read/page-layout.ts';
import { isFileUrl, routePath } from '../../site-urls.ts';
import type { ClickTarget } from '../../use-case-evidence.ts';
import { moreEntriesButton } from '../../words/page-words.ts';
import { siteWords } from '../../words/site-words.ts';
import { assetPath, languageParameter, pageParameter, sortParameter } from '../../words/url-words.ts';
import { type PageClassRule, signalWhen } from '../class-rules.ts';

const pageSignal = (says: string, weight: number, test: (facts: PageFeatures) => boolean) =>
  signalWhen<PageFeatures>(says, weight, test);
const linkTargets = (facts: PageFeatures, test: (link: PageLink) => boolean): ClickTarget[] =>
  facts.links.filter(test).map((link) => linkTarget(facts.page, link));
const inMain = ({ place: region }: PageLink) => region === 'main';
const pathOf = (href: string) => {
  const url = URL.parse(href);
  return url ? routePath(url) : '';
};
const isSamePage = (facts: PageFeatures, href: string) => pathOf(href) === pathOf(facts.page.state.url);
const parameters = (href: string) => [...(URL.parse(href)?.searchParams.keys() ?? [])];

/** Link text without arrows around it. */
const withoutArrows = (text: string) => text.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '') || text;
const isNext = ({ text, rel }: PageLink) => /\bnext\b/.test(rel) || siteWords.forward.test(withoutArrows(text));
const isPrevious = ({ text, rel }: PageLink) => /\bprev/.test(rel) || siteWords.backward.test(withoutArrows(text));
const isPageLink = (link: PageLink) =>
  isNext(link) ||
  isPrevious(link) ||
  (/^\d{1,4}$/.test(link.text) && parameters(link.href).some((name) => pageParameter.test(name)));
const isDownload = ({ href, download }: PageLink) => {
  const url = URL.parse(href);
  return download || (url !== null && isFileUrl(url) && !assetPath.test(url.pathname));
};
const isLanguage = ({ language, text }: PageLink) => language !== '' || siteWords.language.test(text);
const isSortLink = (link: PageLink) => link.isColumn && parameters(link.href).some((name) => sortParameter.test(name));

/** Links to the same page with a sort parameter. */
function sortLinks(facts: PageFeatures): PageLink[] {
  return facts.links.filter(
    (link) =>
      inMain(link) && isSamePage(facts, link.href) && parameters(link.href).some((name) => sortParameter.test(name)),
  );
}

/** Links to the same page that differ in the value of one parameter. */
function filterLinks(facts: PageFeatures): PageLink[] {
  const own = facts.links.filter(
    (link) => inMain(link) && !link.isColumn && !isPageLink(link) && isSamePage(facts, link.href),
  );
  const names = Map.groupBy(
    own,
    ({ href }) =>
      parameters(href).find(
        (name) => !pageParameter.test(name) && !sortParameter.test(name) && !languageParameter.test(name),
      ) ?? '',
  );
  return [...names].find(([name, links]) => name !== '' && new Set(links.map(({ href }) => href)).size > 1)?.[1] ?? [];
}

/** Buttons below a list that load more entries. */
function moreButtons({ page, buttons }: PageFeatures): ClickTarget[] {
  const free = new Set(page.reading.controls.filter(({ form }) => form === null).map(({ name }) => name));
  const more = buttons.filter(({ name }) => free.has(name) && moreEntriesButton.test(name));
  return page.setting.links.filter(({ place: region, isItem }) => region === 'main' && isItem).length > 2 ? more : [];
}

const isOneRecord = ({ page }: PageFeatures) => page.state.template.endsWith(':id') && page.opened.length === 0;
const mainForms = ({ forms }: PageFeatures) =>
  forms.filter(({ place: region, shown }) => region === 'main' && shown.length > 0);

/** All page classes: use cases outside forms. */
export const pageClasses: readonly PageClassRule[] = [
  {
    class: 'pagination',
    title: 'Page through {things}',
    description: 'A visitor turns the pages of a list.',
    signals: [
      pageSignal('a link to the next page', 0.45, ({ links }) => links.some(isNext)),
      pageSignal(
        'links to numbered pages',
        0.25,
        ({ links }) => links.filter((link) => isPageLink(link) && /^\d+$/.test(link.text)).length > 0,
      ),
      pageSignal('a page number in the address', 0.25, ({ links }) =>
        links.some((link) => isPageLink(link) && parameters(link.href).some((name) => pageParameter.test(name))),
      ),
      pageSignal('a button that shows more', 0.65, (facts) => moreButtons(facts).length > 0),
      pageSignal('links that stay on this page', 0.1, (facts) =>
        facts.links.some((link) => isPageLink(link) && isSamePage(facts, link.href)),
      ),
    ],
    controls: (facts) => [...linkTargets(facts, isPageLink), ...moreButtons(facts)],
    acceptance: [['The next page shows other entries', 'No entry of the first page is on the second']],
    expected: [{ kind: 'list-changes', value: '', basis: 'usual' }],
  },
  {
    class: 'sort',
    title: 'Sort {things}',
    description: 'A visitor puts the list into another order.',
    signals: [
      pageSignal('heads of columns that are links to an order', 0.7, ({ links }) => links.some(isSortLink)),
      pageSignal('a table that says that it can be sorted', 0.4, ({ page }) =>
        page.setting.tables.some(({ sortable, rows }) => sortable && rows > 1),
      ),
      pageSignal('links to this page in several orders', 0.65, (facts) => sortLinks(facts).length > 1),
    ],
    controls: (facts) => linkTargets(facts, (link) => link.isColumn || sortLinks(facts).includes(link)),
    acceptance: [['The table is put into the order of the column', 'Its rows follow it']],
    expected: [{ kind: 'list-changes', value: '', basis: 'usual' }],
  },
  {
    class: 'filter',
    title: 'Narrow {things} by a choice',
    description: 'A visitor narrows the list by one of several links.',
    signals: [pageSignal('links to this page with different values', 0.65, (facts) => filterLinks(facts).length > 1)],
    controls: (facts) => filterLinks(facts).map((link) => linkTarget(facts.page, link)),
    acceptance: [['Only what fits is listed', 'Every entry satisfies the choice']],
    expected: [{ kind: 'list-changes', value: '', basis: 'usual' }],
  },
  {
    class: 'download',
    title: 'Download a file{: heading}',
    description: 'A visitor downloads a file.',
    signals: [pageSignal('links to files', 0.7, ({ links }) => links.some((link) => inMain(link) && isDownload(link)))],
    controls: (facts) => linkTargets(facts, (link) => inMain(link) && isDownload(link)),
    acceptance: [['The file can be downloaded', 'It arrives, is not empty, and is of its kind']],
    expected: [{ kind: 'download', value: '', basis: 'specified' }],
  },
  {
    class: 'language',
    everywhere: true,
    title: 'Change the language',
    description: 'A visitor reads the site in another language.',
    signals: [
      pageSignal(
        'links to other languages',
        0.7,
        ({ links }) => new Set(links.filter(isLanguage).map(({ href }) => href)).size > 1,
      ),
      pageSignal('a link to another language', 0.6, ({ links, page }) =>
        links.some(({ language }) => language !== '' && language !== page.reading.language),
      ),
    ],
    controls: (facts) => linkTargets(facts, isLanguage),
    acceptance: [['The page is in the chosen language', 'Its texts and its language attribute change']],
    expected: [{ kind: 'language', value: '', basis: 'specified' }],
  },
  {
    class: 'faq',
    title: 'Look up an answer to a frequent question',
    description: 'A visitor opens a question and reads its answer.',
    signals: [
      pageSignal('several parts that open on a click', 0.4, ({ page }) => page.setting.disclosures.length > 1),
      pageSignal('questions', 0.2, ({ page }) => page.setting.disclosures.some((name) => name.endsWith('?'))),
      pageSignal('a page about questions or help', 0.2, ({ words: text }) => siteWords.faq.test(text)),
    ],
    controls: ({ page }) =>
      page.reading.controls
        .filter(({ name }) => page.setting.disclosures.includes(name))
        .map(({ name, role, kind, href, ladder }) => ({ name, role, kind, href, ladder })),
    acceptance: [['A question opens', 'Its answer can be read']],
    expected: [{ kind: 'control-shown', value: '', basis: 'specified' }],
  },
  {
    class: 'consent',
    everywhere: true,
    title: 'Decide about cookies',
    description: 'A visitor accepts or refuses cookies, and is not asked again.',
    signals: [
      pageSignal(
        'buttons to accept and to refuse',
        0.4,
        ({ buttons }) => buttons.filter(({ name }) => siteWords.accept.test(name)).length > 1,
      ),
      pageSignal('a button to accept', 0.15, ({ buttons }) => buttons.some(({ name }) => siteWords.accept.test(name))),
      pageSignal('words about cookies', 0.25, ({ page }) => siteWords.consent.test(page.setting.text)),
    ],
    controls: ({ buttons }) => buttons.filter(({ name }) => siteWords.accept.test(name)),
    acceptance: [['The question disappears after the answer', 'It does not come back on the next page']],
    expected: [{ kind: 'text-gone', value: 'cookies', basis: 'usual' }],
  },
  {
    class: 'logout',
    everywhere: true,
    title: 'Log out',
    description: 'A user who is logged in ends their session.',
    signals: [
      pageSignal('a link to log out', 0.8, ({ links }) => links.some(({ text }) => siteWords.logout.test(text))),
      pageSignal('a button to log out, outside of forms', 0.8, ({ page }) =>
        page.reading.controls.some(
          ({ kind, form, name, visible }) =>
            visible && kind === 'button' && form === null && siteWords.logout.test(name),
        ),
      ),
      pageSignal('pages behind a login', 0.1, ({ page }) => page.behindLogin),
    ],
    controls: (facts) => [
      ...linkTargets(facts, ({ text }) => siteWords.logout.test(text)),
      ...facts.buttons.filter(({ name }) => siteWords.logout.test(name)),
    ],
    acceptance: [['The session ends', 'Pages behind the login are out of reach afterwards']],
    expected: [{ kind: 'url-changes', value: '', basis: 'usual' }],
  },
  {
    class: 'delete',
    title: 'Delete {a thing}',
    description: 'A user takes a record away.',
    signals: [
      pageSignal(
        'a link or a button to delete, outside of forms',
        0.65,
        ({ links, page }) =>
          links.some((link) => inMain(link) && siteWords.remove.test(link.text)) ||
          page.reading.controls.some(
            ({ kind, form, name, visible }) =>
              visible && kind === 'button' && form === null && siteWords.remove.test(name),
          ),
      ),
    ],
    controls: (facts) => [
      ...linkTargets(facts, ({ text }) => siteWords.remove.test(text)),
      ...facts.buttons.filter(({ name }) => siteWords.remove.test(name)),
    ],
    acceptance: [['The record no longer exists afterwards', 'It is no longer listed']],
    expected: [{ kind: 'text-gone', value: '', basis: 'usual' }],
  },
  {
    class: 'view',
    title: 'Look at {a thing}',
    description: 'A visitor opens one entry of a list and reads it.',
    signals: [
      pageSignal(
        'a page of which there are several, one for each entry of a list',
        0.65,
        (facts) => isOneRecord(facts) && facts.page.state.seen > 1,
      ),
      pageSignal('a heading', 0.1, ({ page }) => page.state.heading !== ''),
      pageSignal(
        'a page that is only a form to change it',
        -0.5,
        (facts) =>
          isOneRecord(facts) &&
          mainForms(facts).some(
            ({ form, submitWords }) =>
              form.method === 'post' && siteWords.save.test(submitWords) && !/(add|cart)/i.test(submitWords),
          ),
      ),
    ],
    controls: () => [],
    acceptance: [['The entry of the list leads to its own page', 'Name and details are those of the entry']],
    expected: [{ kind: 'text-appears', value: '', basis: 'observed' }],
  },
  {
    class: 'view',
    title: 'Look at {things} of the past',
    description: 'A user looks at what they did before.',
    signals: [
      pageSignal('a page about orders, invoices or a history', 0.4, ({ page }) =>
        siteWords.history.test(page.state.heading),
      ),
      pageSignal(
        'a table or a list of them',
        0.2,
        ({ page, links }) =>
          page.setting.entries > 0 || links.some(({ isItem, place: region }) => isItem && region === 'main'),
      ),
      pageSignal('pages behind a login', 0.1, ({ page }) => page.behindLogin),
      pageSignal('a way to search or to change them', -0.3, (facts) => mainForms(facts).length > 0),
      pageSignal('the page of one of them', -0.5, isOneRecord),
    ],
    controls: (facts) => linkTargets(facts, ({ isItem, place: region }) => isItem && region === 'main'),
    acceptance: [['What was done before is listed', 'Each entry leads to its details']],
    expected: [{ kind: 'text-appears', value: '', basis: 'observed' }],
  },
  {
    class: 'dashboard',
    title: 'See the key figures',
    description: 'A user gets an overview of the current state.',
    signals: [
      pageSignal('a page that is called an overview', 0.45, ({ page }) => siteWords.dashboard.test(page.state.heading)),
      pageSignal('numbers with a heading', 0.25, ({ page }) => page.setting.figures > 1),
      pageSignal('pages behind a login', 0.1, ({ page }) => page.behindLogin),
    ],
    controls: () => [],
    acceptance: [['The figures are shown', 'They agree with the lists behind them']],
    expected: [{ kind: 'text-appears', value: '', basis: 'observed' }],
  },
  {
    class: 'navigation',
    everywhere: true,
    title: 'Find the way through the main menu',
    description: 'A visitor reaches the main parts of the site by its menu.',
    signals: [
      pageSignal(
        'a menu of at least three links',
        0.65,
        ({ links }) => new Set(links.filter(isMenu).map(({ href }) => href)).size > 2,
      ),
      pageSignal('a landmark for navigation', 0.1, ({ page }) =>
        page.reading.landmarks.some(({ role }) => role === 'navigation'),
      ),
    ],
    controls: (facts) => linkTargets(facts, isMenu),
    acceptance: [['Every entry of the menu leads to its page', 'The page answers, and its heading fits']],
    expected: [{ kind: 'url-changes', value: '', basis: 'specified' }],
  },
];

function isMenu(link: PageLink): boolean {
  return (link.place === 'nav' || link.place === 'header') && !isLanguage(link) && !isPageLink(link);
}
