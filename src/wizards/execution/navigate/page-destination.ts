import type { Frame, Locator, Page, Request } from 'playwright-core';
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
import { statesThat } from '../outcome/page-statements.ts';
import type { WizardRun } from '../run/wizard-run.ts';

/** Where a click should lead. What was there before the click does not count as having come there. */
export interface Destination {
  name: string;
  /** True as soon as it is there; false when it is not in time, or nobody waits any more. */
  waitUntilThere(limitMs: number, signal: AbortSignal): Promise<boolean>;
  isThere(): Promise<boolean>;
  /** What spoke against it the last time that it was looked for; the page's words are quoted. */
  objection?(): string | undefined;
  /** Its own address is open, so that whatever stands there stands in its place. */
  isOpen?(): boolean;
}

export const RESULTS_DESTINATION = 'the results';

/** A page of the wizard, by the fields that it begins with, else by its address or its heading. */
export async function pageDestination(run: WizardRun, page: WizardPage): Promise<Destination> {
  const before = run.page();
  const addressBefore = before.url();
  const marks = pageMarkers(page);
  // Looked for all the time, so only by what is cheap to look for; when the page is at rest, by name too.
  const quick = (at: Page) => anyLocator(at, marks.filter(isCheapRung), 4);
  const named = (at: Page) =>
    anyLocator(
      at,
      marks.filter((rung) => !isCheapRung(rung)),
    );
  // Nothing is on a page that was not opened yet, and to look there takes a while.
  const known = addressBefore === 'about:blank' ? undefined : quick(before);
  const wasThere = known ? (await known.count()) > 0 : false;
  const wasVisible = wasThere && known ? await known.first().isVisible() : false;
  const state = wasThere ? ('visible' as const) : ('attached' as const);
  const documentsBefore = wasVisible ? (await readPageIdentity(before)).documents : '';

  /** What has the same name on two pages does not tell them apart, unless the one before is gone. */
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
    // Its address may have come meanwhile.
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
 * One field of the right name is also on a page to sign in. So where the address is another than the file says, its heading
 * must be right, or all that is required be there; and a page that asks somebody to sign in is none of the form's.
 */
async function isExpectedPage(at: Page, page: WizardPage): Promise<boolean> {
  const pattern = page.url_pattern ?? '';
  // Files that somebody wrote may say anything there.
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
 * What is to be filled in proves by itself that a page is the right one. Where nothing is, an address proves nothing, and only
 * its button would be clicked: the page must be called as the file says, or have one of its fields.
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
  // The title of a site may be the same on all its pages.
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

/** Somebody who signs in is asked for the same. */
const signInField = new RegExp(phrasesOf(signInFieldName), 'i');
const couldBeSignIn = ({ fields }: WizardPage) =>
  fields.some(({ field_id, selector, label }) => signInField.test(`${field_id} ${selector} ${label}`));

/** What only one of two pages has, by what is cheap to look for if that is enough, else by role and name, else by label. */
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

/**
 * An element that is not there is looked for less and less often. What is just loaded, or was just answered by the site, is
 * looked at anew at once.
 */
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

/** Ways to the first fields that are always asked for: any of them will do. */
export function pageMarkers(page: Pick<WizardPage, 'fields'>): Rung[] {
  const fields = page.fields.filter((field) => visibilityConditions(field).length === 0).slice(0, 3);
  return fields.flatMap((field) => {
    // The name of an option, such as Yes, says nothing about which question it answers.
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

/** What any of them leads to. Only what lies in one frame can be looked for together: the one that most of them lead to. */
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

/** Looks again whenever something has changed. */
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

/** Whether an address is the one that a file names: whole, a path, or with `*`; queries and fragments do not matter. */
export function matchesAddress(url: string, pattern: string | undefined): boolean {
  if (!pattern) return false;
  const at = URL.parse(url);
  if (!at) return false;
  const wanted = withoutQuery(pattern.replace(/^\{base_url\}/, ''));
  return matchesWildcard(withoutQuery(at.href), wanted) || matchesWildcard(withoutQuery(at.pathname), wanted);
}

/** The same, whatever host the file was made at. */
function isSamePath(url: string, pattern: string): boolean {
  const path = URL.parse(pattern)?.pathname;
  return matchesAddress(url, pattern) || (path !== undefined && matchesAddress(url, path));
}
