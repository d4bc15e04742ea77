import type { Page } from 'playwright-core';
import { quote } from '../../platform/errors.ts';
import { errorsShown } from '../../platform/page/errors-shown.ts';
import { locate } from '../../platform/page/ladder.ts';
import { firstHeading } from '../../platform/page/model.ts';
import { readPage } from '../../platform/page/read.ts';
import { LOOK_MS, nextChange, restWatch } from '../../platform/page/settle.ts';
import { isStill } from '../../platform/page/still.ts';
import { conditionsOf } from '../files/fields.ts';
import { folded } from '../validation/words.ts';
import { readComplaints, saidAtErrors } from './complaints.ts';
import { bare, comesTrue, type Destination, isAddress, isQuick, marksOf, RESULTS, union } from './destination.ts';
import { type Saying, says } from './failing.ts';
import { type Glance, glanceAt } from './glance.ts';
import { type PageText, pageText } from './page-text.ts';
import { type NamedReading, type Results, readNamed } from './read-results.ts';
import type { Run } from './run.ts';

/** About a frame: in so short a time nothing changes on a page that is drawn. */
const FRAME_MS = 16;
/** So long values that stay the same may stand beside something that goes on, such as a clock, … */
const STEADY_MS = 2_000;
/** … or beside requests that are never answered; */
const ASKING_MS = 10_000;
/** and so long nothing but zeros must stand there, since many a page begins with them. */
const ZERO_MS = 1_000;

type ResultsDestination = Destination & { read(): Promise<Results> };

/** The results: named values that were not there before, or, where the file names none, a page that says new things. */
export async function resultsDestination(run: Run): Promise<ResultsDestination> {
  const { results = {}, results_page: place } = run.stored.wizard;
  const isCalled = async (heading: string) => {
    const reading = await readPage(run.page(), { timeoutMs: Math.min(5_000, run.left()) });
    return folded(firstHeading(reading) ?? '') === folded(heading);
  };
  const before = glanceAt(run.page());
  const isHere = place?.heading !== undefined && (await isCalled(place.heading));
  const here = isHere ? bare(run.page().url()) : undefined;
  // Where the form itself is called so, only another address tells them apart.
  const isPlace = () =>
    (place?.url_pattern === undefined || isAddress(run.page().url(), place.url_pattern)) &&
    bare(run.page().url()) !== here &&
    (run.status() ?? 200) < 400;
  const start = { isPlace, before };
  return Object.keys(results).length > 0 ? namedResults(run, results, start) : shownResults(run, start);
}

interface Start {
  /** The address and the status are those of results. */
  isPlace(): boolean;
  /** The last page of the form, before it is sent. */
  before: Promise<Glance>;
}

type Named = NonNullable<Run['stored']['wizard']['results']>;

async function namedResults(run: Run, named: Named, { isPlace, ...start }: Start): Promise<ResultsDestination> {
  const slow = new Set<string>();
  const [before, first, shownBefore] = await Promise.all([
    start.before,
    readNamed(run.page(), named, slow),
    errorsShown(run.page()),
  ]);
  const valuesBefore = JSON.stringify(first.values);
  const noticesBefore = new Set(shownBefore.map(({ text }) => text));
  let accepted: Results = {};
  let objection: string | undefined;

  const isNew = ({ values }: NamedReading) => Object.keys(values).length > 0 && JSON.stringify(values) !== valuesBefore;
  /** What stands beside the values and says that they are those of another time, or of nobody. */
  async function against(read: NamedReading): Promise<string | undefined> {
    const page = run.page();
    const [shown, said, glance] = await Promise.all([errorsShown(page), saidAtErrors(run), glanceAt(page)]);
    const isComplaint = (text: string) => !noticesBefore.has(text) && !isOfResults(text, read);
    const words = [
      ...shown.filter(({ text, isOfField }) => isOfField || isComplaint(text)).map(({ text }) => text),
      ...said.filter(isComplaint),
      ...failuresIn(glance, before, run.sent.perhaps() ? 'plain' : 'asking'),
    ];
    const isEmpty = glance.hasFields && isOtherDocument(glance, before) && (await asksAgain(run, page));
    return objectionTo(run, glance, before, { words, isEmpty });
  }
  /** The values are believed once the page is at rest, and they are still the same without an objection. */
  async function isThere(): Promise<boolean> {
    if (!isPlace()) return false;
    let read = await readNamed(run.page(), named, slow);
    let steadySince = performance.now();
    for (let lookMs = FRAME_MS; isNew(read) && isPlace(); lookMs = Math.min(LOOK_MS, lookMs * 2)) {
      run.signal.throwIfAborted();
      const [isQuiet, found] = await Promise.all([isStill(run.page(), lookMs), against(read)]);
      objection = found;
      if (objection !== undefined) return false;
      const again = await readNamed(run.page(), named, slow);
      const isSame = JSON.stringify(again.values) === JSON.stringify(read.values);
      read = again;
      if (!isSame) steadySince = performance.now();
      const steadyMs = performance.now() - steadySince;
      const isAsking = run.pending() > 0;
      const isAtRest = isSame && isQuiet && !isAsking && (steadyMs >= ZERO_MS || !isZero(read.values));
      const isSteady = run.sent.open() === 0 && steadyMs >= (isAsking ? ASKING_MS : STEADY_MS);
      if (!isAtRest && !isSteady) continue;
      accepted = read.values;
      return isNew(read);
    }
    return false;
  }
  return {
    name: RESULTS,
    isThere,
    objection: () => objection,
    appears: (limitMs, signal) => comesTrue(run, isThere, limitMs, signal),
    async read() {
      // What came later than the first is there by now, or does not come.
      const isWhole = Object.keys(named).every((name) => name in accepted);
      return isWhole ? accepted : (await readNamed(run.page(), named, slow)).values;
    },
  };
}

const isZero = (values: Results) => Object.values(values).every((value) => /^-?0+(?:\.0+)?$/.test(value));

/** A box for alerts may hold the results themselves: their label and their value, and nothing that went wrong. */
function isOfResults(text: string, { shown }: NamedReading): boolean {
  const words = folded(text);
  const isIn = (part: string) => part !== '' && words.includes(folded(part));
  return !says(text, 'title') && shown.some(({ label, raw }) => isIn(label) && isIn(raw));
}

const isOtherDocument = (now: Glance, before: Glance) => now.documents !== before.documents;

/** What the page says since the form was sent that tells of a failure: in its titles, and more plainly anywhere. */
function failuresIn(now: Glance, before: Glance, body: Saying): string[] {
  const known = new Set([...before.titles, ...before.lines]);
  const isNew = (text: string) => !known.has(text);
  return [
    ...now.titles.filter((title) => isNew(title) && says(title, 'title')),
    ...now.lines.filter((line) => isNew(line) && says(line, body)),
  ];
}

/** What speaks against a page, in words for whoever ran the form: those of the page are quoted. */
function objectionTo(
  run: Run,
  now: Glance,
  before: Glance,
  { words: [first], isEmpty }: { words: readonly string[]; isEmpty: boolean },
): string | undefined {
  if (first !== undefined) return quote(run.discreet.said(first), 200);
  const refusal = run.sent.refusal();
  if (refusal) return refusal;
  if (now.asksPassword && !before.asksPassword) return 'a question for a password';
  if (isEmpty) return 'the form again, empty';
  return isUnknownStep(run, now, before) ? 'the same button once more' : undefined;
}

/** A new page without questions whose button is called as that of the last page is another step, if the file knows no better. */
function isUnknownStep(run: Run, now: Glance, before: Glance): boolean {
  const { pages, results_page } = run.stored.wizard;
  const words = folded(pages.at(-1)?.continue_button.text ?? '');
  const isKnown = results_page?.url_pattern !== undefined || results_page?.heading !== undefined;
  if (isKnown || words === '' || now.asks || !isOtherDocument(now, before)) return false;
  return now.buttons.some((name) => folded(name) === words);
}

/** Whether what the last page needs is asked for, with nothing in it. */
async function asksAgain(run: Run, page: Page): Promise<boolean> {
  const fields = run.stored.wizard.pages.at(-1)?.fields ?? [];
  const needed = fields.filter((field) => field.required && conditionsOf(field).length === 0).slice(0, 5);
  const ways = needed.flatMap((field) => {
    const marks = marksOf({ fields: [field] });
    return marks.find(isQuick) ?? marks[0] ?? [];
  });
  const empty = await Promise.all(
    ways.map((way) =>
      locate(page, way)
        .evaluateAll(emptyInPage)
        .catch(() => false),
    ),
  );
  return empty.includes(true);
}

/** In the page. */
function emptyInPage(controls: readonly Element[]): boolean {
  return controls.some(
    (control) =>
      (control instanceof HTMLInputElement ||
        control instanceof HTMLSelectElement ||
        control instanceof HTMLTextAreaElement) &&
      !['radio', 'checkbox', 'hidden'].includes(control.type) &&
      control.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      control.value === '',
  );
}

/**
 * Without names only a page counts that stays at rest, complains of nothing and is no page of the form: one that is called as
 * the file says, or, where it says nothing of that, one that says something new and nothing of a failure.
 */
async function shownResults(run: Run, { isPlace, ...start }: Start): Promise<ResultsDestination> {
  const heading = run.stored.wizard.results_page?.heading;
  const [before, text] = await Promise.all([start.before, pageText(run.page())]);
  const saidBefore = new Set(text.pairs.map(sayingOf));
  const freshly = async () => fresh((await pageText(run.page())).pairs, saidBefore);
  let objection: string | undefined;

  async function isNow(): Promise<boolean> {
    if (!isPlace()) return false;
    if (heading === undefined && Object.keys(await freshly()).length === 0) return false;
    const page = run.page();
    const others = union(
      run.stored.wizard.pages
        .slice(0, -1)
        .flatMap(marksOf)
        .map((rung) => locate(page, rung)),
    );
    if (others && (await others.count()) > 0) return false;
    const { reading, complaints } = await readComplaints(run);
    if (complaints.length > 0) return false;
    const glance = await glanceAt(page);
    const isEmpty = glance.hasFields && (await asksAgain(run, page));
    const words = failuresIn(glance, before, heading === undefined ? 'anywhere' : 'plain');
    objection = objectionTo(run, glance, before, { words, isEmpty });
    if (objection !== undefined) return false;
    return heading === undefined || folded(firstHeading(reading) ?? '') === folded(heading);
  }
  /** What is shown for a moment only, and then taken back, is no result. */
  async function isThere(): Promise<boolean> {
    if (!(await isNow())) return false;
    const rest = restWatch(run.pending);
    const until = performance.now() + Math.min(ASKING_MS, run.left());
    while (!rest.isAtRest(await nextChange(run.page(), LOOK_MS)))
      if (performance.now() >= until && run.sent.open() === 0) break;
      else run.signal.throwIfAborted();
    return isNow();
  }
  return {
    name: RESULTS,
    isThere,
    objection: () => objection,
    appears: waitOut,
    read: async () => ({ ...(heading && { confirmation: heading }), ...(await freshly()) }),
  };
}

const sayingOf = ({ label, value }: PageText['pairs'][number]) => `${folded(label)}: ${folded(value)}`;

function fresh(pairs: PageText['pairs'], before: ReadonlySet<string>): Results {
  return Object.fromEntries(
    pairs
      .filter((pair) => !before.has(sayingOf(pair)) && !/^error\b/i.test(pair.label))
      .map(({ label, value }) => [label, value]),
  );
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
