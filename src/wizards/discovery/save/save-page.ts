import { quote } from '../../../platform/errors.ts';
import { isJsonObject } from '../../../platform/json.ts';
import type { PageReading } from '../../../platform/page/page-model.ts';
import { findCatastrophicPatterns } from '../../../platform/text/pattern-time-limit.ts';
import { matchesWildcard } from '../../../platform/text/wildcard.ts';
import { readLabelledValues } from '../../execution/results/labelled-values.ts';
import { fieldPatterns } from '../../files/field-traits.ts';
import { describeSchemaIssues } from '../../files/wizard-files.ts';
import type { WizardFolder } from '../../files/wizard-folder.ts';
import { pageSchema, SLOW_PATTERN, type WizardPage } from '../../files/wizard-schema.ts';
import { listQuestions, type PageProposal, proposePage, sharesQuestion } from '../propose/propose-page.ts';
import { urlPatternOf } from '../propose/url-pattern.ts';
import { restorePageTexts } from '../read-page/restore-page-text.ts';
import { readSessionPage } from '../read-page/session-reading.ts';
import { redactSecrets } from '../read-page/typed-secrets.ts';
import { discoveryError } from '../session/discovery-error.ts';
import { type DiscoverySession, pageKeyOf, sessionPage } from '../session/discovery-session.ts';
import { toPartialFile } from '../session/partial-file.ts';
import { completePage, type PageProblems } from './complete-page.ts';
import { completeProposal } from './complete-proposal.ts';

export interface SavePageOutcome {
  page: WizardPage;
  replaced: boolean;
  warnings: string[];
  partialFile: string;
  /** The labels of fields that no reply has shown, added from the proposal. */
  added: string[];
}

/** Checks a page, completes it from the open page, and writes it to the partial file. */
export async function savePage(
  session: DiscoverySession,
  metadata: unknown,
  wizards: WizardFolder,
): Promise<SavePageOutcome> {
  const reading = await readSessionPage(session);
  const proposal = proposePage(session, reading);
  const { metadata: whole, added } = completeFromReplies(session, metadata, proposal);
  const given = parsePage(restorePageTexts(whole, proposal.page), proposal);
  const isHere = !given.url_pattern || matchesUrlPattern(given.url_pattern, reading.url);
  const findings: PageProblems = { warnings: [], isBroken: false };
  const { warnings } = findings;
  if (!isHere)
    warnings.push(
      `Page ${given.page_number} was saved while ${quote(reading.url, 200)} was open, so its selectors were not checked`,
    );
  const page = isHere ? await completePage(session, given, proposal, findings) : given;
  const asked = listQuestions(reading);
  const former = session.pages.get(page.page_number);
  const replaced = former !== undefined;
  if (former && isHere && !sharesQuestion(former.questions, asked))
    warnings.push(
      `Page ${page.page_number} has replaced another page, which asked for ${quote(redactSecrets(session, former.questions.join(', ')), 120)}. If both belong to the form, save both with different page_number values`,
    );
  if (isHere) recordUploads(reading, page.page_number, findings);
  const key = isHere ? pageKeyOf(reading) : JSON.stringify([page.url_pattern, page.page_title]);
  const { pairs, loose } = await readLabelledValues(sessionPage(session));
  const said = [...pairs, ...loose].map(({ label }) => label);
  session.pages.set(page.page_number, {
    page,
    ...findings,
    pageKey: key,
    questions: isHere ? asked : labelsOf(page),
    labelsBefore: said,
    guessedExamples: findGuessedExamples(page, proposal),
  });
  const partialFile = await wizards.savePartial(session.id, toPartialFile(session));
  session.partialFile = partialFile;
  return { page, replaced, warnings, partialFile, added };
}

/** Replies to federalscout_get_page_info are cut, and their readers save what they were shown. */
function completeFromReplies({ proposals }: DiscoverySession, metadata: unknown, { page }: PageProposal) {
  const number = isJsonObject(metadata) ? metadata['page_number'] : undefined;
  const shown = proposals.get(Number(number)) ?? proposals.get(page.page_number);
  return shown ? completeProposal(metadata, shown) : { metadata, added: [] };
}

const labelsOf = ({ fields }: WizardPage) => fields.map(({ label }) => label);

/** User data has no files, so a page with a required upload cannot be run. */
function recordUploads({ controls }: PageReading, number: number, findings: PageProblems): void {
  const uploads = controls.filter(({ kind, visible }) => kind === 'file' && visible);
  for (const { name, required } of uploads) {
    findings.warnings.push(
      `Page ${number}: it asks for the file ${quote(name, 80)}, which a wizard cannot upload${required ? '. The page cannot be submitted without it' : ''}`,
    );
    findings.isBroken ||= required;
  }
}

/** Fields whose example is only a proposal, which a later answer may replace. */
function findGuessedExamples({ fields }: WizardPage, { page, controls }: PageProposal): Map<string, string> {
  const guesses = new Map<string, string>();
  for (const { field_id, example_value } of page.fields) {
    const name = controls.get(field_id)?.name;
    const given = fields.find((field) => field.field_id === field_id);
    if (name && given?.example_value === example_value) guesses.set(field_id, name);
  }
  return guesses;
}

/** What the metadata leaves out is taken from the proposal: a large page need not be repeated. */
function parsePage(metadata: unknown, proposal: PageProposal): WizardPage {
  const given = isJsonObject(metadata) ? { ...proposal.page, ...metadata } : metadata;
  const parsed = pageSchema.safeParse(given);
  const problem = parsed.success ? findSlowPattern(parsed.data) : describeSchemaIssues(parsed.error);
  if (parsed.success && problem === undefined) return parsed.data;
  throw discoveryError('invalid_page_metadata', `page_metadata is not valid: ${problem}.`, { screenshot: null });
}

/** Slow patterns are accepted when a file is read, because matching is interrupted, but never written. */
function findSlowPattern({ fields }: WizardPage): string | undefined {
  const bad = findCatastrophicPatterns(fields.flatMap(fieldPatterns));
  const at = fields.findIndex((field) => fieldPatterns(field).some((pattern) => bad.has(pattern)));
  const field = fields[at];
  const pattern = field && fieldPatterns(field).find((one) => bad.has(one));
  return field && `fields[${at}].pattern: ${quote(pattern, 60)} of ${field.field_id} ${SLOW_PATTERN}, or leave it out`;
}

/** Whether an address matches a pattern of a file: a full address, a path, or either with `*`. */
function matchesUrlPattern(pattern: string, url: string): boolean {
  return [url, urlPatternOf(url), URL.parse(url)?.pathname ?? ''].some((address) => matchesWildcard(address, pattern));
}
