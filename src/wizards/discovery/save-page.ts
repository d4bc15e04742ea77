import { quote } from '../../platform/errors.ts';
import { isJsonObject } from '../../platform/json.ts';
import type { PageReading } from '../../platform/page/model.ts';
import { runawaysAmong } from '../../platform/patterns.ts';
import { isLike } from '../../platform/stars.ts';
import { pageText } from '../execution/page-text.ts';
import { patternsOf } from '../files/fields.ts';
import type { WizardFolder } from '../files/folder.ts';
import { pageSchema, RUNAWAY, type WizardPage } from '../files/wizard.ts';
import { explain } from '../files/wizard-files.ts';
import { patternOf } from './address-pattern.ts';
import { completePage, type Findings } from './complete-page.ts';
import { discoveryError } from './failures.ts';
import { partialOf } from './partials.ts';
import { asksAnyOf, type Proposal, proposePage, questionsOn } from './propose-page.ts';
import { readNow } from './reading.ts';
import { restoreTexts } from './restore-text.ts';
import { withoutSecrets } from './secrets.ts';
import { pageOf, placeOf, type Session } from './session.ts';

export interface Saved {
  page: WizardPage;
  replaced: boolean;
  warnings: string[];
  partialFile: string;
}

/** Keeps a page: checked, completed with what the open page shows of it, and written to the partial file. */
export async function savePage(session: Session, metadata: unknown, wizards: WizardFolder): Promise<Saved> {
  const reading = await readNow(session);
  const proposal = proposePage(session, reading);
  const given = parsePage(restoreTexts(metadata, proposal.page), proposal);
  const isHere = !given.url_pattern || matches(given.url_pattern, reading.url);
  const findings: Findings = { warnings: [], isBroken: false };
  const { warnings } = findings;
  if (!isHere)
    warnings.push(
      `Page ${given.page_number} was saved while ${quote(reading.url, 200)} was open, so its selectors could not be checked`,
    );
  const page = isHere ? await completePage(session, given, proposal, findings) : given;
  const asked = questionsOn(reading);
  const former = session.pages.get(page.page_number);
  const replaced = former !== undefined;
  if (former && isHere && !asksAnyOf(former.asked, asked))
    warnings.push(
      `Page ${page.page_number} has replaced another page, which asked for ${quote(withoutSecrets(session, former.asked.join(', ')), 120)}: if both are pages of the form, save this one with another page_number and the other again`,
    );
  if (isHere) noteUploads(reading, page.page_number, findings);
  const place = isHere ? placeOf(reading) : JSON.stringify([page.url_pattern, page.page_title]);
  const { pairs, loose } = await pageText(pageOf(session));
  const said = [...pairs, ...loose].map(({ label }) => label);
  session.pages.set(page.page_number, {
    page,
    ...findings,
    place,
    asked: isHere ? asked : labelsOf(page),
    said,
    guessed: guessesIn(page, proposal),
  });
  const partialFile = await wizards.savePartial(session.id, partialOf(session));
  session.partialFile = partialFile;
  return { page, replaced, warnings, partialFile };
}

const labelsOf = ({ fields }: WizardPage) => fields.map(({ label }) => label);

/** A file of somebody's own is in no user data. Where the page insists on one, it cannot be run. */
function noteUploads({ controls }: PageReading, number: number, findings: Findings): void {
  const uploads = controls.filter(({ kind, visible }) => kind === 'file' && visible);
  for (const { name, required } of uploads) {
    findings.warnings.push(
      `Page ${number}: it asks for the file ${quote(name, 80)}, which a wizard cannot give${required ? ', and cannot be sent without it' : ''}`,
    );
    findings.isBroken ||= required;
  }
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
