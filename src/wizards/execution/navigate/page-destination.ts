import type { Frame, Locator, Page, Request } from 'playwright-core';
import { statesThat } from '../../../page/outcome/page-statements.ts';
import { locateRung } from '../../../platform/page/locate/element-finder.ts';
import { rungToSelector } from '../../../platform/page/locate/rung-selector.ts';
import type { Rung } from '../../../platform/page/page-model.ts';
import { waitForChange } from '../../../platform/page/settle/settle.ts';
import { phrasesOf } from '../../../platform/text/phrase-table.ts';
import { matchesWildcard } from '../../../platform/text/wildcard.ts';
import { visibilityConditions } from '../../files/field-traits.ts';
import type { WizardPage } from '../../files/wizard-schema.ts';
import { foldText } from '../../validation/read-values.ts';
import { isFieldAsked } from '../../validation/visibility.ts';
import { signInFieldName } from '../../vocabulary/field-labels.ts';
import { ladderOf } from '../fill/page-controls.ts';
import { readPageIdentity, readPageSignals } from '../outcome/page-signals.ts';
import type { WizardRun } from '../run/wizard-run.ts';

/** The expected page after a click. What the page showed before the click does not count. */
export interface Destination {
  name: string;
  /** Resolves to true as soon as the destination appears, and to false at the limit or when the signal aborts. */
  waitUntilThere(limitMs: number, signal: AbortSignal): Promise<boolean>;
  isThere(): Promise<boolean>;
  /** The reason why the last check did not accept the page; texts of the page are quoted. */
  objection?(): string | undefined;
  /** The address of the destination is open, so the page is at that address even if it is not recognized. */
  isOpen?(): boolean;
}

export const RESULTS_DESTINATION = 'the results';

/** A page of the wizard, recognized by its first fields, else by its address or its heading. */
export async function pageDestination(run: WizardRun, page: WizardPage): Promise<Destination> {
  const before = run.page();
  const addressBefore = before.url();
  const marks = pageMarkers(page);
  // The polling uses only cheap locators; a settled page is also searched by name.
  const quick = (at: Page) => anyLocator(at, marks.filter(isCheapRung), 4);
  const named = (at: Page) =>
    anyLocator(
      at,
      marks.filter((rung) => !isCheapRung(rung)),
    );
  // A search on a page that was not opened yet takes long and finds nothing.
  const known = addressBefore === 'about:blank' ? undefined : quick(before);
  const wasThere = known ? (await known.count()) > 0 : false;
  const wasVisible = wasThere && known ? await known.first().isVisible() : false;
  const state = wasThere ? ('visible' as const) : ('attached' as const);
  const documentsBefore = wasVisible ? (await readPageIdentity(before)).documents : '';

  /** Whether the earlier page was replaced. An element with the same name on both pages does not distinguish them. */
  async function hasLeft(at: Page): Promise<boolean> {
    const current = run.stored.wizard.pages.find(({ page_number }) => page_number === run.pageNumber);
    if (!current || current === page) return true;
    const old = anyLocator(at, markersOnlyOn(current, page));
    if (old) return (await old.count()) === 0;
    return !wasVisible || (await readPageIdentity(at)).documents !== documentsBefore;
  }
  const isOpen = () => run.page().url() !== addressBefore && matchesAddress(run.page().url(), page.url_pattern);
  async function isThere(): Promise<boolean> {
    const at = run.page();
    const mark = wasVisible ? undefined : quick(at);
    if (mark && (await mark.count()) > 0 && (state === 'attached' || (await mark.first().isVisible())))
      return isExpectedPage(at, page);
    if ((run.documentStatus() ?? 200) >= 400 || !(await hasLeft(at))) return false;
    if (isOpen()) return (await isExpectedPage(at, page)) && isRecognizedPage(run, at, page);
    const others = named(at);
    if (others && (await others.count()) > 0) return isExpectedPage(at, page);
    if (others && !wasVisible) return false;
    if (mark || (await at.getByRole('heading', { name: page.page_title }).count()) === 0) return false;
    // The address may have changed during the check.
    return !isOpen() || isRecognizedPage(run, at, page);
  }
  return {
    name: `page ${page.page_number} "${page.page_title}"`,
    isThere,
    isOpen,
    async waitUntilThere(limitMs, signal) {
      const mark = wasVisible ? undefined : quick(run.page());
      if (!mark) {
        if (named(run.page())) await waitForElement(run, () => named(run.page()), 'attached', limitMs, signal);
        return waitForCondition(run, isThere, limitMs, signal);
      }
      if (!(await waitForElement(run, () => quick(run.page()), state, limitMs, signal))) return false;
      return (await isExpectedPage(run.page(), page)) || waitForCondition(run, isThere, limitMs, signal);
    },
  };
}

/**
 * A sign-in page may have a field with the right name. If the address differs from the file, the page needs the right
 * heading or all required fields. A page that asks the user to sign in is never a page of the form.
 */
async function isExpectedPage(at: Page, page: WizardPage): Promise<boolean> {
  const pattern = page.url_pattern ?? '';
  // A handwritten file may have any text in `url_pattern`.
  const isElsewhere = /^(?:https?:|\/|\*|\{base_url\})/.test(pattern) && !isSamePath(at.url(), pattern);
  if (!isElsewhere && !couldBeSignIn(page)) return true;
  const { titles, asksPassword } = await readPageIdentity(at);
  const isCalled = titles.some((title) => foldText(title).includes(foldText(page.page_title)));
  if (!isCalled && titles.some((title) => statesThat(title, 'signing')) && !statesThat(page.page_title, 'signing'))
    return false;
  if (!isElsewhere || isCalled) return true;
  const required = page.fields.filter((field) => field.required && visibilityConditions(field).length === 0);
  if (required.length < 2 || (asksPassword && !/passw/i.test(JSON.stringify(page.fields)))) return false;
  const counts = required.slice(0, 5).map((field) => anyLocator(at, pageMarkers({ fields: [field] })));
  const found = await Promise.all(counts.map(async (locator) => ((await locator?.count()) ?? 0) > 0));
  return found.every(Boolean);
}

/**
 * A field that the run fills in proves that the page is the right one. If the run fills in no field, it would click a
 * button on the evidence of an address. Such a page needs the title of the file, or one of its fields.
 */
async function isRecognizedPage(run: WizardRun, at: Page, page: WizardPage): Promise<boolean> {
  if (page.fields.some((field) => run.answers.has(field.field_id) && isFieldAsked(field, run.answers))) return true;
  const ways = page.fields.flatMap((field) => [...ladderOf(field), ...(field.options ?? []).flatMap(ladderOf)]);
  const known = anyLocator(at, ways.filter(isCheapRung), 20);
  if (known && (await known.count()) > 0) return true;
  if ((await at.getByRole('heading', { name: page.page_title, exact: true }).count()) > 0) return true;
  const fields = page.fields.slice(0, 5).map(({ label }) => at.getByLabel(label, { exact: true }));
  const labelled = union(fields);
  if (labelled && (await labelled.count()) > 0) return true;
  // A site may have the same title on all its pages.
  const { titles, lines } = await readPageSignals(at);
  return (
    titles.some((title) => areSimilarTitles(title, page.page_title)) &&
    !lines.some((line) => statesThat(line, 'consequence'))
  );
}

function areSimilarTitles(a: string, b: string): boolean {
  const [short = '', long = ''] = [foldText(a), foldText(b)].sort((one, other) => one.length - other.length);
  return short === long || (short.length >= 5 && long.includes(short));
}

/** A sign-in page asks for the same fields. */
const signInField = new RegExp(phrasesOf(signInFieldName), 'i');
const couldBeSignIn = ({ fields }: WizardPage) =>
  fields.some(({ field_id, selector, label }) => signInField.test(`${field_id} ${selector} ${label}`));

/**
 * Locators of elements that only one of two pages has: cheap ones if there are any, else by role and name, else by
 * label.
 */
function markersOnlyOn(page: WizardPage, other: WizardPage): Rung[] {
  const shared = new Set(pageMarkers(other).map(rungToSelector));
  const own = pageMarkers(page).filter((rung) => !shared.has(rungToSelector(rung)));
  const quick = own.filter(isCheapRung);
  if (quick.length > 0) return quick;
  if (own.length > 0) return own;
  const labels = new Set(other.fields.map(({ label }) => foldText(label)));
  return page.fields
    .filter((field) => visibilityConditions(field).length === 0 && !labels.has(foldText(field.label)))
    .slice(0, 3)
    .map(({ label }) => ({ by: 'label', value: label }));
}

/** Polls for an element with growing intervals. A loaded document or a response of the site resets the interval. */
async function waitForElement(
  run: WizardRun,
  locator: () => Locator | undefined,
  state: 'visible' | 'attached',
  limitMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const page = run.page();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const look = (timeout: number) =>
    locator()
      ?.first()
      .waitFor({ state, timeout })
      .then(
        () => resolve(true),
        () => timeout === limitMs && resolve(false),
      );
  const again = () => void look(Math.min(200, limitMs - 1));
  const answered = (request: Request) => {
    if (['fetch', 'xhr'].includes(request.resourceType()) && !request.redirectedTo()) again();
  };
  const framed = (frame: Frame) => {
    if (frame !== page.mainFrame()) again();
  };
  const stop = () => resolve(false);
  signal.addEventListener('abort', stop, { once: true });
  page.on('domcontentloaded', again).on('framenavigated', framed).on('requestfinished', answered);
  try {
    void look(limitMs);
    return await promise;
  } finally {
    page.off('domcontentloaded', again).off('framenavigated', framed).off('requestfinished', answered);
    signal.removeEventListener('abort', stop);
  }
}

export const isCheapRung = ({ by, value }: Rung) =>
  by !== 'role' && by !== 'label' && !/role=|internal:(?:label|role)/.test(value);

/** Locators of the first fields that are always visible; one match is enough. */
export function pageMarkers(page: Pick<WizardPage, 'fields'>): Rung[] {
  const fields = page.fields.filter((field) => visibilityConditions(field).length === 0).slice(0, 3);
  return fields.flatMap((field) => {
    // The name of an option, such as Yes, does not identify its question.
    const options = (field.options ?? [])
      .slice(0, 3)
      .flatMap((option) => ladderOf(option))
      .filter(isCheapRung);
    const isParts = field.field_type === 'group' && !field.repeatable;
    const own = isParts ? (field.sub_fields ?? []).flatMap((sub) => ladderOf(sub)) : ladderOf(field);
    const adds = field.add_button?.selector ?? field.add_button_selector;
    const adding = adds ? ladderOf({ selector: adds }) : [];
    return [...own, ...options, ...adding];
  });
}

/**
 * A locator that matches any of the rungs. Playwright can combine only locators of one frame, so this uses the frame
 * with the most rungs.
 */
export function anyLocator(page: Page, rungs: readonly Rung[], most = rungs.length): Locator | undefined {
  const frames = [...Map.groupBy(rungs, ({ frame = [] }) => frame.join('\n')).values()];
  // The page around a frame may have a search box; the form is in the frame.
  const depth = ([first]: readonly Rung[]) => first?.frame?.length ?? 0;
  const [chosen = []] = frames.sort((a, b) => b.length - a.length || depth(b) - depth(a));
  return union(chosen.slice(0, most).map((rung) => locateRung(page, rung)));
}

function union(locators: readonly Locator[]): Locator | undefined {
  const [first, ...others] = locators;
  return first && others.reduce((all, one) => all.or(one), first);
}

/** Checks the condition again after every change of the page. */
export async function waitForCondition(
  run: WizardRun,
  isTrue: () => Promise<boolean>,
  limitMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (!signal.aborted && performance.now() < deadline) {
    if (await isTrue().catch(() => false)) return true;
    if (run.page().isClosed()) return false;
    await waitForChange(run.page(), Math.min(500, Math.max(1, deadline - performance.now()))).catch(() => {});
  }
  return false;
}

export const withoutQuery = (address: string) => address.replace(/[?#].*$/s, '').replace(/\/+$/, '');

/**
 * Whether an address matches a pattern of the file: a whole address, a path, or a text with `*`. Query and fragment do
 * not count.
 */
export function matchesAddress(url: string, pattern: string | undefined): boolean {
  if (!pattern) return false;
  const at = URL.parse(url);
  if (!at) return false;
  const wanted = withoutQuery(pattern.replace(/^\{base_url\}/, ''));
  return matchesWildcard(withoutQuery(at.href), wanted) || matchesWildcard(withoutQuery(at.pathname), wanted);
}

/** Like `matchesAddress`, for any host. */
function isSamePath(url: string, pattern: string): boolean {
  const path = URL.parse(pattern)?.pathname;
  return matchesAddress(url, pattern) || (path !== undefined && matchesAddress(url, path));
}
