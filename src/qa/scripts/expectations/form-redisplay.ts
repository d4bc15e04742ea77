import { quote } from '../../../platform/errors.ts';
import type { SentRequest } from '../../replay/session/session-traffic.ts';
import { isWriteRequest } from '../model/script-steps.ts';
import { type ExpectationChoice, notCarriedOut, outcomeUnknown, siteContradiction } from '../model/written-script.ts';
import { pageVocabulary } from '../page-vocabulary.ts';
import { isListUseCase, type ObservedLine, type PageObservation } from '../record/page-observation.ts';
import type { CaseRecording } from './case-recording.ts';
import { withUniquePlaceholder } from './stable-text.ts';

/** A submission: the observations before and after it, and the requests in between. */
export interface FormSubmission {
  before: PageObservation | undefined;
  after: PageObservation;
  requests: readonly SentRequest[];
}

/** Steps after the submission, such as a reload, are not part of it. */
export function findFormSubmission({ plan, draft, sent }: CaseRecording): FormSubmission {
  const at = draft.points.length - 1 - plan.after.length;
  const [earlier, point] = [draft.points[at - 1], draft.points[at]];
  if (!point) throw new Error('a draft without a look at the page');
  if (plan.after.length === 0)
    return { before: draft.before, after: point.seen, requests: sent.slice(draft.requestsBefore) };
  return { before: earlier?.seen, after: point.seen, requests: sent.slice(earlier?.requests ?? 0, point.requests) };
}

/**
 * Detects that the form is shown again. A form that still has the entered values was most often not accepted, whatever the
 * status of the response. An error text makes that a rejection; a text that may mean either makes the outcome unknown.
 */
export function detectFormRedisplay(recording: CaseRecording, sending: FormSubmission): ExpectationChoice | undefined {
  const { before, after, requests } = sending;
  const written = requests.filter((one) => isWriteRequest(one, recording.baseUrl));
  const isAnswer = requests.findLast(({ opensPage }) => opensPage)?.method === 'POST';
  const isSamePage = before !== undefined && pageWithoutQuery(before.url) === pageWithoutQuery(after.url);
  if (!(isSamePage || isAnswer) || !isFormShown(recording, after)) return undefined;
  const fresh = newLines(sending);
  if (written.length === 0) return detectBlockedSubmission(recording, sending, fresh);
  const isWhole = areValuesKept(recording, after);
  const isError = (written.at(-1)?.status ?? 0) >= 400;
  const complaint =
    // A server never returns a password, so its field is empty, and it may be the value that was rejected.
    fresh.find(
      (line) =>
        line.tone === 'wrong' && (isWhole || (isAnyValueKept(recording, after) && isComplaint(recording, line))),
    ) ?? (isError && isWhole ? fresh[0] : undefined);
  if (complaint) return rejectedWithMessage(complaint);
  // A page script may keep the values of the form, and a reopened page may show stored values.
  if (!isWhole || !isAnswer || fresh.length === 0 || fresh.some(isSuccessLine)) return undefined;
  const named = fresh.find((line) => isAboutField(recording, line));
  return named
    ? rejectedWithMessage(named)
    : outcomeUnknown('The page shows the form again with the entered values: whether it was accepted is unknown.');
}

function newLines({ before, after }: FormSubmission): ObservedLine[] {
  const known = new Set([...(before?.lines.map(({ text }) => text) ?? []), ...after.names]);
  return after.lines.filter(({ text }) => !known.has(text));
}

/** A script of the page blocked the submission and shows why; the entered values stay. */
function detectBlockedSubmission(
  recording: CaseRecording,
  { after, requests }: FormSubmission,
  fresh: readonly ObservedLine[],
): ExpectationChoice | undefined {
  const isOver = requests.some(({ opensPage, method }) => opensPage || method !== 'GET');
  if (isOver || isListUseCase(recording.evidence) || !isAnyValueKept(recording, after)) return undefined;
  const isCalledOut = ({ text, tone, spoken }: ObservedLine) =>
    tone === 'wrong' || spoken || after.alerts.includes(text);
  const complaint = fresh.find((line) => isCalledOut(line) && isComplaint(recording, line));
  return complaint && notCarriedOut(`Nothing was sent, and the page says ${quote(complaint.text, 200)}.`);
}

function rejectedWithMessage({ text }: ObservedLine): ExpectationChoice {
  return siteContradiction(
    `The page shows the form again although its constraints are met, and says ${quote(text, 200)}.`,
  );
}

function pageWithoutQuery(url: string): string {
  return url.split(/[?#]/)[0] ?? url;
}

/** A field of the form is visible. */
function isFormShown({ plan }: CaseRecording, { fields, fieldValues }: PageObservation): boolean {
  return Object.keys({ ...plan.values, ...plan.secrets }).some((key) => fields.includes(key) || key in fieldValues);
}

/** At least one field still has its entered value. */
function isAnyValueKept({ plan, uniques }: CaseRecording, { fieldValues }: PageObservation): boolean {
  return Object.entries(plan.values).some(
    ([key, value]) => value !== '' && withUniquePlaceholder(fieldValues[key] ?? '', uniques[0]) === value,
  );
}

/** The fields still have their entered values, and none was cleared. */
function areValuesKept({ plan, uniques }: CaseRecording, { fieldValues }: PageObservation): boolean {
  const entered = Object.entries(plan.values).filter(([key, value]) => value !== '' && fieldValues[key] !== undefined);
  const isSame = ([key, value]: [string, string]) =>
    withUniquePlaceholder(fieldValues[key] ?? '', uniques[0]) === value;
  return entered.some(isSame) && entered.every(([key]) => fieldValues[key] !== '');
}

/** A message says that something is missing or wrong. */
function isComplaint(recording: CaseRecording, line: ObservedLine): boolean {
  if (pageVocabulary.success.test(line.text) && !pageVocabulary.error.test(line.text)) return false;
  return (
    pageVocabulary.error.test(line.text) || pageVocabulary.correction.test(line.text) || isAboutField(recording, line)
  );
}

function isSuccessLine({ text, live, heading, tone }: ObservedLine): boolean {
  return live || heading || tone === 'right' || (pageVocabulary.success.test(text) && !pageVocabulary.error.test(text));
}

/** The message is about another field than the ones that were filled. */
function isAboutField({ plan, evidence, uniques }: CaseRecording, { text }: ObservedLine): boolean {
  const said = withUniquePlaceholder(text, uniques[0]);
  if (Object.values(plan.values).some((value) => value.length > 2 && said.includes(value))) return false;
  return (evidence.form?.fields ?? []).some(
    ({ label }) => label.length > 2 && said.toLowerCase().includes(label.toLowerCase()),
  );
}
