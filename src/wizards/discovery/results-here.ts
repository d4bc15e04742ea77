import { quote } from '../../platform/errors.ts';
import { errorsShown } from '../../platform/page/errors-shown.ts';
import { firstHeading, isField, type PageReading } from '../../platform/page/model.ts';
import { says } from '../execution/failing.ts';
import { glanceAt } from '../execution/glance.ts';
import { type Pair, pageText } from '../execution/page-text.ts';
import { withoutNumbers } from '../files/result-labels.ts';
import type { Wizard, WizardResult } from '../files/wizard.ts';
import { folded } from '../validation/words.ts';
import { resultsPattern } from './address-pattern.ts';
import { snakeCase } from './field-id.ts';
import { readNow } from './reading.ts';
import { withoutSecrets } from './secrets.ts';
import { pageOf, placeOf, type Session } from './session.ts';

const MOST_RESULTS = 40;
const MOST_LINES = 60;
const LONGEST_LINE = 200;

interface ResultsHere {
  found: Pick<Wizard, 'results' | 'results_page'>;
  warnings: string[];
}

/** What the open page says label by label, beside what a page that was saved said before it was filled in. */
export async function resultsHere(session: Session): Promise<ResultsHere> {
  const reading = await readNow(session);
  const complaint = complaintOf(session, reading);
  if (complaint !== undefined)
    return {
      found: {},
      warnings: [
        `The discovery ended on the form, which complains: ${quote(withoutSecrets(session, complaint), 200)}. No results were read from it; discover the form again up to its results, or name them in the file`,
      ],
    };
  const place = placeOf(reading);
  const saved = [...session.pages.values()];
  const before = saved.filter((one) => one.place === place).flatMap(({ said }) => said);
  const { pairs, loose } = await pageText(pageOf(session));
  const isNew = ({ label }: Pair) => !before.includes(label);
  const labels = new Set(pairs.map(({ label }) => label));
  const { results, warnings } = namesFor(
    session,
    [...pairs, ...loose.filter(({ label }) => !labels.has(label))].filter(isNew),
  );
  const formAddresses = saved.map(({ page }) => page.url_pattern ?? '');
  const url_pattern = resultsPattern(reading.url, formAddresses);
  const here = {
    page_title: withoutSecrets(session, reading.title),
    ...(withoutSecrets(session, url_pattern) === url_pattern && { url_pattern }),
    ...(await saidHere(session)),
  };
  const failure = here.said?.find((line) => says(line, 'anywhere'));
  if (failure !== undefined)
    warnings.push(
      `The results page says ${quote(failure, 200)}: that is taken for what it always says. If it was a failure, take it out of results_page.said`,
    );
  if (Object.keys(results).length > 0) return { found: { results, results_page: here }, warnings };
  const heading = firstHeading(reading);
  // A page that calls somebody by name is called otherwise the next time.
  if (isOfForm(session, reading) || !heading || withoutSecrets(session, heading) !== heading)
    return { found: {}, warnings };
  return { found: { results_page: { ...here, heading: withoutNumbers(heading) } }, warnings };
}

/** A page that was saved, or one that asks the same under the same heading. */
function isOfForm(session: Session, reading: PageReading): boolean {
  const place = placeOf(reading);
  const heading = folded(firstHeading(reading) ?? '');
  return [...session.pages.values()].some(
    (saved) => saved.place === place || (folded(saved.page.page_title) === heading && asksAgain([saved.page], reading)),
  );
}

function asksAgain(pages: readonly Wizard['pages'][number][], { controls }: PageReading): boolean {
  const labels = new Set(pages.flatMap(({ fields }) => fields.map(({ label }) => folded(label))));
  return controls.some((control) => isField(control) && control.visible && labels.has(folded(control.name)));
}

/** What the form, which is still there, says is wrong with what was filled in. */
function complaintOf({ pages }: Session, reading: PageReading): string | undefined {
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
 * The sentences of the page, first those that sound like a failure: they stand there whoever asks. What is said because of an
 * answer does not, nor do numbers, unless they matter.
 */
async function saidHere(session: Session): Promise<{ said?: string[] }> {
  const page = pageOf(session);
  const [glance, shown] = await Promise.all([glanceAt(page), errorsShown(page)]);
  const answers = [...session.answers.values()].map(folded).filter((answer) => /[a-z].*[a-z]|\d{3}/.test(answer));
  const isOfAll = (line: string) =>
    withoutSecrets(session, line) === line && !answers.some((answer) => ` ${folded(line)} `.includes(` ${answer} `));
  const sounding = [...glance.titles, ...glance.lines].filter((line) => says(line, 'anywhere') || says(line, 'asking'));
  const sentences = glance.lines.filter((line) => /(?:\p{L}+\P{L}+){3}\p{L}/u.test(line) && !/\d/.test(line));
  const lines = [...sounding, ...shown.map(({ text }) => text), ...glance.reds, ...sentences]
    .filter((line) => line !== '' && isOfAll(line))
    .map((line) => line.slice(0, LONGEST_LINE));
  const said = [...new Set(lines)].slice(0, MOST_LINES);
  return said.length > 0 ? { said } : {};
}

/** A name for each value. What has the same label as another is called by its heading too; a number is no part of a name. */
function namesFor(session: Session, pairs: readonly Pair[]) {
  const results: Record<string, WizardResult> = {};
  const warnings: string[] = [];
  const groups = Map.groupBy(pairs, ({ label }) => folded(withoutNumbers(label)));
  const add = (words: string, result: WizardResult) => {
    const key = snakeCase(words.replaceAll(/[*…]/g, ' '));
    if (key && !(key in results) && Object.keys(results).length < MOST_RESULTS) results[key] = result;
  };
  for (const group of groups.values()) {
    const labels = new Set(group.map(({ label }) => folded(label)));
    for (const label of labels) {
      const all = group.filter((one) => folded(one.label) === label);
      // What lies within something else is read with it once more.
      const same = [...new Map(all.map((one) => [JSON.stringify([one.heading, one.value]), one])).values()];
      const [first] = same;
      if (!first || withoutSecrets(session, first.label) !== first.label) continue;
      const name = labels.size === 1 ? withoutNumbers(first.label) : first.label;
      if (new Set(same.map(({ value }) => value)).size === 1 && !areApart(same)) {
        add(name, { label: name, type: typeOf(first.value) });
        continue;
      }
      if (!areApart(same) || same.some(({ heading }) => withoutSecrets(session, heading) !== heading)) {
        warnings.push(
          `The results page says ${quote(first.label, 80)} ${same.length} times with different values, and no heading tells them apart: it has no name`,
        );
        continue;
      }
      for (const { heading, value } of same) add(`${heading} ${name}`, { label: name, heading, type: typeOf(value) });
    }
  }
  return { results, warnings };
}

/** Each stands under a heading of its own. */
function areApart(pairs: readonly Pair[]): boolean {
  const headings = new Set(pairs.map(({ heading }) => folded(heading)).filter(Boolean));
  return pairs.length > 1 && headings.size === pairs.length;
}

/** A value with a word behind it, such as "67 years", is still a number. */
function typeOf(value: string): WizardResult['type'] {
  if (/^[-+]?\s*[$€£]\s*\d[\d,.]*(?: [a-z ]{1,20})?$/i.test(value)) return 'money';
  return /^[-+]?\d[\d,]*(?:\.\d+)?(?: ?%| [a-z]{1,12})?$/i.test(value) ? 'number' : 'text';
}
