import type { Frame, Locator, Page, Request } from 'playwright-core';
import { errorsShown } from '../../platform/page/errors-shown.ts';
import { locate } from '../../platform/page/ladder.ts';
import { firstHeading, type Rung } from '../../platform/page/model.ts';
import { readPage } from '../../platform/page/read.ts';
import { nextChange } from '../../platform/page/settle.ts';
import { conditionsOf } from '../files/fields.ts';
import type { WizardPage } from '../files/wizard.ts';
import { folded } from '../validation/words.ts';
import { readComplaints, saidAtErrors } from './complaints.ts';
import { type PageText, pageText } from './page-text.ts';
import { type Results, readNamed } from './read-results.ts';
import type { Run } from './run.ts';
import { ladderOf } from './settables.ts';

/** Where a click should lead. What was there before the click does not count as having come there. */
export interface Destination {
  name: string;
  /** True as soon as it is there; false when it is not in time, or nobody waits any more. */
  appears(limitMs: number, signal: AbortSignal): Promise<boolean>;
  isThere(): Promise<boolean>;
}

/** A page of the wizard, by the fields that it begins with, else by its address or its heading. */
export async function pageDestination(run: Run, page: WizardPage): Promise<Destination> {
  const before = run.page();
  const addressBefore = before.url();
  const marks = marksOf(page);
  // Looked for all the time, so only by what is cheap to look for; when the page is at rest, by name too.
  const quick = (at: Page) =>
    union(
      marks
        .filter(isQuick)
        .slice(0, 4)
        .map((rung) => locate(at, rung)),
    );
  const named = (at: Page) => union(marks.filter((rung) => !isQuick(rung)).map((rung) => locate(at, rung)));
  // Nothing is on a page that was not opened yet, and to look there takes a while.
  const known = addressBefore === 'about:blank' ? undefined : quick(before);
  const wasThere = known ? (await known.count()) > 0 : false;
  const wasVisible = wasThere && known ? await known.first().isVisible() : false;
  const state = wasThere ? ('visible' as const) : ('attached' as const);

  /** What has the same name on two pages does not tell them apart, unless the one before is gone. */
  async function hasLeft(at: Page): Promise<boolean> {
    const current = run.stored.wizard.pages.find(({ page_number }) => page_number === run.at);
    const old =
      current &&
      current !== page &&
      union(
        marksOf(current)
          .filter(isQuick)
          .map((rung) => locate(at, rung)),
      );
    return !old || (await old.count()) === 0;
  }
  async function isThere(): Promise<boolean> {
    const at = run.page();
    const mark = wasVisible ? undefined : quick(at);
    if (mark && (await mark.count()) > 0 && (state === 'attached' || (await mark.first().isVisible()))) return true;
    if ((run.status() ?? 200) >= 400 || !(await hasLeft(at))) return false;
    if (at.url() !== addressBefore && isAddress(at.url(), page.url_pattern)) return true;
    const others = named(at);
    if (others) return (await others.count()) > 0;
    return !mark && (await at.getByRole('heading', { name: page.page_title }).count()) > 0;
  }
  return {
    name: `page ${page.page_number} "${page.page_title}"`,
    isThere,
    async appears(limitMs, signal) {
      const mark = wasVisible ? undefined : quick(run.page());
      if (!mark) {
        if (named(run.page())) await comesUp(run, () => named(run.page()), 'attached', limitMs, signal);
        return comesTrue(run, isThere, limitMs, signal);
      }
      return comesUp(run, () => quick(run.page()), state, limitMs, signal);
    },
  };
}

/**
 * An element that is not there is looked for less and less often. What is just loaded, or was just answered by the site, is
 * looked at anew at once.
 */
async function comesUp(
  run: Run,
  place: () => Locator | undefined,
  state: 'visible' | 'attached',
  limitMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const page = run.page();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const look = (timeout: number) =>
    place()
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

const isQuick = ({ by, value }: Rung) =>
  by !== 'role' && by !== 'label' && !/role=|internal:(?:label|role)/.test(value);

/** Ways to the first fields that are always asked for: any of them will do. */
function marksOf(page: WizardPage): Rung[] {
  const fields = page.fields.filter((field) => conditionsOf(field).length === 0).slice(0, 3);
  return fields.flatMap((field) => {
    // The name of an option, such as Yes, says nothing about which question it answers.
    const options = (field.options ?? [])
      .slice(0, 3)
      .flatMap((option) => ladderOf(option))
      .filter(isQuick);
    const isParts = field.field_type === 'group' && !field.repeatable;
    const own = isParts ? (field.sub_fields ?? []).flatMap((sub) => ladderOf(sub)) : ladderOf(field);
    const adds = field.add_button?.selector ?? field.add_button_selector;
    const adding = adds ? ladderOf({ selector: adds }) : [];
    return [...own, ...options, ...adding];
  });
}

function union(places: readonly Locator[]): Locator | undefined {
  const [first, ...others] = places;
  return first && others.reduce((all, one) => all.or(one), first);
}

export const RESULTS = 'the results';

/** The results: named values that were not there before, or, where the file names none, a page that says new things. */
export async function resultsDestination(run: Run): Promise<Destination & { read(): Promise<Results> }> {
  const { results: named, results_page: place } = run.stored.wizard;
  const isNamed = named !== undefined && Object.keys(named).length > 0;
  const before = isNamed ? JSON.stringify(await readNamed(run.page(), named)) : '';
  const noticesBefore = new Set(isNamed ? (await errorsShown(run.page())).map(({ text }) => text) : []);
  const saidBefore = isNamed ? new Set<string>() : new Set((await pageText(run.page())).pairs.map(sayingOf));

  const wasThere =
    place?.heading !== undefined && (await isCalled(run, place.heading)) ? bare(run.page().url()) : undefined;

  let read: Results = {};
  const freshly = async () => fresh((await pageText(run.page())).pairs, saidBefore);
  async function isThere(): Promise<boolean> {
    const isPlace = place?.url_pattern === undefined || isAddress(run.page().url(), place.url_pattern);
    // Where the form itself is called so, only another address tells them apart.
    if (!isPlace || bare(run.page().url()) === wasThere) return false;
    if ((run.status() ?? 200) >= 400) return false;
    if (!isNamed) return saysResults(run, await freshly(), place?.heading);
    read = await readNamed(run.page(), named);
    if (Object.keys(read).length === 0 || JSON.stringify(read) === before) return false;
    // Values beside a complaint are those of another time, or of nobody.
    return (await complaints()).length === 0;
  }
  const labels = Object.values(named ?? {}).flatMap(({ label }) => (label ? [folded(label)] : []));
  async function complaints(): Promise<string[]> {
    const [shown, said] = await Promise.all([errorsShown(run.page()), saidAtErrors(run)]);
    // What a site says on all its pages, such as when it is closed, is no complaint; neither are the results themselves.
    const isNew = (text: string) => !noticesBefore.has(text) && !labels.some((label) => folded(text).includes(label));
    return [
      ...shown.filter(({ text, isOfField }) => isOfField || isNew(text)).map(({ text }) => text),
      ...said.filter(isNew),
    ];
  }
  return {
    name: RESULTS,
    isThere,
    appears: (limitMs, signal) => (isNamed ? comesTrue(run, isThere, limitMs, signal) : waitOut(limitMs, signal)),
    async read() {
      if (!isNamed) return { ...(place?.heading && { confirmation: place.heading }), ...(await freshly()) };
      // What came later than the first is there by now, or does not come.
      const isWhole = Object.keys(named).every((name) => name in read);
      return isWhole ? read : readNamed(run.page(), named);
    },
  };
}

async function isCalled(run: Run, heading: string): Promise<boolean> {
  const reading = await readPage(run.page(), { timeoutMs: Math.min(5_000, run.left()) });
  return folded(firstHeading(reading) ?? '') === folded(heading);
}

/**
 * Without names only a page at rest counts that complains of nothing and is no page of the form: one that is called as the
 * file says, or, where it says nothing of that, one that says something new.
 */
async function saysResults(run: Run, said: Results, heading: string | undefined): Promise<boolean> {
  if ((heading === undefined && Object.keys(said).length === 0) || (run.status() ?? 200) >= 400) return false;
  const others = run.stored.wizard.pages.slice(0, -1).flatMap(marksOf);
  const form = union(others.map((rung) => locate(run.page(), rung)));
  if (form && (await form.count()) > 0) return false;
  const { reading, complaints } = await readComplaints(run);
  if (complaints.length > 0) return false;
  if (heading !== undefined) return folded(firstHeading(reading) ?? '') === folded(heading);
  const titles = [reading.title, ...reading.headings.filter(({ level }) => level < 3).map(({ text }) => text)];
  return !titles.some((title) => failing.test(title));
}

/** How pages are called that tell of a failure and have a number to refer to, but no results. */
const failing =
  /\b(?:errors?|problem|sorry|oops|expired|timed? ?out|denied|forbidden|not found|unavailable|went wrong|try again|maintenance|log ?in|sign ?in|verify you)\b/i;

const sayingOf = ({ label, value }: PageText['pairs'][number]) => `${folded(label)}: ${folded(value)}`;

function fresh(pairs: PageText['pairs'], before: ReadonlySet<string>): Results {
  return Object.fromEntries(
    pairs
      .filter((pair) => !before.has(sayingOf(pair)) && !/^error\b/i.test(pair.label))
      .map(({ label, value }) => [label, value]),
  );
}

/** Looks again whenever something has changed. */
async function comesTrue(
  run: Run,
  isTrue: () => Promise<boolean>,
  limitMs: number,
  signal: AbortSignal,
): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  while (!signal.aborted && performance.now() < deadline) {
    if (await isTrue().catch(() => false)) return true;
    if (run.page().isClosed()) return false;
    await nextChange(run.page(), Math.min(500, Math.max(1, deadline - performance.now()))).catch(() => {});
  }
  return false;
}

function waitOut(limitMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs, false);
    const stop = () => {
      clearTimeout(timer);
      resolve(false);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}

const bare = (address: string) => address.replace(/[?#].*$/s, '').replace(/\/+$/, '');

/** Whether an address is the one that a file names: whole, a path, or with `*`; queries and fragments do not matter. */
function isAddress(url: string, pattern: string | undefined): boolean {
  if (!pattern) return false;
  const at = URL.parse(url);
  if (!at) return false;
  const wanted = bare(pattern.replace(/^\{base_url\}/, ''));
  const expression = new RegExp(
    `^${wanted
      .split('*')
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );
  return expression.test(bare(at.href)) || expression.test(bare(at.pathname));
}
