import { quote } from '../../platform/errors.ts';
import { isJsonObject } from '../../platform/json.ts';
import { runawaysAmong } from '../../platform/patterns.ts';
import { pageText } from '../execution/page-text.ts';
import { patternsOf } from '../files/fields.ts';
import { explain, wizardFolder } from '../files/folder.ts';
import { isLike } from '../files/stars.ts';
import { pageSchema, RUNAWAY, type WizardPage } from '../files/wizard.ts';
import { completePage, type Findings } from './complete-page.ts';
import { discoveryError } from './failures.ts';
import { partialOf } from './partials.ts';
import { type Proposal, patternOf, proposePage } from './propose-page.ts';
import { readNow } from './reading.ts';
import { pageOf, placeOf, type Session } from './session.ts';

export interface Saved {
  page: WizardPage;
  replaced: boolean;
  warnings: string[];
  partialFile: string;
}

/** Keeps a page: checked, completed with what the open page shows of it, and written to the partial file. */
export async function savePage(session: Session, metadata: unknown, home: string): Promise<Saved> {
  const reading = await readNow(session);
  const proposal = proposePage(session, reading);
  const given = parsePage(metadata, proposal);
  const isHere = !given.url_pattern || matches(given.url_pattern, reading.url);
  const findings: Findings = { warnings: [], isBroken: false };
  const { warnings } = findings;
  if (!isHere)
    warnings.push(
      `Page ${given.page_number} was saved while ${quote(reading.url, 200)} was open, so its selectors could not be checked`,
    );
  const page = isHere ? await completePage(session, given, proposal, findings) : given;
  const replaced = session.pages.has(page.page_number);
  const place = isHere ? placeOf(reading) : JSON.stringify([page.url_pattern, page.page_title]);
  const said = (await pageText(pageOf(session))).pairs.map(({ label }) => label);
  session.pages.set(page.page_number, { page, ...findings, place, said, guessed: guessesIn(page, proposal) });
  const partialFile = await wizardFolder(home).savePartial(session.id, partialOf(session));
  session.partialFile = partialFile;
  return { page, replaced, warnings, partialFile };
}

/** What nobody gave, and nobody has filled in so far, may yet be known better. */
function guessesIn({ fields }: WizardPage, { page, controls }: Proposal): Map<string, string> {
  const guesses = new Map<string, string>();
  for (const { field_id, example_value } of page.fields) {
    const name = controls.get(field_id)?.name;
    const given = fields.find((field) => field.field_id === field_id);
    if (name && given?.example_value === example_value) guesses.set(field_id, name);
  }
  return guesses;
}

function parsePage(metadata: unknown, proposal: Proposal): WizardPage {
  const button = proposal.page.continue_button;
  const given =
    isJsonObject(metadata) && metadata['continue_button'] === undefined && button
      ? { ...metadata, continue_button: button }
      : metadata;
  const parsed = pageSchema.safeParse(given);
  const problem = parsed.success ? runawayIn(parsed.data) : explain(parsed.error);
  if (parsed.success && problem === undefined) return parsed.data;
  throw discoveryError('invalid_page_metadata', `page_metadata is not valid: ${problem}.`, { screenshot: null });
}

/** A file that is read may have such a pattern, since it is interrupted when it is used; none is written. */
function runawayIn({ fields }: WizardPage): string | undefined {
  const bad = runawaysAmong(fields.flatMap(patternsOf));
  const at = fields.findIndex((field) => patternsOf(field).some((pattern) => bad.has(pattern)));
  const field = fields[at];
  const pattern = field && patternsOf(field).find((one) => bad.has(one));
  return field && `fields[${at}].pattern: ${quote(pattern, 60)} of ${field.field_id} ${RUNAWAY}, or leave it out`;
}

/** An address as a file has it: whole, a path, or with `*` in it. */
function matches(pattern: string, url: string): boolean {
  return [url, patternOf(url), URL.parse(url)?.pathname ?? ''].some((address) => isLike(address, pattern));
}
