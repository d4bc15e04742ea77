import type { Page } from 'playwright-core';
import { type VisibleTextTools, visibleTextTools } from '../../../platform/page/in-page/visible-text.ts';

/** What identifies a page, with all its frames, at low cost. */
interface PageIdentity {
  /** The document title and the main headings. */
  titles: string[];
  asksPassword: boolean;
  /** The start time of each document, which changes when a document is replaced. */
  documents: string;
}

/** The signs that distinguish an accepted submission from a rejected one. */
export interface PageSignals extends PageIdentity {
  lines: string[];
  /** The names of the buttons. */
  buttons: string[];
  /** The page has a field for input. */
  hasFields: boolean;
  /** The page has a field other than the search box of the site. */
  hasQuestions: boolean;
  /** Red texts above or among the fields. */
  redTexts: string[];
  /** Texts of visible and screen-reader elements which show that the page is busy. */
  busy: string[];
  /** The page redirects by itself. */
  isRedirecting: boolean;
}

const noIdentity: PageIdentity = { titles: [], asksPassword: false, documents: '' };
const noSignals: PageSignals = {
  ...noIdentity,
  lines: [],
  buttons: [],
  hasFields: false,
  hasQuestions: false,
  redTexts: [],
  busy: [],
  isRedirecting: false,
};

export async function readPageIdentity(page: Page): Promise<PageIdentity> {
  return mergeIdentities(await inFrames(page, `(${identityInPage})((${visibleTextTools})())`, noIdentity));
}

export async function readPageSignals(page: Page): Promise<PageSignals> {
  const seen = await inFrames(page, `(${signalsInPage})((${visibleTextTools})(), ${identityInPage})`, noSignals);
  return {
    ...mergeIdentities(seen),
    lines: seen.flatMap(({ lines }) => lines),
    buttons: seen.flatMap(({ buttons }) => buttons),
    hasFields: seen.some(({ hasFields }) => hasFields),
    hasQuestions: seen.some(({ hasQuestions }) => hasQuestions),
    redTexts: seen.flatMap(({ redTexts }) => redTexts),
    busy: seen.flatMap(({ busy }) => busy),
    isRedirecting: seen.some(({ isRedirecting }) => isRedirecting),
  };
}

function inFrames<Seen>(page: Page, script: string, otherwise: Seen): Promise<Seen[]> {
  const frames = page.frames().slice(0, 10);
  return Promise.all(frames.map((frame) => frame.evaluate<Seen>(script).catch(() => otherwise)));
}

function mergeIdentities(frames: readonly PageIdentity[]): PageIdentity {
  return {
    titles: frames.flatMap(({ titles }) => titles),
    asksPassword: frames.some(({ asksPassword }) => asksPassword),
    documents: frames.map(({ documents }) => documents).join(' '),
  };
}

/** Runs in the page. */
function identityInPage({ isSeen, saidBy }: VisibleTextTools): PageIdentity {
  const headings = [...document.querySelectorAll('h1')].filter(isSeen);
  const main = headings.length > 0 ? headings : [...document.querySelectorAll('h2')].filter(isSeen).slice(0, 1);
  return {
    titles: [document.title, ...main.slice(0, 10).map(saidBy)].filter(Boolean),
    asksPassword: [...document.querySelectorAll('input[type=password]')].some(isSeen),
    documents: String(performance.timeOrigin),
  };
}

/** Runs in the page, through open shadow roots. */
function signalsInPage(tools: VisibleTextTools, nameplate: typeof identityInPage): PageSignals {
  const { isSeen, linesOf, saidBy } = tools;
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots)
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) roots.push(element.shadowRoot);
  const all = (css: string) => roots.flatMap((root) => [...root.querySelectorAll(css)].filter(isSeen));
  const within = roots.slice(1).flatMap((root) => [...root.querySelectorAll(':host > *')].map(linesOf));
  const lines = [linesOf(document.body), ...within]
    .join('\n')
    .slice(0, 100_000)
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim());
  const isSearch = (control: Element) => control.closest('[role=search], search, form[action*="search"]') !== null;
  const fields = all('input:not([type=hidden],[type=submit],[type=button],[type=image],[type=reset]),select,textarea');
  const buttons = all('button,[role=button],input[type=submit],input[type=button]');
  const last = fields.findLast((field) => !isSearch(field));
  const isRed = (element: Element) => {
    const [red = 0, green = 0, blue = 0] = (getComputedStyle(element).color.match(/[\d.]+/g) ?? []).map(Number);
    return red >= 150 && red - Math.max(green, blue) >= 90;
  };
  const isBefore = (element: Element) =>
    last !== undefined && (element.compareDocumentPosition(last) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const isInForm = (element: Element) => last?.closest('form')?.contains(element) ?? false;
  const hasWords = (element: Element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /\p{L}{2}/u.test(node.nodeValue ?? ''));
  const texts = last ? [...document.querySelectorAll('p,div,span,strong,b,em,i,li,small,font,td')].slice(0, 2_000) : [];
  const reds = texts.filter(
    (element) => hasWords(element) && isRed(element) && (isBefore(element) || isInForm(element)) && isSeen(element),
  );
  const isTurning = (element: Element) =>
    [undefined, '::before', '::after'].some((part) => getComputedStyle(element, part).animationName !== 'none');
  const spinners = all('[class*=spinner i],[class*=loader i],[class*=loading i]').filter((element) =>
    [element, ...element.querySelectorAll('*')].slice(0, 10).some(isTurning),
  );
  const busy = [...all('[aria-busy=true],[role=progressbar]:not([aria-valuenow]),progress:not([value])'), ...spinners];
  const refreshes = [...document.querySelectorAll<HTMLMetaElement>('meta[http-equiv=refresh i]')];
  return {
    ...nameplate(tools),
    lines: [...new Set(lines)].filter(Boolean),
    buttons: buttons.slice(0, 100).map((one) => (one instanceof HTMLInputElement ? one.value : saidBy(one))),
    hasFields: fields.length > 0,
    hasQuestions: last !== undefined,
    redTexts: reds.slice(0, 50).map(saidBy),
    busy: busy.slice(0, 20).map((element) => `${element.localName} ${element.id} ${element.className}`),
    isRedirecting: refreshes.some((meta) => Number.parseFloat(meta.content) <= 30),
  };
}
