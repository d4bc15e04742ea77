import { firstHeading } from '../../../platform/page/page-model.ts';
import { isPageStill } from '../../../platform/page/settle/page-stillness.ts';
import { createRestDetector, PAGE_POLL_MS, waitForChange } from '../../../platform/page/settle/settle.ts';
import { readPage } from '../../../platform/page/snapshot/page-reader.ts';
import { readVisibleErrors } from '../../../platform/page/snapshot/visible-errors.ts';
import { matchesLabel } from '../../files/result-labels.ts';
import { foldText } from '../../validation/read-values.ts';
import {
  anyLocator,
  type Destination,
  matchesAddress,
  pageMarkers,
  RESULTS_DESTINATION,
  waitForCondition,
  withoutQuery,
} from '../navigate/page-destination.ts';
import { type LabelledPageText, readLabelledValues } from '../results/labelled-values.ts';
import { type NamedReading, readNamedResults, type WizardResults } from '../results/read-results.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import { isBenignMessage, knownResultsText } from './benign-messages.ts';
import {
  findFailureTexts,
  findObjection,
  isFormEmptyAgain,
  isOtherDocument,
  isResultMessage,
  isResultText,
  isWaiting,
  redTextBesideFields,
  showsForm,
} from './objections.ts';
import { type PageSignals, readPageSignals } from './page-signals.ts';
import { readComplaints, readErrorSelector } from './site-complaints.ts';

/** About one frame: a page that is rendered does not change in less time. */
const FRAME_MS = 16;
/** How long values must stay the same beside a part that keeps changing, such as a clock. */
const STEADY_MS = 2_000;
/** How long values must stay the same beside requests that get no response. */
const PENDING_MS = 10_000;
/** How long zeros must stay, because many pages start with them. */
const ZERO_MS = 1_000;

type ResultsDestination = Destination & { read(): Promise<WizardResults> };

/**
 * The results page: named values that were not there before, or, if the file names none, a page with new statements.
 */
export async function resultsDestination(run: WizardRun): Promise<ResultsDestination> {
  const { results = {}, results_page: resultsPage } = run.stored.wizard;
  const isCalled = async (heading: string) => {
    const reading = await readPage(run.page(), { timeoutMs: Math.min(5_000, run.remainingMs()) });
    return matchesLabel(firstHeading(reading) ?? '', heading);
  };
  const before = readPageSignals(run.page());
  const isHere = resultsPage?.heading !== undefined && (await isCalled(resultsPage.heading));
  const here = isHere ? withoutQuery(run.page().url()) : undefined;
  // If the form page has the same heading, only another address distinguishes the two.
  const isResultsPage = () =>
    (resultsPage?.url_pattern === undefined || matchesAddress(run.page().url(), resultsPage.url_pattern)) &&
    withoutQuery(run.page().url()) !== here &&
    (run.documentStatus() ?? 200) < 400;
  const start = { isResultsPage, before };
  return Object.keys(results).length > 0
    ? namedResultsDestination(run, results, start)
    : shownResultsDestination(run, start);
}

interface ResultsStart {
  /** The address and the HTTP status are those of a results page. */
  isResultsPage(): boolean;
  /** The last page of the form, before the submission. */
  before: Promise<PageSignals>;
}

type Named = NonNullable<WizardRun['stored']['wizard']['results']>;

async function namedResultsDestination(
  run: WizardRun,
  named: Named,
  { isResultsPage, ...start }: ResultsStart,
): Promise<ResultsDestination> {
  const slow = new Set<string>();
  const [before, first, shownBefore] = await Promise.all([
    start.before,
    readNamedResults(run.page(), named, slow),
    readVisibleErrors(run.page()),
  ]);
  const valuesBefore = JSON.stringify(first.values);
  const noticesBefore = new Set(shownBefore.map(({ text }) => text));
  const isSaidAlways = knownResultsText(run);
  let accepted: WizardResults = {};
  let objection: string | undefined;
  let isBusy = false;

  const isNew = ({ values }: NamedReading) => Object.keys(values).length > 0 && JSON.stringify(values) !== valuesBefore;
  /** The texts beside the values which show that the values are old or are not results. */
  async function against(read: NamedReading): Promise<string | undefined> {
    const page = run.page();
    const [shown, said, signals] = await Promise.all([
      readVisibleErrors(page),
      readErrorSelector(run),
      readPageSignals(page),
    ]);
    const isNews = (text: string) => !isSaidAlways(text) && !isBenignMessage(text);
    const isComplaint = (text: string) => isNews(text) && !noticesBefore.has(text) && !isResultMessage(text, read);
    isBusy = isWaiting(signals, before);
    const words = [
      ...shown
        .filter(({ text, isOfField }) => isNews(text) && (isOfField || isComplaint(text)))
        .map(({ text }) => text),
      ...said.filter(isComplaint),
      ...findFailureTexts(signals, before, run.submission?.hasSent() ? 'plain' : 'asking', isSaidAlways),
      ...(await redTextBesideFields(run, signals, before, isSaidAlways)).filter((text) => !isResultText(text, read)),
    ];
    const isEmpty = signals.hasFields && isOtherDocument(signals, before) && (await isFormEmptyAgain(run, page));
    return findObjection(run, signals, before, { words, isEmpty });
  }
  /** Accepts the values once the page has settled and they are still the same without an objection. */
  async function isThere(): Promise<boolean> {
    if (!isResultsPage()) return false;
    let read = await readNamedResults(run.page(), named, slow);
    let steadySince = performance.now();
    for (let lookMs = FRAME_MS; isNew(read) && isResultsPage(); lookMs = Math.min(PAGE_POLL_MS, lookMs * 2)) {
      run.signal.throwIfAborted();
      // A response that arrives during a check may be missing from what the check reads.
      const wasOpen = openRequests(run) > 0;
      const wasAsking = run.activeRequests() > 0;
      const [isQuiet, found] = await Promise.all([isPageStill(run.page(), lookMs), against(read)]);
      objection = found;
      if (objection !== undefined) return false;
      const again = await readNamedResults(run.page(), named, slow);
      const isSame = JSON.stringify(again.values) === JSON.stringify(read.values);
      read = again;
      if (!isSame) steadySince = performance.now();
      const steadyMs = performance.now() - steadySince;
      const isAsking = wasAsking || run.activeRequests() > 0 || isBusy;
      const isSoon = steadyMs >= ZERO_MS || !isZero(read.values);
      // A request that has been open for long may still get its response.
      const isAtRest = isSame && isQuiet && !isAsking && run.hangingRequests() === 0 && isSoon;
      const isSteady = !wasOpen && openRequests(run) === 0 && steadyMs >= (isAsking ? PENDING_MS : STEADY_MS);
      if (!isAtRest && !isSteady) continue;
      accepted = read.values;
      return isNew(read);
    }
    return false;
  }
  const isWholeIn = (values: WizardResults) => Object.keys(named).every((name) => name in values);
  return {
    name: RESULTS_DESTINATION,
    isThere,
    objection: () => objection,
    waitUntilThere: (limitMs, signal) => waitForCondition(run, isThere, limitMs, signal),
    async read() {
      // Values that appear after the first ones are on the page by now.
      return isWholeIn(accepted) ? accepted : (await readNamedResults(run.page(), named, slow)).values;
    },
  };
}

const openRequests = (run: WizardRun) => run.submission?.openCount() ?? 0;

const isZero = (values: WizardResults) => Object.values(values).every((value) => /^-?0+(?:\.0+)?$/.test(value));

/**
 * The destination without named results: a settled page without complaints that is no page of the form. It has the
 * heading of the file, or, if the file has none, it states something new and no failure.
 */
async function shownResultsDestination(
  run: WizardRun,
  { isResultsPage, ...start }: ResultsStart,
): Promise<ResultsDestination> {
  const heading = run.stored.wizard.results_page?.heading;
  let confirmation = '';
  const [before, text] = await Promise.all([start.before, readLabelledValues(run.page())]);
  const saidBefore = new Set(text.pairs.map(pairKey));
  const labelsBefore = new Set(text.pairs.map(({ label }) => foldText(label)));
  const isSaidAlways = knownResultsText(run);
  const freshly = async () => newValues((await readLabelledValues(run.page())).pairs, saidBefore);
  let objection: string | undefined;
  let isBusy = false;

  async function isNow(): Promise<boolean> {
    if (!isResultsPage()) return false;
    const found = heading === undefined ? Object.keys(await freshly()) : [];
    if (heading === undefined && found.length === 0) return false;
    const page = run.page();
    const others = anyLocator(page, run.stored.wizard.pages.slice(0, -1).flatMap(pageMarkers));
    if (others && (await others.count()) > 0) return false;
    const { reading, complaints } = await readComplaints(run);
    if (complaints.length > 0) return false;
    const signals = await readPageSignals(page);
    const isEmpty = signals.hasFields && (await isFormEmptyAgain(run, page));
    const words = [
      ...findFailureTexts(signals, before, heading === undefined ? 'anywhere' : 'refused', isSaidAlways),
      ...(await redTextBesideFields(run, signals, before, isSaidAlways)),
    ];
    isBusy = isWaiting(signals, before);
    // A form that is shown again may have other values for the same labels, such as the time.
    const isNews = heading !== undefined || found.some((label) => !labelsBefore.has(foldText(label)));
    if (!isNews && isOtherDocument(signals, before) && (await showsForm(run, page))) words.push('the form again');
    objection = await findObjection(run, signals, before, { words, isEmpty });
    if (objection !== undefined) return false;
    confirmation = firstHeading(reading) ?? '';
    return heading === undefined || matchesLabel(confirmation, heading);
  }
  /** A text that disappears again is no result. */
  async function isThere(): Promise<boolean> {
    if (!(await isNow())) return false;
    const rest = createRestDetector(run.activeRequests);
    const until = performance.now() + Math.min(PENDING_MS, run.remainingMs());
    while (!rest.isAtRest(await waitForChange(run.page(), PAGE_POLL_MS)) || isBusy)
      if (performance.now() >= until && openRequests(run) === 0) break;
      else if (isBusy && !(await isNow())) return false;
      else run.signal.throwIfAborted();
    return isNow();
  }
  return {
    name: RESULTS_DESTINATION,
    isThere,
    objection: () => objection,
    waitUntilThere: waitForLimit,
    read: async () => ({ ...(heading && { confirmation }), ...(await freshly()) }),
  };
}

const pairKey = ({ label, value }: LabelledPageText['pairs'][number]) => `${foldText(label)}: ${foldText(value)}`;

function newValues(pairs: LabelledPageText['pairs'], before: ReadonlySet<string>): WizardResults {
  return Object.fromEntries(
    pairs
      .filter((pair) => !before.has(pairKey(pair)) && !/^error\b/i.test(pair.label))
      .map(({ label, value }) => [label, value]),
  );
}

function waitForLimit(limitMs: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limitMs, false);
    const stop = () => {
      clearTimeout(timer);
      resolve(false);
    };
    signal.addEventListener('abort', stop, { once: true });
  });
}
