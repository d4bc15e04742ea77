import type { Locator, Page } from 'playwright-core';
import { locate } from '../../platform/page/ladder.ts';
import { nextChange } from '../../platform/page/settle.ts';
import { conditionsOf } from '../files/fields.ts';
import type { WizardPage } from '../files/wizard.ts';
import { folded } from '../validation/words.ts';
import { complaintsOn } from './complaints.ts';
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
  const name = `page ${page.page_number} "${page.page_title}"`;
  const before = run.page();
  const marks = marksOf(page);
  const marker = (at: Page) => union(marks.map((selector) => locate(at, selector)));
  const known = marker(before);
  const wasThere = known ? (await known.count()) > 0 : false;
  const state = wasThere ? ('visible' as const) : ('attached' as const);
  const wasVisible = wasThere && known ? await known.first().isVisible() : false;
  const addressBefore = before.url();

  async function isThere(): Promise<boolean> {
    const at = run.page();
    const mark = marker(at);
    if (mark && !wasVisible)
      return (await mark.count()) > 0 && (state === 'attached' || (await mark.first().isVisible()));
    if (at.url() !== addressBefore && isAddress(at.url(), page.url_pattern)) return true;
    return !mark && (await at.getByRole('heading', { name: page.page_title }).count()) > 0;
  }
  return {
    name,
    isThere,
    async appears(limitMs, signal) {
      const mark = marker(run.page());
      if (!mark || wasVisible) return comesTrue(run, isThere, limitMs, signal);
      const there = mark.first().waitFor({ state, timeout: limitMs });
      return there.then(
        () => true,
        () => false,
      );
    },
  };
}

/** Ways to the first fields that are always asked for: any of them will do. */
function marksOf(page: WizardPage) {
  const fields = page.fields.filter((field) => conditionsOf(field).length === 0).slice(0, 3);
  return fields.flatMap((field) => {
    const options = (field.options ?? []).slice(0, 3).flatMap((option) => ladderOf(option));
    const own =
      field.field_type === 'group' && !field.repeatable ? (field.sub_fields ?? []).flatMap(ladderOf) : ladderOf(field);
    const adding = field.add_button_selector ? ladderOf({ selector: field.add_button_selector }) : [];
    return [...own, ...options, ...adding];
  });
}

function union(places: readonly Locator[]): Locator | undefined {
  const [first, ...others] = places;
  return first && others.reduce((all, one) => all.or(one), first);
}

/** The results: named values that were not there before, or, where the file names none, a page that says new things. */
export async function resultsDestination(run: Run): Promise<Destination & { read(): Promise<Results> }> {
  const { results: named, results_page: place } = run.stored.wizard;
  const isNamed = named !== undefined && Object.keys(named).length > 0;
  const before = isNamed ? JSON.stringify(await readNamed(run.page(), named)) : '';
  const saidBefore = isNamed ? new Set<string>() : new Set((await pageText(run.page())).pairs.map(sayingOf));

  const freshly = async () => fresh((await pageText(run.page())).pairs, saidBefore);
  async function isThere(): Promise<boolean> {
    const isPlace = place?.url_pattern === undefined || isAddress(run.page().url(), place.url_pattern);
    if (!isPlace) return false;
    if (!isNamed) return saysResults(run, await freshly());
    const found = await readNamed(run.page(), named);
    return Object.keys(found).length > 0 && JSON.stringify(found) !== before;
  }
  return {
    name: 'the results',
    isThere,
    appears: (limitMs, signal) => (isNamed ? comesTrue(run, isThere, limitMs, signal) : waitOut(limitMs, signal)),
    read: () => (isNamed ? readNamed(run.page(), named) : freshly()),
  };
}

/** Without names only a page at rest counts that says something new, complains of nothing, and is no page of the form. */
async function saysResults(run: Run, said: Results): Promise<boolean> {
  if (Object.keys(said).length === 0 || (run.status() ?? 200) >= 400) return false;
  const others = run.stored.wizard.pages.slice(0, -1).flatMap(marksOf);
  const form = union(others.map((rung) => locate(run.page(), rung)));
  if (form && (await form.count()) > 0) return false;
  return (await complaintsOn(run)).length === 0;
}

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

/** Whether an address is the one that a file names: whole, a path, or with `*`; queries and fragments do not matter. */
export function isAddress(url: string, pattern: string | undefined): boolean {
  if (!pattern) return false;
  const at = URL.parse(url);
  if (!at) return false;
  const bare = (text: string) => text.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  const wanted = bare(pattern.replace(/^\{base_url\}/, ''));
  const expression = new RegExp(
    `^${wanted
      .split('*')
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );
  return expression.test(bare(at.href)) || expression.test(bare(at.pathname));
}
