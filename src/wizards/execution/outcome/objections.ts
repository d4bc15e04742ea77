import type { Page } from 'playwright-core';
import { isSafeMethod } from '../../../page/outcome/caused-requests.ts';
import { type PageStatement, statesThat } from '../../../page/outcome/page-statements.ts';
import { readAnsweredRefusal } from '../../../page/outcome/response-errors.ts';
import { quote } from '../../../platform/errors.ts';
import { locateRung } from '../../../platform/page/locate/element-finder.ts';
import { phrasesOf } from '../../../platform/text/phrase-table.ts';
import { visibilityConditions } from '../../files/field-traits.ts';
import { foldText } from '../../validation/read-values.ts';
import { notWaiting, statusTerm, stillWorking, waiting } from '../../vocabulary/waiting.ts';
import { anyLocator, isCheapRung, pageMarkers } from '../navigate/page-destination.ts';
import type { NamedReading } from '../results/read-results.ts';
import type { WizardRun } from '../run/wizard-run.ts';
import type { PageSignals } from './page-signals.ts';

/** Whether an alert box holds the results themselves: their label and value, and no failure. */
export function isResultMessage(text: string, { shown }: NamedReading): boolean {
  const words = foldText(text);
  const isIn = (part: string) => part !== '' && words.includes(foldText(part));
  return !statesThat(text, 'title') && shown.some(({ label, raw }) => isIn(label) && isIn(raw));
}

export const isOtherDocument = (now: PageSignals, before: PageSignals) => now.documents !== before.documents;

type IsKnownText = (text: string) => boolean;

/**
 * Statements of a failure that are new since the submission: in titles by a wide pattern, anywhere else by a narrow
 * one.
 */
export function findFailureTexts(
  now: PageSignals,
  before: PageSignals,
  body: PageStatement,
  isSaidAlways: IsKnownText,
): string[] {
  const known = new Set([...before.titles, ...before.lines]);
  const isNew = (text: string) => !known.has(text) && !isSaidAlways(text);
  const isStated = (line: string, i: number) => statesThat(isStatus(now.lines[i - 1]) ? `Status: ${line}` : line, body);
  return [
    ...now.titles.filter((title) => isNew(title) && statesThat(title, 'title')),
    ...now.lines.filter((line, i) => isNew(line) && isStated(line, i)),
  ];
}

/** In a definition list, the status is in the line after its term. */
const statusLine = new RegExp(`^${phrasesOf(statusTerm)}:?$`, 'i');
const isStatus = (line = '') => statusLine.test(line);

/**
 * New red text beside the fields of the form is a complaint, whatever its words. Red text beside another form, such as
 * one that mails the results, is not.
 */
export async function redTextBesideFields(
  run: WizardRun,
  now: PageSignals,
  before: PageSignals,
  isSaidAlways: IsKnownText,
): Promise<string[]> {
  const known = new Set(before.lines);
  const reds = now.redTexts.filter((line) => !known.has(line) && !isSaidAlways(line));
  if (reds.length === 0 || (isOtherDocument(now, before) && !(await showsForm(run, run.page())))) return [];
  return reds;
}

/** Whether a text is one of the results: a negative result may be red. */
export function isResultText(text: string, { shown }: NamedReading): boolean {
  const words = foldText(text);
  return shown.some(
    ({ label, raw }) => words === foldText(raw) || words === foldText(label) || words.endsWith(foldText(raw)),
  );
}

const WAITING = new RegExp(
  `^(?:${phrasesOf(waiting)})\\b(?! ${phrasesOf(notWaiting)})(?:[^:\\d]{0,40}|[^:\\d]{0,20}\\d+ ?%)$`,
  'i',
);
const STILL_WORKING = new RegExp(phrasesOf(stillWorking), 'iu');

/** Whether the page states that it is still working. */
export function isWaiting(now: PageSignals, before: PageSignals): boolean {
  const known = new Set([...before.lines, ...before.busy]);
  return [...now.busy, ...now.lines.filter((line) => WAITING.test(line))].some((one) => !known.has(one));
}

/** Like `isWaiting`, for a settled page that shows nothing else. */
export function isStillWorking({ busy, isRedirecting, lines }: PageSignals): boolean {
  return busy.length > 0 || isRedirecting || lines.some((line) => WAITING.test(line) || STILL_WORKING.test(line));
}

/** Describes why a page is no results page; texts of the page are quoted. */
export async function findObjection(
  run: WizardRun,
  now: PageSignals,
  before: PageSignals,
  { words: [first], isEmpty }: { words: readonly string[]; isEmpty: boolean },
): Promise<string | undefined> {
  if (first !== undefined) return quote(run.redactor.pageText(first), 200);
  const refusal = await findRefusal(run);
  if (refusal) return refusal;
  if (now.asksPassword && !before.asksPassword) return 'a password field';
  if (isEmpty) return 'the empty form again';
  return isUnknownStep(run, now, before) ? 'the same button again' : undefined;
}

/** How the site rejected a request that a script sent since the submission, whatever the page shows. */
async function findRefusal(run: WizardRun): Promise<string | undefined> {
  const requests = (await run.submission?.list()) ?? [];
  const written = requests.filter(({ method, opensPage, isOfSite }) => isOfSite && !opensPage && !isSafeMethod(method));
  for (const { status, hasFailed, answer } of written) {
    if (status >= 400) return `a response with HTTP status ${status}`;
    if (hasFailed) return 'a request without a response';
    const { isRefused, errors } = readAnsweredRefusal(answer);
    if (isRefused) return `a response with the error ${quote(run.redactor.pageText(errors[0]?.text ?? ''), 200)}`;
  }
  return undefined;
}

/**
 * A new page without questions whose button has the name of the last page's button is another step, unless the file
 * describes it as results.
 */
function isUnknownStep(run: WizardRun, now: PageSignals, before: PageSignals): boolean {
  const { pages, results_page } = run.stored.wizard;
  const words = foldText(pages.at(-1)?.continue_button.text ?? '');
  const isKnown = results_page?.url_pattern !== undefined || results_page?.heading !== undefined;
  if (isKnown || words === '' || now.hasQuestions || !isOtherDocument(now, before)) return false;
  return now.buttons.some((name) => foldText(name) === words);
}

/** Whether the fields of the last page are visible. */
export async function showsForm(run: WizardRun, page: Page): Promise<boolean> {
  const fields = run.stored.wizard.pages.at(-1)?.fields ?? [];
  const marks = pageMarkers({ fields });
  const quick = marks.filter(isCheapRung);
  const marker = anyLocator(page, quick.length > 0 ? quick : marks, 6);
  return marker ? marker.first().isVisible() : false;
}

/** Whether the page shows the required fields of the last page without values. */
export async function isFormEmptyAgain(run: WizardRun, page: Page): Promise<boolean> {
  const fields = run.stored.wizard.pages.at(-1)?.fields ?? [];
  const needed = fields.filter((field) => field.required && visibilityConditions(field).length === 0).slice(0, 5);
  const ways = needed.flatMap((field) => {
    const marks = pageMarkers({ fields: [field] });
    return marks.find(isCheapRung) ?? marks[0] ?? [];
  });
  const empty = await Promise.all(
    ways.map((way) =>
      locateRung(page, way)
        .evaluateAll(emptyInPage)
        .catch(() => false),
    ),
  );
  return empty.includes(true);
}

/** Runs in the page. */
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
