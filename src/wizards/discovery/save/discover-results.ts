import { statesThat } from '../../../page/outcome/page-statements.ts';
import { quote } from '../../../platform/errors.ts';
import { firstHeading, isField, type PageReading } from '../../../platform/page/page-model.ts';
import { readVisibleErrors } from '../../../platform/page/snapshot/visible-errors.ts';
import { readPageSignals } from '../../execution/outcome/page-signals.ts';
import { type LabelledValue, readLabelledValues } from '../../execution/results/labelled-values.ts';
import { maskNumbers } from '../../files/result-labels.ts';
import type { Wizard, WizardResult } from '../../files/wizard-schema.ts';
import { foldText } from '../../validation/read-values.ts';
import { snakeCase } from '../propose/field-id.ts';
import { resultsUrlPattern } from '../propose/url-pattern.ts';
import { readSessionPage } from '../read-page/session-reading.ts';
import { redactSecrets } from '../read-page/typed-secrets.ts';
import { type DiscoverySession, pageKeyOf, sessionPage } from '../session/discovery-session.ts';

const MAX_RESULTS = 40;
const MAX_LINES = 60;
const MAX_LINE_LENGTH = 200;

interface DiscoveredResults {
  found: Pick<Wizard, 'results' | 'results_page'>;
  warnings: string[];
}

/** The labelled values of the open page that were not on a saved page before it was filled in, as named results. */
export async function discoverResults(session: DiscoverySession): Promise<DiscoveredResults> {
  const reading = await readSessionPage(session);
  const complaint = complaintOf(session, reading);
  if (complaint !== undefined)
    return {
      found: {},
      warnings: [
        `The discovery ended on the form, which shows an error: ${quote(redactSecrets(session, complaint), 200)}. It has no results. Discover the form again up to its results, or add results to the file`,
      ],
    };
  const currentKey = pageKeyOf(reading);
  const saved = [...session.pages.values()];
  const before = saved.filter((one) => one.pageKey === currentKey).flatMap(({ labelsBefore }) => labelsBefore);
  const { pairs, loose } = await readLabelledValues(sessionPage(session));
  const isNew = ({ label }: LabelledValue) => !before.includes(label);
  const labels = new Set(pairs.map(({ label }) => label));
  const { results, warnings } = nameResults(
    session,
    [...pairs, ...loose.filter(({ label }) => !labels.has(label))].filter(isNew),
  );
  const formAddresses = saved.map(({ page }) => page.url_pattern ?? '');
  const url_pattern = resultsUrlPattern(reading.url, formAddresses);
  const here = {
    page_title: redactSecrets(session, reading.title),
    ...(redactSecrets(session, url_pattern) === url_pattern && { url_pattern }),
    ...(await readResultsPageText(session)),
  };
  const failure = here.said?.find((line) => statesThat(line, 'anywhere'));
  if (failure !== undefined)
    warnings.push(
      `The results page says ${quote(failure, 200)}, which is treated as permanent text. If it reported a failure, remove it from results_page.said`,
    );
  if (Object.keys(results).length > 0) return { found: { results, results_page: here }, warnings };
  const heading = firstHeading(reading);
  // A heading with the name of a user differs for the next user.
  if (isFormPage(session, reading) || !heading || redactSecrets(session, heading) !== heading)
    return { found: {}, warnings };
  return { found: { results_page: { ...here, heading: maskNumbers(heading) } }, warnings };
}

/** Whether the page was saved, or asks the same questions under the same heading. */
function isFormPage(session: DiscoverySession, reading: PageReading): boolean {
  const currentKey = pageKeyOf(reading);
  const heading = foldText(firstHeading(reading) ?? '');
  return [...session.pages.values()].some(
    (saved) =>
      saved.pageKey === currentKey || (foldText(saved.page.page_title) === heading && asksAgain([saved.page], reading)),
  );
}

function asksAgain(pages: readonly Wizard['pages'][number][], { controls }: PageReading): boolean {
  const labels = new Set(pages.flatMap(({ fields }) => fields.map(({ label }) => foldText(label))));
  return controls.some((control) => isField(control) && control.visible && labels.has(foldText(control.name)));
}

/** The error that the form shows, if the form is still open. */
function complaintOf({ pages }: DiscoverySession, reading: PageReading): string | undefined {
  const isForm = asksAgain(
    [...pages.values()].map(({ page }) => page),
    reading,
  );
  if (!isForm) return undefined;
  const marked = reading.controls.find(({ visible, invalid, error }) => visible && (invalid || error));
  const said = reading.errors.find(({ text }) => text !== '')?.text;
  return said ?? (marked && (marked.error || `${marked.name} is marked as invalid`));
}

/**
 * The permanent sentences of the results page, those that sound like a failure first. Sentences that repeat an answer are left
 * out, and so are those with numbers unless they sound like a failure.
 */
async function readResultsPageText(session: DiscoverySession): Promise<{ said?: string[] }> {
  const page = sessionPage(session);
  const [signals, shown] = await Promise.all([readPageSignals(page), readVisibleErrors(page)]);
  const answers = [...session.answers.values()].map(foldText).filter((answer) => /[a-z].*[a-z]|\d{3}/.test(answer));
  const isOfAll = (line: string) =>
    redactSecrets(session, line) === line && !answers.some((answer) => ` ${foldText(line)} `.includes(` ${answer} `));
  const sounding = [...signals.titles, ...signals.lines].filter(
    (line) => statesThat(line, 'anywhere') || statesThat(line, 'asking'),
  );
  const sentences = signals.lines.filter((line) => /(?:\p{L}+\P{L}+){3}\p{L}/u.test(line) && !/\d/.test(line));
  const lines = [...sounding, ...shown.map(({ text }) => text), ...signals.redTexts, ...sentences]
    .filter((line) => line !== '' && isOfAll(line))
    .map((line) => line.slice(0, MAX_LINE_LENGTH));
  const said = [...new Set(lines)].slice(0, MAX_LINES);
  return said.length > 0 ? { said } : {};
}

/** Names each value by its label without numbers; equal labels are distinguished by their headings. */
function nameResults(session: DiscoverySession, pairs: readonly LabelledValue[]) {
  const results: Record<string, WizardResult> = {};
  const warnings: string[] = [];
  const groups = Map.groupBy(pairs, ({ label }) => foldText(maskNumbers(label)));
  const add = (words: string, result: WizardResult) => {
    const key = snakeCase(words.replaceAll(/[*…]/g, ' '));
    if (key && !(key in results) && Object.keys(results).length < MAX_RESULTS) results[key] = result;
  };
  for (const group of groups.values()) {
    const labels = new Set(group.map(({ label }) => foldText(label)));
    for (const label of labels) {
      const all = group.filter((one) => foldText(one.label) === label);
      // A nested element is read a second time with its container.
      const same = [...new Map(all.map((one) => [JSON.stringify([one.heading, one.value]), one])).values()];
      const [first] = same;
      if (!first || redactSecrets(session, first.label) !== first.label) continue;
      const name = labels.size === 1 ? maskNumbers(first.label) : first.label;
      if (new Set(same.map(({ value }) => value)).size === 1 && !haveOwnHeadings(same)) {
        add(name, { label: name, type: resultTypeOf(first.value) });
        continue;
      }
      if (!haveOwnHeadings(same) || same.some(({ heading }) => redactSecrets(session, heading) !== heading)) {
        warnings.push(
          `The results page says ${quote(first.label, 80)} ${same.length} times with different values and without distinct headings, so it has no name`,
        );
        continue;
      }
      for (const { heading, value } of same)
        add(`${heading} ${name}`, { label: name, heading, type: resultTypeOf(value) });
    }
  }
  return { results, warnings };
}

/** Whether each value has its own heading. */
function haveOwnHeadings(pairs: readonly LabelledValue[]): boolean {
  const headings = new Set(pairs.map(({ heading }) => foldText(heading)).filter(Boolean));
  return pairs.length > 1 && headings.size === pairs.length;
}

/** A number with a unit, such as "67 years", is a number. */
function resultTypeOf(value: string): WizardResult['type'] {
  if (/^[-+]?\s*[$€£]\s*\d[\d,.]*(?: [a-z ]{1,20})?$/i.test(value)) return 'money';
  return /^[-+]?\d[\d,]*(?:\.\d+)?(?: ?%| [a-z]{1,12})?$/i.test(value) ? 'number' : 'text';
}
