import type { Page } from 'playwright-core';
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
import { type PageStatement, statesThat } from './page-statements.ts';

/** What speaks against a page that looks like results. */

/** A box for alerts may hold the results themselves: their label and their value, and nothing that went wrong. */
export function isResultMessage(text: string, { shown }: NamedReading): boolean {
  const words = foldText(text);
  const isIn = (part: string) => part !== '' && words.includes(foldText(part));
  return !statesThat(text, 'title') && shown.some(({ label, raw }) => isIn(label) && isIn(raw));
}

export const isOtherDocument = (now: PageSignals, before: PageSignals) => now.documents !== before.documents;

type IsKnownText = (text: string) => boolean;

/** What the page says since the form was sent that tells of a failure: in its titles, and more plainly anywhere. */
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

/** In a list of terms, what the status is stands in the next line. */
const statusLine = new RegExp(`^${phrasesOf(statusTerm)}:?$`, 'i');
const isStatus = (line = '') => statusLine.test(line);

/**
 * What stands in red beside the fields of the form, and did not before, is a complaint, whatever its words. Results may have
 * another form beside them, such as one to have them mailed.
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

/** A result that is not good may be red too. */
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

/** The page says that it is not done yet. */
export function isWaiting(now: PageSignals, before: PageSignals): boolean {
  const known = new Set([...before.lines, ...before.busy]);
  return [...now.busy, ...now.lines.filter((line) => WAITING.test(line))].some((one) => !known.has(one));
}

/** The same of a page that has come to rest, and shows nothing else. */
export function isStillWorking({ busy, isRedirecting, lines }: PageSignals): boolean {
  return busy.length > 0 || isRedirecting || lines.some((line) => WAITING.test(line) || STILL_WORKING.test(line));
}

/** What speaks against a page, in words for whoever ran the form: those of the page are quoted. */
export function findObjection(
  run: WizardRun,
  now: PageSignals,
  before: PageSignals,
  { words: [first], isEmpty }: { words: readonly string[]; isEmpty: boolean },
): string | undefined {
  if (first !== undefined) return quote(run.redactor.pageText(first), 200);
  const refusal = run.submission.refusal();
  if (refusal) return refusal;
  if (now.asksPassword && !before.asksPassword) return 'a password field';
  if (isEmpty) return 'the empty form again';
  return isUnknownStep(run, now, before) ? 'the same button again' : undefined;
}

/** A new page without questions whose button is called as that of the last page is another step, if the file knows no better. */
function isUnknownStep(run: WizardRun, now: PageSignals, before: PageSignals): boolean {
  const { pages, results_page } = run.stored.wizard;
  const words = foldText(pages.at(-1)?.continue_button.text ?? '');
  const isKnown = results_page?.url_pattern !== undefined || results_page?.heading !== undefined;
  if (isKnown || words === '' || now.hasQuestions || !isOtherDocument(now, before)) return false;
  return now.buttons.some((name) => foldText(name) === words);
}

/** Whether the fields of the last page are to be seen. */
export async function showsForm(run: WizardRun, page: Page): Promise<boolean> {
  const fields = run.stored.wizard.pages.at(-1)?.fields ?? [];
  const marks = pageMarkers({ fields });
  const quick = marks.filter(isCheapRung);
  const marker = anyLocator(page, quick.length > 0 ? quick : marks, 6);
  return marker ? marker.first().isVisible() : false;
}

/** Whether what the last page needs is asked for, with nothing in it. */
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
